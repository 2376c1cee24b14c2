"""Finds passwords inside addresses: `scheme://user:password@host`, of which only the password is hidden (DS-D62)."""

import re
from collections.abc import Iterator

from datasets.logic.credentials.kind import Find
from datasets.logic.credentials.likeness import is_template

KIND = "url_password"

_USER = r"://[^\s:/?#@\"'`<>\\]{0,256}+:"
_HOST = r"@(?=[A-Za-z0-9\[_%$\u00a1-\uffff{<-])"
_ADDRESS = re.compile(rf"{_USER}(?P<password>[^\s/\"`<>\\]{{1,256}}){_HOST}")
_PIECE = r"[^\s@\"`<>\\]{1,128}"
_DATABASE = re.compile(
    rf"(?<!http)(?<!https){_USER}"
    rf"(?P<password>{_PIECE}(?:@{_PIECE}){{0,3}}?(?=@[\w.-]{{1,128}}:[0-9]{{2,5}}(?![0-9]))|{_PIECE}){_HOST}"
)
_NO_PASSWORD = "x-oauth-basic"  # noqa: S105  # here the user name is the token
_PORT = re.compile(r"[0-9]{1,5}(?:[/?#,]|$)")


def find_passwords(text: str) -> Iterator[Find]:
    """Each password in an address that is neither a template (`${PASSWORD}`) nor a port followed by something.

    In an address of a database people leave `/` and `@` unescaped, so there the password reaches to the last host.
    """
    if "://" not in text or "@" not in text:
        return
    for pattern in (_DATABASE, _ADDRESS):
        for address in pattern.finditer(text):
            password = address["password"]
            if not is_template(password) and password != _NO_PASSWORD and not _PORT.match(password + "@"):
                yield Find(*address.span("password"), KIND)
