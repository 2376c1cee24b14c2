"""The parser of request bodies."""

from rest_framework.parsers import JSONParser


class StrictJSONParser(JSONParser):
    """JSON that databases can hold."""
