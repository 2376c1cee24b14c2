"""Stored answers over the API: as JSON and as a file, once for a key, listed, read and deleted."""

import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from core import jobs
from datasets.models import Dataset
from scoring.models import AnswerSet
from tests.activity.rows import make_agent
from tests.api.clients import ApiClient, client_of
from tests.cast import Cast
from tests.scoring.stored import CASES, make_dataset, make_set, put_outcomes

WARRANTY, MALTA, WEIGHT = CASES


@pytest.fixture
def api(cast: Cast) -> ApiClient:
    return client_of(cast.builder)


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    return make_dataset(cast.actor("builder"))[0]


def path_of(dataset: Dataset, answer_set: UUID | str = "") -> str:
    return f"/datasets/{dataset.pk}/answer-sets" + (f"/{answer_set}" if answer_set else "")


def upload(api: ApiClient, dataset: Dataset, data: bytes, name: str = "old bot.csv", **fields: str) -> Any:
    body = encode_multipart(BOUNDARY, {**fields, "file": SimpleUploadedFile(name, data)})
    return api.send("POST", path_of(dataset), raw=body, **{"content-type": MULTIPART_CONTENT})


@pytest.mark.spec("PL-40", "PL-42")
def test_answers_in_a_body_are_accepted_and_graded_later(
    api: ApiClient, cast: Cast, dataset: Dataset, django_capture_on_commit_callbacks: Any, monkeypatch: Any
) -> None:
    queued: list[dict[str, Any]] = []
    monkeypatch.setattr(jobs, "_put", lambda _name, ids, _request_id: queued.append(ids))
    agent = make_agent(cast)
    call = {"type": "function", "function": {"name": "look_up", "arguments": '{"id": 1}'}}
    answers = [
        {"input": WARRANTY, "answer": "2 years", "tool_calls": [call], "cost_usd": 0.01, "latency_ms": 900},
        {"input": MALTA, "answer": "No."},
    ]
    body = {"label": "Old bot", "agent": str(agent.pk), "version": 3, "answers": answers}
    with django_capture_on_commit_callbacks(execute=True):
        response = api.post(path_of(dataset), body)
    assert response.status_code == 202, response.content
    made = response.json()
    assert response["Location"].endswith(path_of(dataset, made["id"]))
    assert made["agent"] == {"id": str(agent.pk), "name": "Support"}
    assert (made["answers"], made["unanswered"], made["version"]) == (2, 1, 3)
    assert made["counts"]["waiting"] == 2
    assert made["pass_rate"] is None
    assert [ids["answer_set_id"] for ids in queued] == [made["id"]]


def test_a_file_takes_its_name_as_label_unless_one_is_given(api: ApiClient, dataset: Dataset) -> None:
    data = f"input,answer\n{MALTA},Yes\n".encode()
    first, second = upload(api, dataset, data), upload(api, dataset, data, label="Run 7", version="3")
    assert (first.status_code, second.status_code) == (202, 202), first.content + second.content
    assert (first.json()["label"], second.json()["label"]) == ("old bot", "Run 7")


@pytest.mark.spec("PL-42")
def test_a_key_makes_one_set_even_where_the_dataset_changed_since(api: ApiClient, dataset: Dataset) -> None:
    body = {"label": "Old bot", "answers": [{"input": MALTA, "answer": "Yes"}]}
    first = api.post(path_of(dataset), body, Idempotency_Key="k")
    api.post(f"/datasets/{dataset.pk}/cases", {"input": MALTA, "reference_answer": "Yes, we do."})
    again = api.post(path_of(dataset), body, Idempotency_Key="k")
    assert (first.status_code, again.status_code) == (202, 202)
    assert again.content == first.content
    assert AnswerSet.objects.count() == 1
    assert api.post(path_of(dataset), body).status_code == 422


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"label", "answers"}),
        ({"label": "a", "answers": {}}, {"answers"}),
        ({"label": "a", "answers": []}, {"answers"}),
        ({"label": "a", "answers": [{}], "extra": 1}, {"extra"}),
        ({"label": 5, "answers": [{}], "version": "3"}, {"label", "version"}),
        (
            {"label": "a", "answers": [5, {"answer": "b", "anser": 1}]},
            {"answers.0", "answers.1.anser", "answers.1.case_id"},
        ),
        ({"label": "a", "answers": [{"case_id": str(uuid4()), "answer": "b"}]}, {"answers.0.case_id"}),
        ({"label": "a", "answers": [{"input": MALTA, "answer": "b"}], "version": 9}, {"version"}),
        ({"label": "a", "answers": [{"input": MALTA, "answer": "b"}], "agent": str(uuid4())}, {"agent"}),
        ([], {""}),
    ],
)
def test_a_refused_body_names_each_place(api: ApiClient, dataset: Dataset, body: Any, fields: set[str]) -> None:
    response = api.post(path_of(dataset), body)
    assert response.status_code == 422
    assert {problem["field"] for problem in response.json()["errors"]} == fields
    assert not AnswerSet.objects.exists()


@pytest.mark.spec("PL-41", "BC-8")
def test_a_refused_file_names_each_row(api: ApiClient, dataset: Dataset) -> None:
    data = f"input,answer,cost_usd\n{MALTA},Yes,free\nWho?,Me,\n".encode()
    response = upload(api, dataset, data)
    assert response.status_code == 422
    assert [(problem["row"], problem["field"]) for problem in response.json()["errors"]] == [
        (2, "cost_usd"),
        (3, "input"),
    ]
    assert upload(api, dataset, b"", name="a.exe").status_code == 422
    assert upload(api, dataset, data, other="x").status_code == 422
    body = encode_multipart(BOUNDARY, {"label": "a"})
    no_file = api.send("POST", path_of(dataset), raw=body, **{"content-type": MULTIPART_CONTENT})
    assert no_file.json()["errors"][0]["field"] == "file"


@pytest.mark.spec("BC-10")
def test_json_that_breaks_parsers_is_refused(api: ApiClient, dataset: Dataset) -> None:
    for raw in (b'{"label":"a","answers":[{"answer":NaN}]}', b"[" * 5000, b'{"label":"a","label":"b","answers":[]}'):
        assert api.send("POST", path_of(dataset), raw=raw).status_code in (400, 422)


@pytest.mark.spec("SC-14")
def test_the_pass_rate_is_of_what_passed_or_failed_and_null_where_nothing_did(api: ApiClient, cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    made = make_set(actor, dataset, dict.fromkeys(ids.values(), "a"))
    put_outcomes(made, dict.fromkeys(ids.values(), "unscored"))
    assert api.get(path_of(dataset, made.pk)).json()["pass_rate"] is None
    put_outcomes(made, {ids[MALTA]: "pass", ids[WEIGHT]: "fail"})
    assert api.get(path_of(dataset, made.pk)).json()["pass_rate"] == 0.5


@pytest.mark.spec("PL-42", "BC-28")
def test_sets_are_listed_newest_first_and_read_with_their_counts(api: ApiClient, cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    sets = [
        make_set(actor, dataset, {ids[MALTA]: "a", ids[WEIGHT]: "b"}, label=label) for label in ("one", "two", "three")
    ]
    put_outcomes(sets[0], {ids[MALTA]: "pass", ids[WEIGHT]: "unscored"}, why={"text": "The judge is off", "values": {}})
    page = api.get(path_of(dataset) + "?page_size=2").json()
    assert [row["label"] for row in page["results"]] == ["three", "two"]
    rest = api.get(page["next"].partition("/api/v1")[2]).json()
    assert [(row["label"], row["pass_rate"]) for row in rest["results"]] == [("one", 1.0)]
    one = api.get(path_of(dataset, sets[0].pk))
    assert one.json()["causes"] == [{"reason": "The judge is off", "count": 1}]
    assert api.get(path_of(dataset, sets[0].pk), If_None_Match=one["ETag"]).status_code == 304
    assert api.get(path_of(dataset) + "?label=x").status_code == 422


@pytest.mark.spec("SC-168", "ACC-33")
def test_a_reader_of_the_dataset_alone_gets_counts_without_reasons_and_agent(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    agent = make_agent(cast, visibility="private")
    made = make_set(actor, dataset, {ids[MALTA]: "a"}, agent_id=agent.pk)
    put_outcomes(made, {ids[MALTA]: "unscored"}, why={"text": "The judge is off", "values": {}})
    read = client_of(cast.viewer).get(path_of(dataset, made.pk)).json()
    assert read["counts"]["unscored"] == 1
    assert (read["causes"], read["agent"]) == ([], None)


def test_a_set_is_deleted_with_its_scores(api: ApiClient, cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    made = make_set(actor, dataset, {ids[MALTA]: "a"})
    assert client_of(cast.operator).delete(path_of(dataset, made.pk)).status_code == 403
    assert api.delete(path_of(dataset, made.pk)).status_code == 204
    assert api.get(path_of(dataset, made.pk)).status_code == 404
    assert api.delete(path_of(dataset, made.pk)).status_code == 404


@pytest.mark.spec("PL-42")
def test_a_list_takes_few_queries(api: ApiClient, cast: Cast, django_assert_max_num_queries: Any) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    for number in range(5):
        make_set(actor, dataset, {ids[MALTA]: "a"}, label=str(number), agent_id=make_agent(cast, str(number)).pk)
    with django_assert_max_num_queries(16):
        assert len(api.get(path_of(dataset)).json()["results"]) == 5


def test_a_set_of_another_dataset_is_not_there(api: ApiClient, cast: Cast, dataset: Dataset) -> None:
    other, ids = make_dataset(cast.actor("builder"))
    made = make_set(cast.actor("builder"), other, {ids[MALTA]: "a"})
    missing = api.get(path_of(dataset, uuid4()))
    assert json.loads(missing.content) == json.loads(api.get(path_of(dataset, made.pk)).content)
    assert missing.status_code == 404
