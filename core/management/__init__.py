"""Commands of Django's command line that belong to no app."""
