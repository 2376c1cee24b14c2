"""Every change to connections and models, one function an act."""
