"""What hiding promises: the whole key, nothing but the key, once, at any depth (DS-179 to DS-184, DS-D62, DS-D63)."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.logic.credentials import MARKER, hide, hide_in, marker
from tests.datasets.credentials.samples import BASE64, Dice, samples, some

BEGIN = "-----BEGIN PRIVATE" + " KEY-----"
END = "-----END PRIVATE" + " KEY-----"
CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"
BODY = "\n".join(some(Dice(n), BASE64, 64) for n in range(4))
TOKEN = "gh" + "p_" + "Ab3" * 12

CREDENTIALS = [sample.text for sample in samples(Dice(3))]

pieces = st.one_of(
    st.text(max_size=30),
    st.sampled_from(CREDENTIALS),
    st.sampled_from(
        ["\n", "\\n", " ", "_", "**", "`", '"', ": ", "=", "password", "token: ", "Bearer ", "://a:", "@h", "%3D"]
    ),
    st.sampled_from(
        ["[redacted:", "[redacted:secret]", "[redacted:jwt]", BEGIN, END, "eyJ", "sk-", "gh" + "p_", "\u0130"]
    ),
)
texts = st.lists(pieces, max_size=12).map("".join)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), texts),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(
            st.one_of(st.text(max_size=8), st.sampled_from(["password", "apiKey", "note"])), inner, max_size=4
        ),
    ),
    max_leaves=12,
)


@pytest.mark.spec("DS-D63")
@given(texts)
@settings(max_examples=150, deadline=None)
def test_hiding_twice_changes_nothing(text: str) -> None:
    once = hide(text)
    again = hide(once.text)
    assert again.text == once.text
    assert again.total == 0


@pytest.mark.spec("DS-179")
@given(texts)
@settings(max_examples=150, deadline=None)
def test_what_stands_between_markers_is_a_piece_of_the_text_in_its_order(text: str) -> None:
    position = 0
    for piece in MARKER.split(hide(text).text):
        at = text.find(piece, position)
        assert at >= 0
        position = at + len(piece)


@pytest.mark.spec("DS-183")
@given(texts)
@settings(max_examples=100, deadline=None)
def test_a_text_that_changed_has_a_count_and_one_that_did_not_has_none(text: str) -> None:
    hidden = hide(text)
    assert (hidden.total > 0) == (hidden.text != text)
    assert all(count > 0 for count in hidden.counts.values())


def _shape(value: object) -> object:
    if isinstance(value, dict):
        return {key: _shape(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_shape(inner) for inner in value)
    return "text" if isinstance(value, str) else value


@pytest.mark.spec("DS-D63")
@given(values)
@settings(max_examples=100, deadline=None)
def test_a_nested_value_keeps_its_shape_and_twice_changes_nothing(value: object) -> None:
    hidden = hide_in(value)
    assert _shape(hidden.value) == _shape(value)
    again = hide_in(hidden.value)
    assert again.value == hidden.value
    assert again.total == 0


@given(st.lists(texts, max_size=8))
@settings(max_examples=100, deadline=None)
def test_texts_scanned_together_give_what_each_gives_alone(several: list[str]) -> None:
    assert hide_in(several).value == [hide(text).text for text in several]


@pytest.mark.spec("DS-D62")
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\\n", "\\r\\n", "\\\\n"])
def test_a_private_key_goes_whole_and_certificate_and_prose_stay(newline: str) -> None:
    key, rest = f"{BEGIN}\n{BODY}\n{END}", f"\n{CERTIFICATE}\n\nThis is the chain."
    written = "Here it is:\n".replace("\n", newline), key.replace("\n", newline), rest.replace("\n", newline)
    hidden = hide("".join(written))
    assert hidden.text == written[0] + "[redacted:private_key]" + written[2]
    assert hidden.counts == {"private_key": 1}


@pytest.mark.spec("DS-D62")
def test_a_private_key_without_end_goes_to_the_end_of_the_field() -> None:
    assert hide(f"Key:\n{BEGIN}\n{BODY}\nand more").text == "Key:\n[redacted:private_key]"


def test_a_private_key_without_end_stops_before_the_next_block() -> None:
    assert hide(f"{BEGIN}\n{BODY}\n{CERTIFICATE}").text == f"[redacted:private_key]\n{CERTIFICATE}"


def test_a_private_key_swallows_what_looks_like_a_token_in_it() -> None:
    assert hide(f"{BEGIN}\n{BODY}\n{TOKEN}\n{END}").counts == {"private_key": 1}


def test_a_fence_that_is_only_spoken_of_stays() -> None:
    text = f"The file starts with {BEGIN} and ends with {END} by convention; what is {BEGIN} for?"
    assert hide(text).text == text


@pytest.mark.parametrize("label", ["RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", "PGP "])
def test_every_label_of_a_private_key_counts(label: str) -> None:
    block = " BLOCK" if label == "PGP " else ""
    fences = [f"-----{side} {label}PRIVATE" + f" KEY{block}-----" for side in ("BEGIN", "END")]
    assert hide(f"a\n{fences[0]}\n{BODY}\n{fences[1]}\nb").text == "a\n[redacted:private_key]\nb"


def test_keys_of_putty_and_ssh2_go_whole() -> None:
    putty = f"PuTTY-User-Key-File-{2}: ssh-rsa\nPrivate-Lines: 4\n{BODY}\nPrivate-MAC: {'0a' * 20}"
    assert hide(f"{putty}\nThanks").text == "[redacted:private_key]\nThanks"
    ssh2 = "---- BEGIN SSH2 ENCRYPTED PRIVATE" + f" KEY ----\n{BODY}\n---- END SSH2 ENCRYPTED PRIVATE" + " KEY ----"
    assert hide(f"{ssh2}\nThanks").text == "[redacted:private_key]\nThanks"


@pytest.mark.spec("DS-181", "DS-D63")
def test_strings_at_any_depth_are_hidden_and_keys_are_not() -> None:
    value = {"turns": [{"content": f"use {TOKEN}"}], "args": ({"a": {"b": {"c": [TOKEN, 7, None]}}},), TOKEN: "key"}
    hidden = hide_in(value)
    assert hidden.value == {
        "turns": [{"content": "use [redacted:github_token]"}],
        "args": ({"a": {"b": {"c": ["[redacted:github_token]", 7, None]}}},),
        TOKEN: "key",
    }
    assert hidden.counts == {"github_token": 2}
    assert hidden.total == 2


@pytest.mark.spec("DS-181")
def test_arguments_that_are_json_in_a_string_stay_json() -> None:
    arguments = json.dumps({"token": TOKEN, "password": "hunter2", "body": json.dumps({"key": TOKEN})})
    assert json.loads(hide(arguments).text) == {
        "token": "[redacted:github_token]",
        "password": "[redacted:secret]",
        "body": json.dumps({"key": "[redacted:github_token]"}),
    }


@pytest.mark.spec("DS-D63")
def test_a_key_says_what_its_value_is() -> None:
    value = {"user": "jo", "password": "swordfish", "api_key": "a1" * 16, "AWS_SECRET_ACCESS_KEY": "aB3/" * 10}
    assert hide_in({"args": value}).value["args"] == {
        "user": "jo",
        "password": "[redacted:secret]",
        "api_key": "[redacted:secret]",
        "AWS_SECRET_ACCESS_KEY": "[redacted:aws_secret_key]",
    }


def test_a_key_that_promises_a_credential_leaves_words_templates_and_schemas() -> None:
    value = {
        "password": "required",
        "token": {"type": "string", "description": "The token of the session"},
        "next_page_token": "abc123def456ghi789",
        "apiKey": "<your-key>",
        "secret": "${SECRET}",
        "db_password": "",
        "token_type": "bearer",
        "maxTokens": "4096",
    }
    assert hide_in(value).value == value


def test_a_value_that_is_no_container_of_text_comes_back() -> None:
    assert hide_in(7).value == 7
    assert hide_in(None).value is None
    assert hide_in([]).value == []
    assert hide_in("") == hide_in("")


@pytest.mark.spec("DS-184")
def test_the_result_says_how_many_of_which_kind_and_never_the_values() -> None:
    hidden = hide(f"{TOKEN} and {TOKEN} and https://jo:s3cr3tpw@example.com")
    assert hidden.counts == {"github_token": 2, "url_password": 1}
    assert hidden.total == 3
    assert TOKEN not in repr(hidden)
    assert "s3cr3tpw" not in repr(hidden)


def test_the_exported_pattern_finds_every_marker() -> None:
    assert MARKER.findall(hide(f"{TOKEN}, password=hunter2x").text) == [marker("github_token"), marker("secret")]


def test_only_the_password_of_an_address_goes() -> None:
    assert hide("https://user:password@host/p?q=1#f").text == "https://user:[redacted:url_password]@host/p?q=1#f"
    assert hide("postgres://app:p@ss/word@db:5432/x").text == "postgres://app:[redacted:url_password]@db:5432/x"


def test_a_known_token_in_a_header_an_address_or_an_assignment_keeps_its_kind() -> None:
    assert hide(f"Authorization: Bearer {TOKEN}").counts == {"github_token": 1}
    assert hide(f"https://x-access-token:{TOKEN}@github.com/a/b").counts == {"github_token": 1}
    assert hide(f'password = "{TOKEN}"').counts == {"github_token": 1}


def test_several_in_one_line_are_all_hidden() -> None:
    text = f"{TOKEN} {TOKEN},{TOKEN}\n{TOKEN}|user:x|{TOKEN}"
    assert hide(text).text == text.replace(TOKEN, "[redacted:github_token]")
