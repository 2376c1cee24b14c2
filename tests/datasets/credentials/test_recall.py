"""Every documented kind is hidden wherever it stands, and nothing ordinary is (DS-179, DS-D62)."""

from collections import Counter

import pytest

from datasets.logic.credentials import MARKER, hide, hide_in, marker
from datasets.logic.credentials.kinds import KINDS
from datasets.logic.credentials.names import NAMED
from tests.datasets.credentials.ordinary import ORDINARY
from tests.datasets.credentials.report import HOLDS_SLASHES, trials
from tests.datasets.credentials.samples import Dice, samples
from tests.datasets.credentials.surroundings import BREAKS, PLACES, placed

SHAPED = [sample for sample in samples(Dice(7)) if sample.around == "{}"]
BESIDE = [sample for sample in samples(Dice(8)) if sample.around != "{}"]


@pytest.mark.spec("DS-179", "DS-D62")
@pytest.mark.parametrize("place", PLACES)
def test_each_kind_is_hidden_and_all_around_it_stays_to_the_byte(place: str) -> None:
    for sample in SHAPED:
        if place == "in a path" and sample.kind in HOLDS_SLASHES:
            continue
        assert hide(placed(sample, PLACES[place])).text == placed(sample, PLACES[place], marker(sample.kind))


@pytest.mark.spec("DS-D62")
def test_what_only_its_name_makes_a_credential_is_hidden_beside_the_name() -> None:
    for sample in BESIDE:
        hidden = hide(sample.text)
        assert hidden.text == sample.around.replace("{}", marker(sample.kind)), sample
        assert hidden.counts == {sample.kind: 1}, sample


@pytest.mark.spec("DS-D62")
@pytest.mark.parametrize("how", BREAKS)
def test_a_soft_break_in_a_token_leaves_no_half_of_it(how: str) -> None:
    """But for the end of one without a fixed length, when that end could as well be a word of the next line."""
    outcomes = Counter(
        hide(text).text == wanted
        for place, sample, text, wanted in trials(of_each=3, seed=11)
        if place == f"broken by {how}" and sample.breakable
    )
    assert outcomes[True] / outcomes.total() > 0.98


@pytest.mark.spec("DS-D62")
@pytest.mark.parametrize("how", BREAKS)
def test_a_broken_github_token_goes_whole(how: str) -> None:
    token = "gh" + "p_" + "Ab3" * 12
    for at in range(6, len(token)):
        assert hide(f"see {token[:at]}{BREAKS[how]}{token[at:]} here").text == "see [redacted:github_token] here"


def test_an_ordinary_text_stays_as_it_is() -> None:
    assert [(text[:40], hide(text).counts) for text in ORDINARY if hide(text).text != text] == []


def test_ordinary_texts_stay_as_fields_and_as_lines_of_one_text() -> None:
    assert hide_in(list(ORDINARY)).value == list(ORDINARY)
    assert hide("\n\n".join(ORDINARY)).counts == {}


def test_every_kind_of_the_tables_has_a_name_for_the_marker_and_says_where_it_is_documented() -> None:
    assert all(kind.documented and kind.name.replace("_", "").isalnum() and kind.name.islower() for kind in KINDS)
    assert all(kind.name.replace("_", "").isalnum() for kind in NAMED)


def test_every_kind_of_the_tables_is_among_the_samples() -> None:
    made = {sample.kind for sample in SHAPED + BESIDE}
    assert {kind.name for kind in KINDS} | {kind.name for kind in NAMED} <= made
    assert {"jwt", "bearer_token", "basic_auth", "private_key", "url_password", "secret"} <= made


PREFIXES = (
    *(("gh" + "p_", 36), ("gh" + "o_", 36), ("sk-proj-", 48), ("sk-ant-", 40), ("sk-", 48), ("glpat-", 20)),
    *(("hf_", 34), ("npm_", 36), ("AIza", 35), ("cbk_", 43), ("xoxb-", 40), ("gsk_", 52), ("sk_live_", 24)),
)


@pytest.mark.parametrize("filling", ["a", "A", "x", "0", "Z9", "Ab1", "0123456789abcdef"])
def test_a_token_with_a_dull_body_is_still_a_token(filling: str) -> None:
    for prefix, size in PREFIXES:
        token = prefix + (filling * size)[:size]
        for around in ("{}", "see {} there", '{"k": "{}"}', "a\\n{}\\nb", "t%3D{}%26", "**{}**"):
            cleaned = MARKER.sub("{}", hide(around.replace("{}", token)).text)
            assert cleaned == around, prefix
