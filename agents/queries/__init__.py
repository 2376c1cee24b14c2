"""Reading connections and models."""
