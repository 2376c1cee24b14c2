"""Prints recall per kind and false alarms; part of `python -m benchmarks credentials`."""

import random
import time
from collections import Counter
from collections.abc import Iterator

from datasets.logic.credentials import hide, marker
from tests.datasets.credentials.ordinary import ORDINARY
from tests.datasets.credentials.samples import Sample, samples
from tests.datasets.credentials.surroundings import BREAKS, PLACES, broken, placed

HOLDS_SLASHES = {
    *("aws_bedrock_key", "fly_token", "grafana_token", "onepassword_token", "slack_webhook", "stripe_webhook_secret"),
    *("sentry_token",),
}
"""Kinds of which no one can say where they end in a path of an address."""


def trials(of_each: int, seed: int) -> Iterator[tuple[str, Sample, str, str]]:
    """Place, sample, text with the sample, and the text that must remain."""
    dice = random.Random(seed)  # noqa: S311
    for sample in samples(dice, of_each):
        known = marker(sample.kind)
        if sample.around == "{}":
            for place, template in PLACES.items():
                if place == "in a path" and sample.kind in HOLDS_SLASHES:
                    continue
                yield place, sample, placed(sample, template), placed(sample, template, known)
        else:
            yield "beside its name", sample, sample.text, sample.around.replace("{}", known)
            yield (
                "beside its name, in a letter",
                sample,
                f"Hello,\n\n{sample.text}\n\nJo",
                f"Hello,\n\n{sample.around.replace('{}', known)}\n\nJo",
            )
        if sample.breakable:
            for how, piece in BREAKS.items():
                yield f"broken by {how}", sample, f"see {broken(sample, piece, dice)}\nThanks", f"see {known}\nThanks"


def main() -> None:
    made, hidden, exact = Counter[str](), Counter[str](), Counter[str]()
    misses: Counter[tuple[str, str]] = Counter()
    for place, sample, text, wanted in trials(of_each=5, seed=1):
        result = hide(text).text
        made[sample.kind] += 1
        hidden[sample.kind] += sample.secret not in result and marker(sample.kind) in result
        exact[sample.kind] += result == wanted
        if result != wanted:
            misses[sample.kind, place] += 1
    print(f"{'kind':26}{'trials':>8}{'recall':>9}{'exact':>9}")
    for kind in sorted(made):
        print(f"{kind:26}{made[kind]:8}{hidden[kind] / made[kind]:9.4f}{exact[kind] / made[kind]:9.4f}")
    total = made.total()
    print(f"{'all':26}{total:8}{hidden.total() / total:9.4f}{exact.total() / total:9.4f}")
    for (kind, place), count in misses.most_common(20):
        print(f"  not exact: {kind} {place}: {count}")
    alarms = [text for text in ORDINARY if hide(text).total]
    started = time.perf_counter()
    for text in ORDINARY:
        hide(text)
    characters = sum(map(len, ORDINARY))
    print(
        f"false alarms: {len(alarms)} of {len(ORDINARY)} ordinary texts ({characters} characters, "
        f"{1000 * (time.perf_counter() - started):.1f} ms)"
    )
    for text in alarms:
        print(f"  {hide(text).text[:300]!r}")
