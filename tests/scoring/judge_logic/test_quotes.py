"""Which quotes an answer contains (SC-110, SC-D45)."""

import unicodedata

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring.logic.quotes import QUOTATION_MARKS, Passages, is_empty, normalised, stripped

ANSWER = "You can return it within **30 days**, from delivery.\n\nWe don’t accept  used kettles — “sorry”."


def stands(quote: str, text: str = ANSWER) -> bool:
    return Passages(text).contain(quote)


@pytest.mark.spec("SC-110", "SC-D45")
@pytest.mark.parametrize(
    "quote",
    [
        "We don't accept used kettles",
        '"We don’t accept\nused kettles."',
        "«We don't accept used kettles»…",
        'used kettles — "sorry"',
        "30 days",
        "from delivery!?",
        "«sorry».",
        "You",
        ANSWER,
    ],
)
def test_a_quote_that_the_answer_contains_is_verified(quote: str) -> None:
    assert stands(quote)


@pytest.mark.spec("SC-110", "SC-D45")
@pytest.mark.parametrize(
    "quote",
    [
        "we don't accept used kettles",
        "within 30 days",
        "0 days",
        "kettle",
        "return it … delivery",
        "ou can return it",
        "XX",
        ANSWER + " X",
    ],
)
def test_a_quote_in_other_words_or_cut_inside_a_word_is_not(quote: str) -> None:
    assert not stands(quote)


@pytest.mark.spec("SC-D45")
@pytest.mark.parametrize("quote", ["", "“”", "...", " \n", "‘ ’!", "\u200b", "。！"])
def test_a_quote_of_marks_only_is_empty_and_stands_nowhere(quote: str) -> None:
    assert is_empty(quote)
    assert not stands(quote, f"a {quote} b ... “” 。！ '")


@pytest.mark.spec("SC-D45")
@pytest.mark.parametrize("quote", ["a", "-", "**", "%", "'x'", "( ."])
def test_a_quote_of_anything_else_is_not_empty(quote: str) -> None:
    assert not is_empty(quote)


@pytest.mark.spec("SC-D45")
@pytest.mark.parametrize("mark", list("\"“”„‟«»″〝〞〟＂'‘’‚‛′‹›ʼʹ`´＇"))
def test_every_quotation_mark_is_one_and_the_same(mark: str) -> None:
    assert normalised(mark) == "'"
    assert stands(f"don{mark}t accept")


@pytest.mark.spec("SC-D45")
def test_there_are_no_further_quotation_marks() -> None:
    assert sorted(QUOTATION_MARKS) == sorted(set("\"“”„‟«»″〝〞〟＂'‘’‚‛′‹›ʼʹ`´＇"))
    assert normalised("*a* -b- (c) <d>") == "*a* -b- (c) <d>"


@pytest.mark.spec("SC-D45")
@pytest.mark.parametrize("invisible", ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"])
def test_invisible_characters_are_left_aside(invisible: str) -> None:
    assert normalised(f"ket{invisible}tle") == "kettle"
    assert stands("the kettle", f"{invisible}the ket{invisible}tle")
    assert stands(f"the{invisible} kettle", "the kettle")


@pytest.mark.spec("SC-D45")
@pytest.mark.parametrize("space", ["\u00a0", "\u2009", "\u3000", "\t", "\r\n", " \n ", "\u2028", "\x85"])
def test_whitespace_of_any_kind_is_one_space(space: str) -> None:
    assert normalised(f"{space}a{space}{space}b{space}") == "a b"


@pytest.mark.spec("SC-D45")
def test_a_letter_is_the_same_composed_and_taken_apart() -> None:
    assert stands("cafe\u0301", "the café")
    assert stands("café", "the cafe\u0301")
    assert stands("café", "the cafe\u200d\u0301")


@pytest.mark.spec("SC-D45")
@pytest.mark.parametrize("mark", list(".,;:!?…。，！？；："))
def test_punctuation_at_the_end_is_left_aside_and_at_the_beginning_not(mark: str) -> None:
    assert stripped(f"a{mark}{mark}") == "a"
    assert stripped(f"{mark}a") == f"{mark}a"
    assert stands(f"30 days{mark}")


@pytest.mark.spec("SC-D45")
@pytest.mark.parametrize(
    ("quote", "left"), [("'' ' a '.' !", "a"), ("a - .", "a -"), ("'.a'", ".a"), ("a'b", "a'b"), ("'XaX'", "XaX")]
)
def test_marks_around_a_quote_are_left_aside_until_none_is_left(quote: str, left: str) -> None:
    assert stripped(quote) == left


@pytest.mark.spec("SC-D45")
@pytest.mark.parametrize(
    ("quote", "text", "verified"),
    [
        ("cat", "concatenate", False),
        ("cat", "concatenate the cat", True),
        ("cat", "cat2", False),
        ("cat", "2cat", False),
        ("2", "12", False),
        ("cat", "_cat_", True),
        ("cat", "the ócat", False),
        ("cat-", "cat-like", True),
        ("-like", "cat-like", True),
        ("żółw", "żółwie", False),
        ("a a", "a ab a a", True),
        ("ab a", "ab ab ab", False),
        ("aa", "aaa aa", True),
        ("aa", "aaaa", False),
    ],
)
def test_a_quote_begins_and_ends_at_the_edge_of_a_word_at_some_place(quote: str, text: str, verified: bool) -> None:
    assert stands(quote, text) is verified


@pytest.mark.spec("SC-D45")
@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("退货", "您可以退货吗"),
        ("できます", "返品できますか"),
        ("コーヒー", "コーヒーカップ"),
        ("คืน", "คุณคืนได้"),
        ("ຄືນ", "ທ່ານຄືນໄດ້"),
        ("ပြန်", "သင်ပြန်ပေး"),
        ("ត្រឡប់", "អ្នកត្រឡប់មក"),
        ("30", "于30天内"),
        ("iPhone", "我的iPhone手机"),
    ],
)
def test_scripts_without_spaces_have_no_edges(quote: str, text: str) -> None:
    assert stands(quote, text)


@pytest.mark.spec("SC-D45")
def test_a_word_beside_another_script_without_spaces_still_has_its_own_edges() -> None:
    assert not stands("Phone", "我的iPhone手机")
    assert not stands("반품", "반품가능")


@pytest.mark.spec("SC-D45")
def test_control_characters_of_a_quote_cannot_pass_for_edges() -> None:
    assert not stands("con\x1fcat", "concat")
    assert not stands("\x1fcat", "concat")
    assert not stands("cat", "con\x00cat"[:5] + "xcat")


# --- Passages that were really copied

LETTERS = st.sampled_from([*"abcżÉ0159.,;:!?…'’“”«»`*_-—()%退คก", "e\u0301", "\u200b"])
WORDS = st.lists(LETTERS, min_size=1, max_size=8).map("".join)
SPACES = st.text(st.sampled_from(" \n\t\r\u00a0\u2003"), min_size=1, max_size=3)
MARKS = st.sampled_from(QUOTATION_MARKS)


@st.composite
def copied(draw: st.DrawFn) -> tuple[str, str]:
    """An answer, and a passage of it between two spaces, written with other spaces and quotation marks."""
    said = draw(st.lists(WORDS, min_size=1, max_size=12))
    start = draw(st.integers(0, len(said) - 1))
    end = draw(st.integers(start + 1, len(said)))
    answer = "".join(word + draw(SPACES) for word in said)
    passage = "".join(word + draw(SPACES) for word in said[start:end])
    rewritten = "".join(draw(MARKS) if letter in QUOTATION_MARKS else letter for letter in passage)
    around = draw(st.sampled_from([("", ""), ("“", "”"), ("«", "»."), ("'", "…"), ("", "!?")]))
    return answer, around[0] + rewritten + around[1]


@pytest.mark.spec("SC-110", "SC-D45")
@settings(deadline=None)
@given(copied())
def test_a_passage_that_was_copied_is_verified_however_it_is_written(pair: tuple[str, str]) -> None:
    answer, quote = pair
    assume(not is_empty(quote))
    assert stands(quote, answer)


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=20))
def test_what_is_verified_stands_there_in_these_letters(text: str, quote: str) -> None:
    """The edges forbid some places and allow none where the letters differ."""
    if stands(quote, text):
        assert stripped(normalised(quote)) in normalised(text)


@settings(deadline=None)
@given(st.text(max_size=40))
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)
    assert unicodedata.is_normalized("NFC", normalised(text).replace("'", ""))
