"""The dashboard and its cards: what each member sees of what waits, what ran and what changed (RV-66 to RV-70)."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from datasets.models import Dataset
from datasets.operations.datasets import create_dataset
from evals.models import EvalState
from review.models import Leaving, Stay
from review.operations.sending import send_to_review
from scoring.models import Score
from tests.cast import Cast
from tests.evals.runs import EvalScene

SignIn = Callable[[str], Client]


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast)


def wait(scene: EvalScene, *outcomes: str, dataset: Dataset | None = None) -> list[Score]:
    """Scores of one case each, that were sent to review."""
    home = dataset or scene.dataset
    scores = [scene.score(scene.revisions[place].case_id, outcome) for place, outcome in enumerate(outcomes)]
    Score.objects.filter(pk__in=[one.pk for one in scores]).update(dataset=home)
    send_to_review(scene.actor("owner"), dataset_id=home.pk, score_ids=[one.pk for one in scores])
    return scores


def page_of(client: Client) -> str:
    response = client.get("/dashboard/")
    assert response.status_code == 200
    return unescape(response.content.decode())


def runs_of(client: Client) -> str:
    """The card of test runs, which the page loads once it is on the screen."""
    return unescape(client.get("/dashboard/?card=evals", headers={"HX-Request": "true"}).content.decode()).strip()


def card(page: str, name: str) -> str:
    """What stands from the card's title to the next card's."""
    _before, found, rest = page.partition(f'id="card-{name}-title"')
    return rest.split('<section class="card dashboard-card')[0].split("</main>")[0] if found else ""


def figures(part: str) -> list[tuple[str, str]]:
    return re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", part)


@pytest.mark.spec("RV-69")
def test_signing_in_leads_to_the_dashboard(sign_in: SignIn) -> None:
    assert sign_in("viewer").get("/")["Location"] == "/dashboard/"


@pytest.mark.spec("RV-66", "RV-67", "RV-68", "RV-70")
def test_the_card_counts_what_waits_and_leads_to_it(scene: EvalScene, sign_in: SignIn) -> None:
    wait(scene, "fail", "unscored", "pass")
    other = create_dataset(scene.actor("owner"), name="Kettles")
    wait(scene, "fail", dataset=other)
    part = card(page_of(sign_in("operator")), "review")
    assert figures(part) == [("Did not pass", "2"), ("Not scored", "1"), ("Passed", "1")]
    links = re.findall(r'href="([^"]+)">([^<]+)</a>', part)
    address = "/datasets/{}/?tab=results&view=review&sort=waiting_first"
    assert links == [
        (address.format(scene.dataset.pk), "See all"),
        (address.format(scene.dataset.pk), "Returns"),
        (address.format(other.pk), "Kettles"),
    ]
    assert "3 waiting" in part
    assert "1 waiting" in part


@pytest.mark.spec("RV-66", "ACC-D10")
def test_queues_of_datasets_that_a_member_cannot_see_are_in_no_figure(scene: EvalScene, sign_in: SignIn) -> None:
    wait(scene, "fail")
    hidden = create_dataset(scene.actor("owner"), name="Salaries", visibility="private")
    wait(scene, "fail", "fail", dataset=hidden)
    for who, count in (("member", "1"), ("viewer", "1"), ("owner", "3")):
        page = page_of(sign_in(who))
        assert figures(card(page, "review"))[0] == ("Did not pass", count), who
        assert ("Salaries" in page) == (who == "owner")
    stranger = page_of(sign_in("stranger"))
    assert "Nothing is waiting for review" in stranger
    assert "Returns" not in stranger


@pytest.mark.spec("RV-D41")
def test_an_empty_queue_is_said_without_see_all(scene: EvalScene, sign_in: SignIn) -> None:
    for score in wait(scene, "fail"):
        Stay.objects.filter(score=score).update(left_at=timezone.now(), leaving=Leaving.DECIDED)
    part = card(page_of(sign_in("owner")), "review")
    assert "Nothing is waiting for review" in part
    assert "See all" not in part


@pytest.mark.spec("RV-D40")
def test_of_equals_see_all_opens_the_one_where_a_score_waits_longest(scene: EvalScene, sign_in: SignIn) -> None:
    wait(scene, "fail")
    other = create_dataset(scene.actor("owner"), name="Kettles")
    wait(scene, "fail", dataset=other)
    for dataset in (other, scene.dataset):
        Stay.objects.filter(dataset=dataset).update(entered_at=timezone.now() - timedelta(days=1))
        assert f'href="/datasets/{dataset.pk}/' in card(page_of(sign_in("owner")), "review").split("See all")[0]
        Stay.objects.update(entered_at=timezone.now())


@pytest.mark.spec("RV-D42")
def test_five_datasets_are_listed_and_the_rest_counted(scene: EvalScene, sign_in: SignIn) -> None:
    for number in range(7):
        wait(scene, "fail", dataset=create_dataset(scene.actor("owner"), name=f"Set {number}"))
    part = card(page_of(sign_in("owner")), "review")
    assert part.count("<li>") == 5
    assert "and 2 more" in part


def test_runs_are_listed_with_what_regressed_for_who_reads_runs(scene: EvalScene, sign_in: SignIn) -> None:
    before = scene.run("pass", "pass", "pass", label="before")
    scene.run("fail", "pass", "pass", label="after", baseline=before)
    scene.run("pass", label="put away", archived_at=timezone.now())
    assert 'hx-get="/dashboard/?card=evals" hx-trigger="load"' in page_of(sign_in("operator"))
    part = runs_of(sign_in("operator"))
    assert part.index("after") < part.index("before")
    assert "1 regressed" in part
    assert "67%" in part
    assert "put away" not in part
    assert "hx-get" not in part
    for who in ("member", "viewer"):
        assert card(page_of(sign_in(who)), "evals") == ""
        assert runs_of(sign_in(who)) == ""
    assert "No test run yet" in runs_of(sign_in("stranger"))


def test_a_run_at_work_asks_for_its_card_again(scene: EvalScene, sign_in: SignIn) -> None:
    scene.run("pass", state=EvalState.RUNNING)
    part = runs_of(sign_in("owner"))
    assert 'hx-get="/dashboard/?card=evals" hx-trigger="every 5s"' in part
    assert part.startswith('<section class="card dashboard-card dashboard-wide" id="card-evals"')
    assert part.count("<section") == 1


def test_datasets_are_listed_by_their_last_change(cast: Cast, sign_in: SignIn) -> None:
    for name in ("First", "Second", "Third"):
        create_dataset(cast.actor("owner"), name=name)
    Dataset.objects.filter(name="First").update(changed_at=timezone.now() + timedelta(minutes=1))
    names = re.findall(r"<li><a[^>]*>([^<]+)</a>", card(page_of(sign_in("viewer")), "datasets"))
    assert names == ["First", "Third", "Second"]


def test_who_has_nothing_is_told_what_belongs_here(sign_in: SignIn) -> None:
    owner = card(page_of(sign_in("owner")), "datasets")
    assert "/datasets/new/" in owner
    assert "Take the tour" in owner
    viewer = card(page_of(sign_in("viewer")), "datasets")
    assert "/datasets/new/" not in viewer
    assert "Nobody has shared one with you yet." in viewer


def test_the_page_takes_as_many_queries_whatever_there_is(scene: EvalScene, sign_in: SignIn) -> None:
    wait(scene, "fail")
    client = sign_in("owner")
    counts = [queries(client)]
    before = scene.run("pass", "pass")
    for number in range(6):
        scene.run("fail", "pass", baseline=before)
        wait(scene, "fail", "pass", dataset=create_dataset(scene.actor("owner"), name=f"Set {number}"))
    counts.append(queries(client))
    for _more in range(3):
        scene.run("fail", "pass", baseline=before)
    counts.append(queries(client))
    assert counts[1] == counts[2]
    assert max(counts) <= 20


def queries(client: Any) -> int:
    with CaptureQueriesContext(connection) as captured:
        client.get("/dashboard/")
        runs_of(client)
    return len(captured)
