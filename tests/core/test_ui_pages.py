"""Pages of the frame itself: gallery, Markdown preview, and the pages of errors."""

from collections.abc import Callable
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import NoReverseMatch, reverse

from core.gallery_samples import SECTIONS
from core.html import MOST_CHARACTERS

SignIn = Callable[[str], Client]
with_gallery = pytest.mark.urls("tests.gallery_urls")


@with_gallery
@pytest.mark.parametrize("address", ["/ui/", "/ui/?case=case-1&theme=dark", "/ui/panel/case-2", "/ui/elsewhere"])
def test_the_gallery_shows_every_component_in_few_queries(
    sign_in: SignIn, django_assert_max_num_queries: Any, address: str
) -> None:
    client = sign_in("owner")
    with django_assert_max_num_queries(25):
        response = client.get(address)
    assert response.status_code == 200
    assert b"style=" not in response.content
    assert b" onclick" not in response.content


@with_gallery
def test_every_section_of_the_gallery_has_an_anchor(sign_in: SignIn) -> None:
    page = sign_in("owner").get("/ui/").content.decode()
    for anchor, _label in SECTIONS:
        assert f'id="{anchor}"' in page


def test_production_has_no_gallery(sign_in: SignIn) -> None:
    with pytest.raises(NoReverseMatch):
        reverse("gallery")
    assert sign_in("owner").get("/ui/").status_code == 404


@with_gallery
def test_a_refused_form_is_shown_in_place_with_422(sign_in: SignIn) -> None:
    response = sign_in("owner").post("/ui/demonstration", {"question": ""}, headers={"HX-Request": "true"})
    assert response.status_code == 422
    assert b'aria-invalid="true"' in response.content


@with_gallery
@pytest.mark.parametrize(("role", "sees"), [("owner", True), ("viewer", False)])
def test_the_rail_shows_what_the_member_may_use(sign_in: SignIn, role: str, sees: bool) -> None:
    page = sign_in(role).get("/ui/elsewhere").content.decode()
    assert (f'href="{reverse("member_list")}"' in page) is sees


@with_gallery
def test_the_theme_and_the_language_are_those_of_the_member(sign_in: SignIn, cast: Any) -> None:
    user = cast.owner.user
    user.theme, user.language = "dark", "pl"
    user.save()
    assert '<html lang="pl" data-theme="dark"' in sign_in("owner").get("/ui/elsewhere").content.decode()


def test_preview_is_the_pages_renderer(sign_in: SignIn) -> None:
    response = sign_in("member").post(reverse("markdown_preview"), {"text": "**a** <b>"})
    assert response.content.decode() == '<div class="markdown"><p><strong>a</strong> &lt;b&gt;</p></div>'
    assert response["Cache-Control"] == "no-store"


def test_preview_refuses_more_than_the_renderer_takes(sign_in: SignIn) -> None:
    response = sign_in("member").post(reverse("markdown_preview"), {"text": "a" * (MOST_CHARACTERS + 1)})
    assert response.status_code == 413


def test_preview_takes_no_get_and_no_stranger(sign_in: SignIn, client: Client) -> None:
    assert sign_in("member").get(reverse("markdown_preview")).status_code == 405
    assert client.post(reverse("markdown_preview"), {"text": "x"}).status_code in (302, 401, 403)


@pytest.mark.parametrize("template", ["errors/page.html", "errors/part.html"])
def test_errors_render_with_nothing_but_their_words(template: str) -> None:
    context = {"title": "Not found", "message": "There is nothing <here>.", "lines": ["Row 3"]}
    page = render_to_string(template, context)
    for part in ("Not found", "There is nothing &lt;here&gt;.", "Row 3"):
        assert part in page
    assert "csrf" not in page


def test_two_pages_of_nothing_are_the_same_bytes(sign_in: SignIn) -> None:
    client = sign_in("owner")
    one, two = client.get("/no/such"), client.get("/nor/this")
    assert one.status_code == two.status_code == 404
    assert one.content == two.content
