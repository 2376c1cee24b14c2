"""How the OpenAPI schema names the two ways to say who calls."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class ApiKeyScheme(OpenApiAuthenticationExtension):
    target_class = "accounts.api.authentication.ApiKeyAuthentication"
    name = "apiKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "An API key: `Authorization: Bearer cbk_…`."}


class SessionScheme(OpenApiAuthenticationExtension):
    target_class = "accounts.api.authentication.MemberSessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        words = "The console's session. Writes need Django's token in the header `X-CSRFToken`."
        return {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": words}
