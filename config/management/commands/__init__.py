"""`manage.py` commands of the project as a whole."""
