"""The endpoints of datasets."""
