"""The endpoints of connections and models."""
