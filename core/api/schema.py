"""How the OpenAPI schema is read from our views."""

from drf_spectacular.openapi import AutoSchema


class CasebookSchema(AutoSchema):
    """The defaults of drf-spectacular plus what every endpoint has."""
