"""Views that belong to no app: health, error pages, the component gallery."""
