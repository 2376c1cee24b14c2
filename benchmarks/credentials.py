"""What hiding credentials finds by kind, its false alarms, and how long it takes on ordinary and hostile texts."""

import random
import time
from collections.abc import Callable

from datasets.logic.credentials import hide, hide_in
from tests.datasets.credentials import report
from tests.datasets.credentials.ordinary import CODE, POLISH, PROSE, SPANISH
from tests.datasets.credentials.samples import samples

CASES = 10_000
LENGTH = 50_000
HOSTILE = (
    "a",
    "-----BEGIN",
    "eyJ",
    "://",
    "://a:b@",
    "password=",
    "password is ",
    "ghp_",
    "sk-",
    "Bearer a1",
    "0",
    "\\n",
)


SERVICE = (
    "The customer asks whether the refund for order 48213 was sent. She paid by card on 3 March, and the parcel came "
    "back on the 9th - our warehouse confirmed it at 14:32. Please tell her that refunds take five to seven days, "
    "that her address was not changed, and that she can follow the state under My account > Orders. If it has not "
    "arrived by 20 March, ask her to write again. Answer kindly, in two sentences, without promising a date. ",
    "Klientka pyta, czy zwrot za zamówienie 48213 został wysłany. Zapłaciła kartą 3 marca, a paczka wróciła 9 marca – "
    "magazyn potwierdził to o 14:32. Proszę jej napisać, że zwroty trwają od pięciu do siedmiu dni, a stan widać w "
    "zakładce Moje konto. Jeśli pieniądze nie dotrą do 20 marca, prosimy o ponowny kontakt. ",
    'def order(id: str) -> Order:\n    """Return the order."""\n    row = session.get(f"{BASE}/orders/{id}")\n'
    "    if row.status_code == 404:\n        raise NotFound(id)\n    return Order(**row.json())  # docs/orders.md\n",
)
ABOUT_PASSWORDS = tuple(" ".join(texts) for texts in (PROSE, PROSE, SPANISH, POLISH, CODE))


def cases(texts: tuple[str, ...]) -> list[dict[str, object]]:
    """As many cases as a dataset may hold, of 300 and 400 characters, cut from the texts."""
    dice = random.Random(1)
    sources = [text * 4 for text in texts]

    def cut(length: int) -> str:
        source = dice.choice(sources)
        at = dice.randrange(len(source) - length)
        return source[at : at + length]

    return [{"input": cut(300), "reference": cut(400), "tags": ["refund"], "note": ""} for _ in range(CASES)]


def best(act: Callable[[], object], times: int = 3) -> float:
    """The shortest processor time of several tries: a busy machine only adds to it."""
    tries = []
    for _ in range(times):
        started = time.process_time()
        act()
        tries.append(time.process_time() - started)
    return min(tries)


def main() -> None:
    """Print recall and false alarms, then the times."""
    report.main()
    print()
    ordinary = cases(SERVICE)
    print(f"{CASES} cases one by one: {best(lambda: [hide_in(case) for case in ordinary]):.2f} s")
    print(f"{CASES} cases as one list: {best(lambda: hide_in(ordinary)):.2f} s")
    dense = cases(ABOUT_PASSWORDS)
    print(f"{CASES} cases about nothing but passwords: {best(lambda: [hide_in(case) for case in dense], 1):.2f} s")
    dice = random.Random(2)
    tokens = [sample.text for sample in samples(dice)]
    leaking = [{**case, "note": dice.choice(tokens)} for case in ordinary]
    print(f"{CASES} cases with a credential each: {best(lambda: [hide_in(case) for case in leaking], 1):.2f} s")
    for piece in HOSTILE:
        text = (piece * LENGTH)[:LENGTH]
        print(f"{LENGTH} characters of {piece!r}: {1000 * best(lambda text=text: hide(text)):.1f} ms")
