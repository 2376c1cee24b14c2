"""The schema, its browsable docs, and the answer at addresses that do not exist (PL-40)."""

from functools import cache
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response


@cache
def schema() -> dict[str, Any]:
    """The OpenAPI document, in English. It comes from code alone, so a process makes it once."""
    with translation.override("en"):
        return SchemaGenerator().get_schema(request=None, public=True)


class SchemaView(SpectacularAPIView):
    """OpenAPI 3 of this API, as YAML or, by `Accept`, as JSON. Open to anybody: it holds nobody's data."""

    authentication_classes = []
    permission_classes = []
    throttle_classes = []

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(schema(), headers={"Content-Disposition": 'inline; filename="casebook-api.yaml"'})


class DocsView(SpectacularSwaggerSplitView):
    """The browsable docs. Page and script are apart, as the Content-Security-Policy wants it."""

    authentication_classes = []
    permission_classes = []
    throttle_classes = []
    url_name = "api_schema"
    template_name = "api/docs.html"


@csrf_exempt
def nothing_here(_request: HttpRequest, **_parts: Any) -> JsonResponse:
    """404 as JSON at every address under /api/ that is none, for every method."""
    return JsonResponse({"detail": _("Not found.")}, status=404)
