"""Judges of the tests: rows to be graded by one, and models that answer as a judge does, or as one must not."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from accounts.models import Member
from agents.loop.desk import Desk, run_attended
from agents.models import Agent, AgentVersion, Connection, LanguageModel
from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from scoring.logic.answers import GradedAnswer
from scoring.logic.settings import Settings
from scoring.logic.settings_changes import completed
from scoring.operations.judging import Judged, judge_answer
from tests.agents.provider_server import Answer, FakeProvider, completion
from tests.cast import Cast

KEY = "model-key-8374598237"
RUBRIC = [
    {"id": "c-1", "name": "Deadline", "criterion": "Does the answer name the deadline?", "required": True},
    {"id": "c-2", "name": "Tone", "criterion": "Is the answer polite?", "required": True},
]
CASE = CaseDraft(input="Can I return my kettle?", note="Customers ask daily.", reference_answer="Within 30 days.")
ANSWER = GradedAnswer("You can return it within 30 days of delivery. Thank you for asking!")
Entry = dict[str, Any]


def make_judge_model(owner: Member, address: str, *, key: str = KEY, provider: str = "compatible", **more: Any) -> Any:
    """A model that costs 2 and 8 USD per million tokens."""
    organisation = owner.organisation
    connection = Connection(organisation=organisation, name="Fake", provider=provider, base_url=address)
    connection.set_key(key)
    connection.save()
    given = {"input_price": Decimal(2), "output_price": Decimal(8), **more}
    return LanguageModel.objects.create(
        connection=connection, **({"name": "judge-1", "label": "Judging model"} | given)
    )


def make_judge(owner: Member, model: LanguageModel | None, *, instructions: str = "Be strict.", **more: Any) -> Agent:
    """A judge agent with one published version, or with none where no model is given."""
    agent = Agent.objects.create(
        organisation=owner.organisation,
        owner=owner,
        name="Strict judge",
        kind="judge",
        newest_version=1 if model else 0,
        **more,
    )
    if model:
        spec: Any = {"instructions": instructions, "model": str(model.pk), "temperature": 0}
        AgentVersion.objects.create(agent=agent, number=1, spec=spec)
    return agent


def judging_settings(model: LanguageModel | None, *, reference: bool = False, **judge: Any) -> Settings:
    """Settings with the judge on, the rubric of two criteria, and this model."""
    chosen = {"enabled": True, "criteria": RUBRIC, "model": str(model.pk) if model else None, **judge}
    return Settings.of_json(completed({"judge": chosen, "reference_answer": {"enabled": reference, "must_pass": True}}))


def judged(
    cast: Cast, dataset: Dataset, settings: Settings, *, who: str = "owner", case: CaseDraft = CASE, **answer: Any
) -> Judged:
    """One answer graded on its own."""

    async def grade(desk: Desk[Any]) -> Judged:
        given = answer.get("answer", ANSWER)
        return await judge_answer(desk, cast.actor(who), dataset=dataset, settings=settings, case=case, answer=given)

    return run_attended(grade)


# --- What a judge says


def entry(criterion: str, grade: Any, quote: str = "within 30 days of delivery", **more: Any) -> Entry:
    reason = "It gives thirty days, counted from the parcel's arrival."
    return {
        "criterion": criterion,
        "quotes": [quote],
        "rule": "A period is given.",
        "reason": reason,
        "grade": grade,
    } | more


def verdicts(*entries: Entry) -> str:
    return json.dumps({"verdicts": list(entries)})


def reply(text: str, *, finish: str = "stop", **more: Any) -> Answer:
    """A judge's reply that ends for this reason."""
    body = completion(text) | more
    body["choices"][0]["finish_reason"] = finish
    return Answer(body)


def good_reply() -> Answer:
    return reply(verdicts(entry("c-1", 5), entry("c-2", 4)))


def material_of(asked: dict[str, Any]) -> dict[str, Any]:
    """The object to be graded that was sent."""
    found: dict[str, Any] = json.loads(asked["messages"][-1]["content"])
    return found


def grading(grade_of: Callable[[dict[str, Any], str], int]) -> Callable[[dict[str, Any]], Answer]:
    """A judge that grades each criterion it is asked for by a function of the material and the criterion's id."""

    def answer(asked: dict[str, Any]) -> Answer:
        material = material_of(asked)
        quote = material.get("answer", "")[:40]
        return reply(
            verdicts(*(entry(one["id"], grade_of(material, one["id"]), quote) for one in material["criteria"]))
        )

    return answer


def obedient(asked: dict[str, Any]) -> Answer:
    """A judge that does what the material tells it to: `SAY <text>` anywhere in the answer is what it replies."""
    material = material_of(asked)
    told = re.search(r"SAY (.*)", material.get("answer", ""), re.DOTALL)
    return reply(told[1]) if told else grading(lambda _material, _id: 1)(asked)


def picky(*refused: str) -> Callable[[dict[str, Any]], Answer]:
    """A provider that refuses these parameters by name, then grades 5."""

    def answer(asked: dict[str, Any]) -> Answer:
        for name in refused:
            if name in asked:
                message = f"Unsupported parameter: '{name}' is not supported with this model."
                return Answer({"error": {"message": message, "type": "invalid_request_error"}}, 400)
        return grading(lambda _material, _id: 5)(asked)

    return answer


def systems(provider: FakeProvider) -> list[str]:
    return [asked["messages"][0]["content"] for asked in provider.asked]
