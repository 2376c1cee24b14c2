"""Template tags of datasets."""
