"""Files sent to the console's pages: stopped while they arrive, whoever sends them."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from core.limits import LIMITS
from tests.cast import Cast


@pytest.mark.spec("PL-41", "DS-76")
@pytest.mark.parametrize("files", [1, 3])
def test_more_than_a_form_may_hold_is_413_for_a_stranger_too(cast: Cast, files: int) -> None:
    """The check against cross-site requests reads the form of every visitor, before it is known who that is."""
    piece = b"x" * (LIMITS.form_files_bytes // files + 1)
    sent = {f"file{number}": SimpleUploadedFile("a.csv", piece) for number in range(files)}
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    browser.get("/account/login/")
    assert browser.post("/account/login/", sent).status_code == 413


def test_fields_without_end_are_413_too(cast: Cast) -> None:
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    browser.get("/account/login/")
    assert browser.post("/account/login/", {"login": "x" * (13 * 1024 * 1024)}).status_code == 413
