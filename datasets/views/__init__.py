"""The console's pages of datasets."""
