"""How far decisions agree with one configuration of a judge: its outcomes, and each part that it graded (RV-D34)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from review.logic.agreement import Agreement, Kind, agreement_of, kind_of
from review.logic.judged import Deciding, JudgedAnswer, PartKey


@dataclass(frozen=True)
class DecidedAnswer:
    """An answer that a person decided on; `agent_id` and `has_agent` say who may read what was found about it."""

    id: UUID
    outcome: str
    decided: str
    judged: JudgedAnswer
    at: datetime
    agent_id: UUID | None = None
    has_agent: bool = True

    def verdict_on(self, part: PartKey | None) -> str:
        """What the judge said on the part, or with None by its outcome; empty where that says nothing about the judge.

        Where a rule had failed, the person may have decided by the rule, so nothing the judge said there is counted.
        """
        if self.judged.deciding is Deciding.RULES:
            return ""
        if part is not None:
            return self.judged.verdicts.get(part, "")
        return self.outcome if self.judged.deciding is Deciding.JUDGE else ""

    def kind_on(self, part: PartKey | None) -> Kind | None:
        return kind_of(self.verdict_on(part), self.decided)


@dataclass(frozen=True)
class PartAgreement:
    """One part of what the judge grades. `name` is empty where no answer that was read names it."""

    key: PartKey
    agreement: Agreement
    name: str = ""
    is_optional: bool = False


@dataclass(frozen=True)
class JudgeAgreement:
    """`outcome` counts the answers whose outcome was the judge's. The others are counted by why they are left out:
    `by_rules` where a rule had failed, `unscored` without a verdict, `unasked` where nothing of the judge must pass."""

    outcome: Agreement = field(default_factory=Agreement)
    parts: tuple[PartAgreement, ...] = ()
    by_rules: int = 0
    unscored: int = 0
    unasked: int = 0

    @property
    def has_one_side_only(self) -> bool:
        """Whether every verdict was the same, so that one kind of error could not be seen at all."""
        passed = self.outcome.both_pass + self.outcome.too_lenient
        return bool(self.outcome.n) and passed in (0, self.outcome.n)

    @property
    def only_failed(self) -> bool:
        """Of one side: whether it is the failed one."""
        return not self.outcome.both_pass + self.outcome.too_lenient


def outcome_agreement(answers: Iterable[DecidedAnswer]) -> Agreement:
    """Over the outcomes that were the judge's."""
    return agreement_of((answer.verdict_on(None), answer.decided, 1) for answer in answers)


def judge_agreement(answers: list[DecidedAnswer]) -> JudgeAgreement:
    """Everything that is counted of one configuration."""
    judged = [answer for answer in answers if answer.judged.deciding is not Deciding.RULES]
    unscored = sum(kind_of(answer.outcome, answer.decided) is None for answer in judged)
    outcome = outcome_agreement(judged)
    return JudgeAgreement(
        outcome=outcome,
        parts=_parts(judged),
        by_rules=len(answers) - len(judged),
        unscored=unscored,
        unasked=len(judged) - unscored - outcome.n,
    )


def disagreements(
    answers: Iterable[DecidedAnswer], part: PartKey | None, kind: Kind | None = None
) -> list[DecidedAnswer]:
    """Those whose decision is another than the judge's verdict on the part; of one kind or of both."""
    wanted = (Kind.TOO_STRICT, Kind.TOO_LENIENT) if kind is None else (kind,)
    return [answer for answer in answers if answer.kind_on(part) in wanted]


def _parts(judged: list[DecidedAnswer]) -> tuple[PartAgreement, ...]:
    """In the order in which answers name them, criteria of the rubric first."""
    pairs: dict[PartKey, Counter[tuple[str, str]]] = {}
    names: dict[PartKey, str] = {}
    optional: set[PartKey] = set()
    for answer in judged:
        optional |= answer.judged.optional
        _keep_names(names, answer.judged.names)
        for key, verdict in answer.judged.verdicts.items():
            pairs.setdefault(key, Counter())[verdict, answer.decided] += 1
    return tuple(
        PartAgreement(
            key, agreement_of((*pair, n) for pair, n in pairs[key].items()), names.get(key, ""), key in optional
        )
        for key in sorted(pairs, key=lambda key: key.place)
    )


def _keep_names(known: dict[PartKey, str], names: Mapping[PartKey, str]) -> None:
    """Where the words of an answer were removed, the names went with them; another answer may still have them."""
    for key, name in names.items():
        if not known.get(key):
            known[key] = name
