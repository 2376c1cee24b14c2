"""The WSGI entry point that gunicorn serves."""

import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()
# All views are loaded before the first person asks; Django would load them during their request.
import_module(settings.ROOT_URLCONF)
