"""The forms of connections and models."""
