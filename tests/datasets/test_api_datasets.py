"""Datasets, versions and cases through the API: statuses and shapes (DS-D1 to DS-D8, DS-D11 to DS-D15)."""

from typing import Any

import pytest

from datasets.models import Dataset
from tests.api.clients import ApiClient, client_of
from tests.cast import Cast

CASE = {"input": "q", "reference_answer": "a"}
NINE = {
    "input": "q",
    "history": [],
    "reference_answer": "a",
    "counter_example": None,
    "expected_tool_calls": [],
    "order_mode": "any",
    "checks": [],
    "tags": [],
    "note": None,
}


@pytest.fixture
def builder(cast: Cast) -> ApiClient:
    return client_of(cast.builder)


@pytest.fixture
def path(dataset: Dataset) -> str:
    return f"/datasets/{dataset.pk}"


def fields(response: Any) -> list[str]:
    assert response.status_code == 422, response.content
    return [error["field"] for error in response.json()["errors"]]


@pytest.mark.spec("DS-D1", "DS-D7")
def test_a_dataset_is_created_read_changed_and_deleted(builder: ApiClient) -> None:
    made = builder.post("/datasets", {"name": " Returns ", "visibility": "private"})
    assert made.status_code == 201
    shown = made.json()
    assert (shown["name"], shown["visibility"], shown["version"], shown["case_count"]) == (
        "Returns",
        "private",
        None,
        0,
    )
    assert made["Location"] == f"/api/v1/datasets/{shown['id']}"
    path = f"/datasets/{shown['id']}"
    assert builder.get(path).json() == shown
    changed = builder.patch(path, {"description": "d"}, if_match=made["ETag"])
    assert (changed.status_code, changed.json()["description"]) == (200, "d")
    assert builder.patch(path, {"description": "e"}, if_match=made["ETag"]).status_code == 412
    assert builder.delete(path).status_code == 204
    assert builder.get(path).status_code == 404


@pytest.mark.spec("DS-D2", "DS-D10")
def test_wrong_details_are_named(builder: ApiClient, path: str) -> None:
    assert fields(builder.post("/datasets", {"name": " ", "colour": "red"})) == ["colour", "name"]
    assert fields(builder.post("/datasets", {"name": 5})) == ["name"]
    assert fields(builder.post("/datasets", {"name": "x" * 121, "description": "x" * 2001})) == ["name", "description"]
    assert fields(builder.patch(path, {"visibility": "public"})) == ["visibility"]


@pytest.mark.spec("DS-D1", "ACC-19", "ACC-D10")
def test_the_list_holds_what_the_caller_can_see_newest_first(cast: Cast, dataset: Dataset, private: Dataset) -> None:
    def names(member: str, query: str = "") -> list[str]:
        found = client_of(cast.members[member]).get(f"/datasets{query}").json()["results"]
        return [one["name"] for one in found]

    assert names("builder") == names("owner") == ["Private returns", "Returns"]
    assert names("viewer") == ["Returns"]
    assert names("stranger") == []
    assert names("builder", "?q=PRIVÁTE") == ["Private returns"]


@pytest.mark.spec("DS-D3", "DS-48", "DS-D1")
def test_a_case_is_added_with_its_version(builder: ApiClient, path: str) -> None:
    answer = builder.post(f"{path}/cases", CASE)
    assert answer.status_code == 201
    case = answer.json()
    assert {name: case[name] for name in NINE} == NINE
    assert (case["version"], case["revision"], case["source"], case["text_hidden"]) == (1, 1, "manual", False)
    assert case["origin"] == {"run": None, "conversation": None, "message": None, "document": None}
    assert case["anonymised_at"] is None
    assert set(case) == {
        *NINE,
        "id",
        "version",
        "revision",
        "source",
        "origin",
        "text_hidden",
        "anonymised_at",
        "created_at",
        "updated_at",
    }
    assert builder.get(f"{path}/cases/{case['id']}").json() == case


@pytest.mark.spec("DS-48", "DS-40", "DS-45", "DS-D2")
def test_every_problem_of_a_case_is_named_at_its_place(builder: ApiClient, path: str) -> None:
    assert fields(builder.post(f"{path}/cases", {"input": "q"})) == ["reference_answer"]
    body = {"input": "", "source": "manual", "checks": [{"type": "nope"}], "tags": ["a,b"], "note": 5}
    assert fields(builder.post(f"{path}/cases", body)) == ["input", "source", "checks.0.type", "tags.0", "note"]
    assert fields(builder.post(f"{path}/cases", [CASE])) == [""]
    assert builder.get(path).json()["version"] is None


@pytest.mark.spec("DS-D11", "DS-D13")
def test_an_edit_keeps_what_is_left_out_and_conflicts_by_case(builder: ApiClient, path: str) -> None:
    case = builder.post(f"{path}/cases", {**CASE, "tags": ["x"]}).json()
    where = f"{path}/cases/{case['id']}"
    edited = builder.patch(where, {"note": "n", "base_revision": 1})
    assert (edited.status_code, edited.json()["version"], edited.json()["tags"]) == (200, 2, ["x"])
    late = builder.patch(where, {"note": "m", "base_revision": 1})
    assert (late.status_code, late.json()["code"], late.json()["case"]["note"]) == (409, "case_changed", "n")
    same = builder.patch(where, {"note": "n"})
    assert (same.status_code, same.json()["version"]) == (200, 2)
    assert fields(builder.patch(where, {"reference_answer": None})) == ["reference_answer"]
    assert fields(builder.patch(where, {"base_revision": "1"})) == ["base_revision"]
    assert builder.get(f"{where}?version=1").json()["note"] is None


@pytest.mark.spec("DS-D11", "DS-D15", "DS-69")
def test_a_deletion_answers_with_its_version(builder: ApiClient, path: str) -> None:
    case = builder.post(f"{path}/cases", CASE).json()
    where = f"{path}/cases/{case['id']}"
    builder.patch(where, {"note": "n"})
    assert builder.delete(f"{where}?version=1").json()["code"] == "read_only_version"
    assert builder.delete(f"{where}?base_revision=1").json()["code"] == "case_changed"
    gone = builder.delete(f"{where}?base_revision=2")
    assert (gone.status_code, gone.json()["number"], gone.json()["removed"]) == (200, 3, 1)
    assert builder.get(where).status_code == 404
    assert builder.get(f"{where}?version=2").status_code == 200
    assert builder.patch(where, {"note": "x"}).json()["code"] == "case_deleted"


@pytest.mark.spec("DS-D8", "DS-62")
def test_versions_are_listed_newest_first_with_what_changed(builder: ApiClient, path: str) -> None:
    case = builder.post(f"{path}/cases", CASE).json()
    builder.patch(f"{path}/cases/{case['id']}", {"note": "n"})
    listed = builder.get(f"{path}/versions").json()["results"]
    assert [(one["number"], one["kind"], one["added"], one["edited"], one["removed"]) for one in listed] == [
        (2, "edited", 0, 1, 0),
        (1, "added", 1, 0, 0),
    ]
    assert listed[0]["author"]["name"] == "Builder"
    assert builder.get(f"{path}/versions/1").json() == listed[1]
    for wrong in ("0", "3", "x", "99999999999"):
        assert builder.get(f"{path}/versions/{wrong}").status_code == 404
    assert builder.get(f"{path}/cases?version=3").status_code == 404
    assert builder.get(f"{path}/export?version=3").status_code == 404


@pytest.mark.spec("DS-D5", "DS-D6")
def test_cases_are_paged_by_number_in_their_order_with_a_total(builder: ApiClient, path: str) -> None:
    for number in range(5):
        builder.post(f"{path}/cases", {"input": f"q{number}", "reference_answer": "a"})
    page = builder.get(f"{path}/cases?page=2&page_size=2").json()
    assert ([case["input"] for case in page["results"]], page["total"]) == (["q2", "q3"], 5)
    assert "page=3" in page["next"]
    assert "page=1" in page["previous"]
    assert builder.get(f"{path}/cases?version=2").json()["total"] == 2
    assert fields(builder.get(f"{path}/cases?page_size=201")) == ["page_size"]
    assert fields(builder.get(f"{path}/cases?colour=red")) == ["colour"]


@pytest.mark.spec("DS-D6")
def test_filters_and_search_work_in_any_script(builder: ApiClient, path: str) -> None:
    builder.post(f"{path}/cases", {"input": "Żółta łódź", "reference_answer": "a", "tags": ["Żeglarstwo"]})
    builder.post(f"{path}/cases", {"input": "שָׁלוֹם Größe %_\\", "counter_example": "a", "tags": ["x", "y"]})
    builder.post(f"{path}/cases", {"input": "third", "checks": [{"type": "judge", "criterion": "x"}]})

    def total(query: str) -> int:
        answer = builder.get(f"{path}/cases?{query}")
        assert answer.status_code == 200, answer.content
        return int(answer.json()["total"])

    found = [total(f"q={text}") for text in ("żółta", "ŁÓDŹ", "ż", "lodz", "GRÖSSE", "%25_%5C", "שָׁלוֹם", "nothing")]
    assert found == [1, 1, 1, 1, 1, 1, 1, 0]
    assert [total(f"tag={text}") for text in ("żeglarstwo", "Y", "x", "x,y", "glar")] == [1, 1, 1, 0, 0]
    kinds = ("reference_answer", "counter_example", "expected_tool_calls", "checks")
    assert [total(f"expectation={kind}") for kind in kinds] == [1, 1, 0, 1]
    assert [total("source=manual"), total("source=import"), total("anonymised=true")] == [3, 0, 0]
    assert fields(builder.get(f"{path}/cases?source=email&expectation=x")) == ["source", "expectation"]


@pytest.mark.spec("DS-116", "DS-119", "DS-120", "DS-D33")
def test_twins_are_found_whatever_their_case_and_spacing(builder: ApiClient, path: str) -> None:
    first = builder.post(f"{path}/cases", {"input": "Is  the\nCAFE\u0301 open?", "reference_answer": "a"}).json()["id"]

    def twins(text: str) -> list[str]:
        answer = builder.post(f"{path}/cases/twins", {"input": text})
        assert answer.status_code == 200
        return [twin["case_id"] for twin in answer.json()["twins"]]

    assert twins(" is the café OPEN? ") == [first]
    assert twins("Is the cafe open?") == twins("") == []
    assert fields(builder.post(f"{path}/cases/twins", {"input": None})) == ["input"]
    builder.patch(f"{path}/cases/{first}", {"input": "other"})
    assert twins("is the café open?") == []


@pytest.mark.spec("DS-D1")
def test_at_most_ten_twins_are_named(builder: ApiClient, path: str) -> None:
    for _number in range(12):
        builder.post(f"{path}/cases", CASE)
    assert len(builder.post(f"{path}/cases/twins", {"input": "Q"}).json()["twins"]) == 10


def test_a_page_of_cases_asks_the_database_as_often_whatever_it_holds(
    builder: ApiClient, path: str, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        builder.post(f"{path}/cases", {"input": f"q{number}", "reference_answer": "a", "tags": [f"t{number}"]})
    builder.get(f"{path}/cases")
    with django_assert_max_num_queries(20):
        assert len(builder.get(f"{path}/cases").json()["results"]) == 30
