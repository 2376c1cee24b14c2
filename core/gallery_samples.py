"""What the component gallery shows: cases of a shop that sells kettles, long and short, plain and awkward."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Case:
    """One row of the gallery's table."""

    id: str
    question: str
    answer: str
    meaning: str
    result: str
    tags: tuple[str, ...]
    cost: Decimal | None
    seconds: float | None


CASES = (
    Case(
        "case-1", "Can I return a kettle that I have used once?", "Yes, within **30 days** of delivery.", "fail",
        "Failed", ("returns", "policy"), Decimal("0.0123"), 1.84,
    ),
    Case(
        "case-2", "My order 4711 has not arrived. Where is it?", "Looks up the order and gives the date.", "pass",
        "Passed", ("orders",), Decimal("0.0041"), 2.31,
    ),
    Case(
        "case-3", "¿Cuánto tarda el envío a las Islas Canarias y quién paga los gastos de aduana si los hay?",
        "Entre cinco y siete días laborables.", "unscored", "Not scored", ("shipping", "español"), None, None,
    ),
    Case(
        "case-4", "Żółta łódź podwodna — czy macie ją w sprzedaży?", "Nie, nie mamy jej w ofercie.", "generated",
        "Generated", ("polski", "catalogue"), Decimal("1.5"), 12.0,
    ),
    Case("case-5", "Do you ship to Norway?", "Yes, in six days.", "pass", "Passed", (), Decimal("0"), 0.94),
)  # fmt: skip

TAGS = ("returns", "policy", "orders", "shipping", "catalogue", "warranty", "billing", "greeting", "refunds", "español")

SECTIONS = (
    ("colours", "Colours"),
    ("type", "Type"),
    ("buttons", "Buttons"),
    ("labels", "Labels"),
    ("tables", "Table and panel"),
    ("pagers", "Pagers"),
    ("forms", "Form fields"),
    ("errors", "Form with errors"),
    ("unsaved", "Unsaved changes"),
    ("dialogs", "Dialogs and menus"),
    ("feedback", "Notices and messages"),
    ("loading", "Loading"),
    ("empty", "Empty state"),
    ("markdown", "Markdown"),
    ("difference", "Difference"),
    ("numbers", "Numbers and times"),
)

MARKDOWN = """# Returns

You can send a kettle back within **30 days** of delivery, used or not. Keep in mind:

1. The box may be open, but the lid and the filter belong in it.
2. Refunds take *three to five* working days.

> A kettle that was used with sea water is not taken back.

| Country | Days | Cost |
| --- | ---: | ---: |
| Norway | 6 | 12.50 |
| Spain | 5 | 0.00 |

```python
def may_return(days: int) -> bool:
    return days <= 30
```

<script>alert("raw HTML is shown as text")</script> ![A picture](https://example.org/kettle.png)
and [a link](https://example.org/), while [this](javascript:alert(1)) leads nowhere.
"""

OLD_ANSWER = """You can return a kettle within 14 days of delivery.
The box must be closed.
Refunds take three to five working days.
We pay for the postage.
Write to support with your order number.
You will get a label by e-mail.
Print it and put it on the box.
Leave the old label where it is.
Keep the receipt until the money is back.
Bring the box to the post office.
Thank you for your patience."""

NEW_ANSWER = """You can return a kettle within 30 days of delivery.
The box may be open.
Refunds take three to five working days.
We pay for the postage.
Write to support with your order number.
You will get a label by e-mail.
Print it and put it on the box.
Leave the old label where it is.
Keep the receipt until the money is back.
Bring the box to the post office or a parcel shop.
Thank you for your patience.
Kettles used with sea water are not taken back."""
