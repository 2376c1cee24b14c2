"""The console's pages of connections and models."""
