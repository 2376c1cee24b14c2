"""The WSGI entry point that gunicorn serves."""

import os
from importlib import import_module

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)


class Utf8Request(WSGIRequest):
    """A request that is read as UTF-8. Django reads it by the charset it names, before any middleware could refuse it:
    `charset=hex` is a 500 of the server, and UTF-7 lets half surrogates in.
    """

    @property
    def encoding(self) -> str:
        return "utf-8"

    @encoding.setter
    def encoding(self, _named: str) -> None:
        return None


class Handler(WSGIHandler):
    request_class = Utf8Request


application = Handler()
# All views are loaded before the first person asks; Django would load them during their request.
import_module(settings.ROOT_URLCONF)
