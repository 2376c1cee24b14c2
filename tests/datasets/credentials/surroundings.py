"""Where credentials stand in what people write: addresses, Markdown, data, code, letters in three languages."""

import json

from tests.datasets.credentials.samples import Dice, Sample

PLACES: dict[str, str] = {
    "alone": "{}",
    "at the start": "{} does not work any more",
    "at the end": "I tried it with {}",
    "before a full stop": "It failed with {}. Can you check?",
    "in brackets": "the key ({}) was refused",
    "in bold": "Use **{}** for the call.",
    "in underscores": "Use __{}__ for the call.",
    "in italics": "Use *{}* for the call.",
    "in backticks": "Run it with `{}` please",
    "in a block of code": "```python\nclient = Client({!q})\n```",
    "in a link": "[the page](https://example.com/x?t={}&lang=en)",
    "in an address": "https://example.com/hook?token={}&lang=pl#top",
    "in a path": "https://example.com/api/{}/status",
    "behind %3D": "https://example.com/go?next=%2Fx%3Ft%3D{}%26a%3D1",
    "as JSON": '{"input": {!q}, "n": 1}',
    "as JSON in JSON": '{"body": "{\\"t\\": \\"{}\\", \\"n\\": 1}"}',
    "behind an escaped line break": "first line\\n{}\\nlast line",
    "as YAML": "service:\n  url: https://example.com\n  value: {}\n",
    "in an environment file": "DEBUG=true\nVALUE={}\nPORT=8080\n",
    "in an exported variable": "export VALUE={!q}\n",
    "in a table": "| name | value |\n|---|---|\n| main | {} |\n",
    "as CSV": "id,value,note\n7,{},ok\n",
    "in a list": "- first\n- {}\n- third",
    "in HTML": "<p>Use <code>{}</code> here</p>",
    "in a log line": "2026-03-01T10:00:00Z ERROR auth refused value={} status=401",
    "in Spanish": "Buenos días, he probado con {} y la aplicación contesta que no está autorizado. ¿Pueden ayudarme?",
    "in Polish": "Dzień dobry, próbowałem z {} i wciąż widzę błąd. Proszę o pomoc.",
    "in curly quotes": "the value “{}” is wrong",
    "twice": "{} and again {}",
}

BREAKS: dict[str, str] = {
    "line break": "\n",
    "line break of Windows": "\r\n",
    "line break with indent": "\n    ",
    "quoted line": "\n> ",
    "quoted-printable": "=\n",
    "backslash and line break": "\\\n",
    "escaped line break": "\\n",
    "soft hyphen": "\u00ad",
    "zero width space": "\u200b",
    "word break": "<wbr>",
}


def placed(sample: Sample, template: str, marker: str | None = None) -> str:
    """The text of a place with the sample in it; with `marker`, the text that must remain."""
    text = sample.around.replace("{}", marker or sample.secret)
    return template.replace("{!q}", json.dumps(text)).replace("{}", text)


def broken(sample: Sample, how: str, dice: Dice) -> str:
    """The secret with one soft break somewhere behind its beginning and before its end."""
    at = dice.randrange(len(sample.secret) // 2, len(sample.secret) - 8)
    return sample.secret[:at] + how + sample.secret[at:]
