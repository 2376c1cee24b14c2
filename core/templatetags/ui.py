"""The console's components as template tags; each component's markup is in templates/components/.

The gallery at /ui/ shows every one of them in every state.
"""

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from django import template
from django.core.paginator import Page
from django.forms import BaseForm, BoundField, CheckboxInput, CheckboxSelectMultiple, RadioSelect, Select, Textarea
from django.forms.utils import flatatt
from django.template import Context
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from lucide.templatetags.lucide import lucide

from core import differences, navigation, numbers
from core.statistics import wilson

register = template.Library()

SIGNS = {
    "pass": "circle-check",
    "fail": "circle-x",
    "unscored": "circle-dashed",
    "info": "info",
    "generated": "wand-sparkles",
}
MESSAGE_KINDS = {"success": "pass", "error": "fail", "warning": "unscored", "info": "info", "debug": "info"}


def attributes(given: dict[str, Any]) -> SafeString:
    """Keyword arguments as HTML attributes: `hx_get` becomes hx-get; True stands alone; None and False are left out."""
    named = {name.rstrip("_").replace("_", "-"): value for name, value in given.items()}
    return flatatt({name: value for name, value in named.items() if value is not None})


# Signs and words


@lru_cache(maxsize=512)
def _svg(name: str, size: int, label: str) -> SafeString:
    named = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    return mark_safe(lucide(name, size=size, **{"class": "icon"}, **named))  # noqa: S308  (drawn by the package)


@register.simple_tag
def icon(name: str, size: int = 16, label: str = "") -> SafeString:
    """A lucide icon as inline SVG; without a label it is decoration."""
    return _svg(name, size, str(label))


@register.simple_tag
def pill(meaning: str, text: str, sign: str | None = None) -> SafeString:
    """A label with one of the five meanings (or `neutral`): its sign and its word, never colour alone."""
    name = SIGNS.get(meaning, "") if sign is None else sign
    drawn = icon(name, 12) if name else ""
    return format_html('<span class="pill pill-{}">{}<span class="pill-text">{}</span></span>', meaning, drawn, text)


def hue_of(text: str) -> int:
    """One of eight hues, the same for the same text in every process and release."""
    return blake2b(text.casefold().encode(), digest_size=2).digest()[1] % 8


@register.simple_tag
def tag(text: str) -> SafeString:
    """A tag as a small label in the hue of its text."""
    return format_html('<span class="pill tag tag-{}"><span class="pill-text">{}</span></span>', hue_of(text), text)


# Acts


@register.inclusion_tag("components/button.html")
def button(label: str, *, kind: str = "", icon: str = "", href: str = "", **rest: Any) -> dict[str, Any]:
    """A button, or a link that looks like one. `kind`: primary, danger, quiet. Further keywords become attributes.

    `size="small"`; `icon_only=True` keeps the label for screen readers; `keys="c"` shows a shortcut.
    """
    classes = ["button"]
    classes += [f"button-{kind}"] if kind else []
    classes += ["button-small"] if rest.pop("size", "") == "small" else []
    icon_only, keys = rest.pop("icon_only", False), rest.pop("keys", "")
    if icon_only:
        classes.append("button-icon")
        rest |= {"aria_label": label, "data_tooltip": rest.get("data_tooltip", label)}
    classes += [extra] if (extra := rest.pop("css", "")) else []
    if not href:
        rest.setdefault("type", "button")
    shown = {"class": " ".join(classes), "href": href or None, **rest}
    return {
        "label": label,
        "icon": icon,
        "icon_only": icon_only,
        "keys": keys,
        "element": "a" if href else "button",
        "attributes": attributes(shown),
    }


@register.inclusion_tag("components/copy_button.html")
def copy_button(text: str = "", *, target: str = "", label: str = "") -> dict[str, Any]:
    """Copies `text`, or what the element `target` (a CSS selector) holds."""
    return {"text": text, "target": target, "label": label}


@register.inclusion_tag("components/menu_item.html", takes_context=True)
def menu_item(context: Context, label: str, *, icon: str = "", href: str = "", **rest: Any) -> dict[str, Any]:
    """One entry of a menu: a link with `href`, else a button; `post="/…"` makes a small form around the button.

    `danger=True`, `checked=True`, `keys="e"`; further keywords become attributes.
    """
    own = {name: rest.pop(name, "") for name in ("danger", "checked", "keys", "post")}
    if not href:
        rest.setdefault("type", "submit" if own["post"] else "button")
    csrf = context.get("csrf_token", "")
    return {
        "label": label,
        "icon": icon,
        "href": href,
        "attributes": attributes({"href": href or None, **rest}),
        "csrf_token": csrf,
        **own,
    }


@register.simple_block_tag(takes_context=True)
def menu(context: Context, content: str, name: str, label: str, **options: Any) -> SafeString:
    """A button that opens a menu of `{% menu_item %}`. `icon`, `text=True` shows the label, `kind`, `css`."""
    return _component("menu", content, id=name, label=label, **options)


# Places


@register.simple_tag
def tab(label: str, href: str, *, current: bool = False, count: int | None = None, **rest: Any) -> SafeString:
    """A tab of the object at hand: a link, so that it has an address."""
    return _component(
        "tab", "", label=label, href=href, current=current, count=count, has_count=count is not None,
        attributes=attributes(rest),
    )  # fmt: skip


@register.simple_tag
def crumb(label: str, href: str = "") -> SafeString:
    """One step of the breadcrumb."""
    inside = format_html('<a href="{}">{}</a>', href, label) if href else label
    return format_html("<li>{}</li>", inside)


@register.simple_tag(takes_context=True)
def rail_entries(context: Context, part: str) -> list[navigation.Shown]:
    """The rail's entries that this member may use; `part` is main or foot."""
    request = context.get("request")
    entries = navigation.MAIN if part == "main" else navigation.FOOT
    return navigation.shown(entries, context.get("can") or {}, request.path if request else "")


# Blocks


def _component(name: str, content: str, **variables: Any) -> SafeString:
    return mark_safe(render_to_string(f"components/{name}.html", {"content": content, **variables}))  # noqa: S308


@register.simple_block_tag
def notice(content: str, meaning: str = "", title: str = "", **options: Any) -> SafeString:
    """A lasting remark in the page. `meaning`: pass, fail, unscored, info, generated, or none; `sign` another icon."""
    sign = options.pop("sign", SIGNS.get(meaning, "info"))
    return _component("notice", content, meaning=meaning, title=title, sign=sign, **options)


@register.simple_block_tag
def dialog(content: str, name: str, title: str, **options: Any) -> SafeString:
    """A native dialog, opened by `data-dialog-open="id"`. `wide=True`; `open=True` opens it with the page."""
    return _component("dialog", content, id=name, title=title, **options)


@register.simple_block_tag
def disclosure(content: str, title: str, **options: Any) -> SafeString:
    """A section that opens and closes. `open=True`, `count=3`, `id`."""
    return _component("disclosure", content, title=title, has_count="count" in options, **options)


@register.simple_block_tag
def folded(content: str) -> SafeString:
    """Long content cut with a fade and "Show all"; short content is left alone."""
    return _component("folded", content)


@register.simple_block_tag
def empty_state(content: str, title: str, sentence: str = "", icon: str = "inbox") -> SafeString:
    """What belongs here, in one sentence, and inside the ways to get it here and an example."""
    return _component("empty_state", content, title=title, sentence=sentence, icon=icon)


@register.simple_tag
def skeleton(lines: int = 3, *, rows: bool = False) -> SafeString:
    """Grey lines while something loads; `rows=True` has the height of table rows."""
    return _component("skeleton", "", lines=range(lines), rows=rows)


@register.simple_tag
def progress(label: str, done: int, total: int) -> SafeString:
    """A bar with its numbers."""
    return _component("progress", "", label=label, done=done, total=total)


# Forms


@register.simple_tag
def field(bound: BoundField, **options: Any) -> SafeString:
    """A form's field with label, help and error. `rows`, `code=True`, `searchable=True`, `markdown=True`, `optional`.

    Further keywords become attributes of the control.
    """
    widget = bound.field.widget
    own = {name: options.pop(name, None) for name in ("code", "searchable", "markdown", "optional", "label", "help")}
    is_group = isinstance(widget, (RadioSelect, CheckboxSelectMultiple))
    is_check = isinstance(widget, CheckboxInput)
    attrs = {name.rstrip("_").replace("_", "-"): value for name, value in options.items() if value is not None}
    attrs |= _control_attributes(bound, own, is_plain=is_group or is_check)
    return _component(
        "field",
        "",
        field=bound,
        label=own["label"] or bound.label,
        help=own["help"] if own["help"] is not None else bound.help_text,
        optional=own["optional"] if own["optional"] is not None else not (bound.field.required or is_check),
        control=bound.as_widget(attrs=attrs),
        is_group=is_group,
        is_check=is_check,
        is_hidden=bound.is_hidden,
        markdown=own["markdown"],
    )


def _control_attributes(bound: BoundField, own: dict[str, Any], *, is_plain: bool) -> dict[str, Any]:
    """Class, and the ids of help and error that a screen reader reads with the control."""
    base = bound.auto_id
    described = [f"{base}_help"] if (own["help"] if own["help"] is not None else bound.help_text) else []
    described += [f"{base}_error"] if bound.errors else []
    found: dict[str, Any] = {"aria-describedby": " ".join(described) or False}
    if bound.errors:
        found["aria-invalid"] = "true"
    if not is_plain:
        found["class"] = _control_class(bound, own)
    if own["searchable"]:
        found["data-searchable"] = True
    if own["markdown"]:
        found["data-editor-text"] = True
    return found


def _control_class(bound: BoundField, own: dict[str, Any]) -> str:
    widget = bound.field.widget
    if isinstance(widget, Textarea):
        return "textarea textarea-code" if own["code"] else "textarea"
    return "select" if isinstance(widget, Select) else "input"


@register.inclusion_tag("components/error_summary.html")
def error_summary(form: BaseForm, *, others: Iterable[BaseForm] = (), focus: bool = True) -> dict[str, Any]:
    """All that is wrong with a form, each line a link to its field; nothing where nothing is wrong. Takes the focus."""
    forms = [form, *others]
    rows = [(bound, error) for one in forms if one.is_bound for bound in one for error in bound.errors]
    general = [error for one in forms if one.is_bound for error in one.non_field_errors()]
    return {"rows": rows, "general": general, "focus": focus}


@register.inclusion_tag("components/unsaved_bar.html")
def unsaved_bar(save_label: str = "") -> dict[str, Any]:
    """The foot bar of a form with `data-unsaved-guard`: shown while it holds an unsaved change."""
    return {"save_label": save_label}


@register.inclusion_tag("components/unsaved_copies.html")
def unsaved_copies(prefix: str, *, version: int | None = None, read: str = "") -> dict[str, Any]:
    """A place that offers the browser copies under `prefix` (DS-86); `version` is the newest (DS-87).

    A copy of a form that had another `data-unsaved-read` than `read` is dropped without being shown (ACC-D37).
    """
    return {"prefix": prefix, "version": version, "read": read}


# Tables


@register.inclusion_tag("components/pager.html", takes_context=True)
def pager(context: Context, page: "Page[Any]", *, label: str = "") -> dict[str, Any]:
    """Numbered pages of a Django paginator; the address keeps its other parameters. `label` where a page has two."""
    numbers_shown = list(page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1))
    return {
        "request": context.get("request"),
        "page": page,
        "numbers": numbers_shown,
        "gap": page.paginator.ELLIPSIS,
        "label": label,
    }


@register.inclusion_tag("components/keyset_pager.html", takes_context=True)
def keyset_pager(
    context: Context, *, before: str = "", after: str = "", shown: str = "", label: str = ""
) -> dict[str, Any]:
    """Previous and next by cursor, for lists that have no page numbers; `shown` is a sentence such as "1–50"."""
    return {"request": context.get("request"), "before": before, "after": after, "shown": shown, "label": label}


@register.inclusion_tag("components/sort_link.html", takes_context=True)
def sort_link(context: Context, name: str, label: str) -> dict[str, Any]:
    """A column's head that sorts by `?sort=name`, and the other way by `?sort=-name`."""
    request = context.get("request")
    now = request.GET.get("sort", "") if request else ""
    direction = {"": "", name: "up", f"-{name}": "down"}.get(now, "")
    return {
        "request": request,
        "label": label,
        "direction": direction,
        "target": f"-{name}" if direction == "up" else name,
    }


# Comparisons and meanings


@register.simple_tag
def difference(old: str | None, new: str | None, *, old_label: str = "", new_label: str = "") -> SafeString:
    """Two texts side by side, changed words marked, unchanged stretches folded."""
    stretches = differences.compare(old or "", new or "")
    return _component("difference", "", stretches=stretches, old_label=old_label, new_label=new_label)


@register.simple_tag
def rate(passed: int, n: int) -> SafeString:
    """A rate with its n and its 95% interval; of nothing, a dash."""
    low, high = wilson(passed, n) if n else (None, None)
    share = numbers.percent(passed / n) if n else numbers.NOTHING
    return _component("rate", "", share=share, passed=passed, n=n, low=numbers.percent(low), high=numbers.percent(high))


@register.filter
def message_meaning(level_tag: str) -> str:
    """The meaning of a Django message's level."""
    return MESSAGE_KINDS.get(level_tag, "info")


@register.filter
def sign_of(meaning: str) -> str:
    """The icon of a meaning."""
    return SIGNS.get(meaning, "info")
