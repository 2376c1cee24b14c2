"""The frame of the API: parsers, errors, paging, ETags, schema. What needs accounts' tables is in accounts/api."""
