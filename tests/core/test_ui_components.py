"""The components' markup: names for screen readers, errors tied to fields, nothing unescaped."""

from typing import Any

import pytest
from django import forms
from django.contrib.auth.models import AnonymousUser
from django.template import RequestContext, Template
from django.test import RequestFactory

from core import navigation
from core.templatetags.ui import hue_of

EVIL = '"><script>alert(1)</script>'


def draw(source: str, **context: Any) -> str:
    request = RequestFactory().get("/somewhere?q=a&page=2")
    request.user = AnonymousUser()
    return Template("{% load ui %}" + source).render(RequestContext(request, context))


class NameForm(forms.Form):
    name = forms.CharField(help_text="What people call it.")
    hidden = forms.CharField(widget=forms.HiddenInput, required=False)
    colour = forms.ChoiceField(choices=[("r", "Red")], widget=forms.RadioSelect, required=False)
    agreed = forms.BooleanField(required=False)


@pytest.mark.parametrize(
    "source",
    [
        "{% button evil icon='plus' title=evil %}", "{% button evil href=evil %}", "{% pill 'pass' evil %}",
        "{% tag evil %}",
        "{% crumb evil evil %}", "{% tab evil evil %}", "{% notice 'info' title=evil %}{{ evil }}{% endnotice %}",
        "{% dialog 'd' evil %}{{ evil }}{% enddialog %}", "{% disclosure evil %}{{ evil }}{% enddisclosure %}",
        "{% menu 'm' evil text=True %}{% menu_item evil href=evil %}{% menu_item evil post=evil %}{% endmenu %}",
        "{% folded %}{{ evil }}{% endfolded %}", "{% empty_state evil evil %}{{ evil }}{% endempty_state %}",
        "{% progress evil 1 2 %}", "{{ evil|markdown }}", "{% difference evil '' old_label=evil %}",
        "{% copy_button text=evil %}", "{% sort_link evil evil %}",
        "{% keyset_pager before=evil after=evil shown=evil %}",
        "{% unsaved_copies evil %}",
        "{% unsaved_bar evil %}", "{% icon 'plus' label=evil %}",
    ],
)  # fmt: skip
def test_no_component_lets_html_through(source: str) -> None:
    drawn = draw(source, evil=EVIL)
    assert "<script" not in drawn
    assert "script" in drawn, "the text itself is shown"


def test_an_icon_is_decoration_unless_it_has_a_name() -> None:
    assert 'aria-hidden="true"' in draw("{% icon 'plus' %}")
    assert 'role="img" aria-label="Add"' in draw("{% icon 'plus' label='Add' %}")


def test_a_button_with_only_an_icon_has_a_name() -> None:
    assert 'aria-label="Copy"' in draw("{% button 'Copy' icon='copy' icon_only=True %}")


def test_keywords_of_a_button_become_attributes() -> None:
    drawn = draw("{% button 'Go' hx_get='/x' data_key='c' disabled=True aria_pressed=None %}")
    assert 'hx-get="/x"' in drawn
    assert 'data-key="c"' in drawn
    assert " disabled" in drawn
    assert "aria-pressed" not in drawn
    assert 'type="button"' in drawn


def test_a_post_entry_of_a_menu_is_a_form_with_its_token() -> None:
    drawn = draw("{% menu_item 'Archive' post='/archive' %}", csrf_token="token")
    assert '<form method="post" action="/archive">' in drawn
    assert 'name="csrfmiddlewaretoken" value="' in drawn
    assert 'type="submit"' in drawn


def test_a_field_names_its_help_and_its_error() -> None:
    drawn = draw("{% field form.name %}", form=NameForm({}))
    assert 'aria-describedby="id_name_help id_name_error"' in drawn
    assert 'id="id_name_help"' in drawn
    assert 'id="id_name_error"' in drawn
    assert 'aria-invalid="true"' in drawn
    assert '<label class="field-label" for="id_name">' in drawn


def test_a_valid_field_is_not_marked() -> None:
    drawn = draw("{% field form.name %}", form=NameForm())
    assert "aria-invalid" not in drawn
    assert 'aria-describedby="id_name_help"' in drawn


def test_only_fields_that_may_be_left_out_say_so() -> None:
    form = NameForm()
    assert "optional" not in draw("{% field form.name %}", form=form)
    assert "optional" in draw("{% field form.colour %}", form=form)
    assert "optional" not in draw("{% field form.agreed %}", form=form)


def test_choices_are_a_group_with_a_legend() -> None:
    assert "<legend" in draw("{% field form.colour %}", form=NameForm())


def test_the_error_summary_leads_to_the_fields_and_is_absent_without_errors() -> None:
    assert '<a href="#id_name">Name</a>: This field is required.' in draw("{% error_summary form %}", form=NameForm({}))
    assert draw("{% error_summary form %}", form=NameForm({"name": "x"})).strip() == ""
    assert draw("{% error_summary form %}", form=NameForm()).strip() == ""


def test_sorting_keeps_the_filter_and_forgets_the_page() -> None:
    assert 'href="?q=a&amp;sort=name"' in draw("{% sort_link 'name' 'Name' %}")


def test_cursors_keep_the_filter_and_forget_each_other() -> None:
    drawn = draw("{% keyset_pager before='b' after='a' %}")
    assert "q=a" in drawn
    assert "before=b" in drawn
    assert "after=a" in drawn
    assert "before=b&amp;after=a" not in drawn


def test_a_rate_has_its_n_and_its_interval() -> None:
    drawn = draw("{% rate 38 50 %}")
    for part in ("76%", "38 of 50", "63%–86%"):
        assert part in drawn
    assert "–" in draw("{% rate 0 0 %}")


def test_never_is_a_dash() -> None:
    assert draw("{% when nothing %}", nothing=None) == "–"


def test_the_hue_of_a_tag_is_stable_and_among_eight() -> None:
    assert hue_of("returns") == hue_of("Returns")
    assert {hue_of(f"tag {n}") for n in range(200)} == set(range(8))


def test_entries_without_permission_or_page_are_not_shown() -> None:
    entries = (
        navigation.Entry("Home", "house", "home"),
        navigation.Entry("Nowhere", "x", "no_such_page"),
        navigation.Entry("Admin", "x", "admin:index", "members_manage"),
    )
    shown = navigation.shown(entries, {"members_manage": False}, "/")
    assert [one.entry.label for one in shown] == ["Home"]
    shown = navigation.shown(entries, {"members_manage": True}, "/admin/x")
    assert [(one.entry.label, one.is_current) for one in shown] == [("Home", False), ("Admin", True)]
