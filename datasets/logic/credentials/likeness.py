"""Judges whether a value beside a name like `password` is one, or a placeholder, a word, a piece of code (DS-D62)."""

import re

LONGEST = 512

_TEMPLATE = re.compile(
    r"\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+)$|[$%@][{(]|.*\$\{|.*\{\{|\{[^}]*\}?$|<|\(|\[|%[0-9]*[sdvr]$|.*%[A-Za-z_]+%|\.{2,}|.*…"
    r"|[*•●.#_xX-]{3,}$|(.)\1{3,}$",
)
_WORDS_OF_PLACEHOLDERS = re.compile(
    r".*(?:your|change[-_ ]?me|change[-_ ]?it|replace[-_ ]?(?:me|this|with)|placeholder|redacted|masked|hidden"
    r"|insert[-_ ]|enter[-_ ]|xxxx|\.\.\.|getenv|environ|process\.env|secrets?\.|vault[:.]|arn:aws|_here\b|-here\b)",
    re.IGNORECASE,
)
_NO_VALUE = re.compile(
    r"(?:none|null|nil|true|false|undefined|empty|todo|tbd|n/?a|str|string|text|bool|int|bytes|any|object|varchar|optional"
    r"|required|missing|invalid|incorrect|correct|right|secure|wrong|expired|valid|reset|forgot|forgotten|changed|sent|unset|default|example"
    r"|sample|test|demo|dummy|fake|hashed|encrypted|plain|plaintext|protected|unknown|disabled|enabled|confirm|current|new"
    r"|old|strong|weak|short|too|password|passwd|passwords|pass|secret|secrets|token|tokens|key|keys|apikey|credential"
    r"|credentials|user|username|userpassword|email|e-mail|login|admin|phone|sms|field|input|label|type|value|name|hint"
    r"|bearer|basic|digest|negotiate|oauth|contraseña|contrasena|requerida|obligatoria|obligatorio|incorrecta|olvidada"
    r"|hasło|haslo|wymagane|wymagany|błędne|nieprawidłowe|zapomniane|passwort|1password|lastpass|bitwarden"
    r"|keepass|manager|policy|generated|provided|updated|created|deleted|rotated|revoked|unchanged|accepted|rejected|failed"
    r"|success|successful|required\.|server|client|session|cookie|header|query|body|file|vault|env|environment|config)[.!?]?$",
    re.IGNORECASE,
)
_ALGORITHM = re.compile(
    r"(?:sha|md|aes|rsa|dsa|hs|rs|es|ps|ed|base|utf|oauth|argon|bcrypt|scrypt|pbkdf|ipv|http|tls|ssl|win|python|node|java"
    r"|gpt|llama|claude|v)[-_.]?[0-9]{1,4}[A-Za-z]{0,8}(?:[-_./][A-Za-z0-9]{1,9}){0,3}$",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"[0-9]{1,4}(?:[-–.,][0-9]{1,4})?[-+%]?[A-Za-z]{0,12}(?:-[A-Za-z]+)*[.!?]?$")
_MOMENT = re.compile(r"[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}(?:[T ]?[0-9:.]*(?:Z|[+-][0-9:]+)?)?$")
_PATH = re.compile(
    r"(?:[a-z][a-z0-9+.-]*://|[.~]{0,2}/[\w.-]+/|[A-Za-z]:\\|[\w.-]+/[\w.-]+/)|.+\.(?:py|js|ts|json|ya?ml|txt|pem|md|html)$"
)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")
_NAME_OF_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_CHAIN = re.compile(r"[A-Za-z_]+[0-9]{0,2}(?:(?:[?!]?\.|->|::)[A-Za-z_]+[0-9]{0,2})+$")
_SNAKE = re.compile(r"_?[a-z]+[0-9]{0,2}(?:_[a-z0-9]+)+$")
_WORD = r"(?:[A-Z]{2,}|[A-Z]?[a-z]+(?:[A-Z][a-z]+)*)[0-9]{0,4}"
_WORDS = re.compile(rf"_?{_WORD}(?:[-_.](?:{_WORD}|v?[0-9]{{1,4}}))*$")
_TWO_HUMPS = re.compile(r"[A-Za-z]?[a-z]+[A-Z][a-z]+[A-Za-z]*$")
_TYPE = re.compile(
    r"(?:[A-Za-z_]\w{0,20}\.)?[A-Z][A-Za-z0-9]{2,40}"
    r"(?:Key|Token|Type|Password|Secret|Str|String|Bytes|Field|Config|Dict|List|Provider|Credential|Param|Any)s?$"
)
_CAMEL = re.compile(r"[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)*[0-9]{0,2}$")
_PASSWORD_LIKE_NAME = re.compile(
    r"(?:password|passwd|pwd|pass|token|secret|key|field|input|param|arg|var|tmp)s?_?[0-9]{1,2}$", re.I
)


_IN_SENTENCES = (_ALGORITHM, _QUANTITY, _PASSWORD_LIKE_NAME, _TYPE)


def is_template(value: str) -> bool:
    """Whether a value is to be filled in later or already masked: `${TOKEN}`, `<your-key>`, `{password}`, `****`."""
    return _TEMPLATE.match(value) is not None


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for one: a template, `changeme`, `required`, the name of a variable."""
    return any(p.match(value) for p in (_TEMPLATE, _NO_VALUE, _WORDS_OF_PLACEHOLDERS, _NAME_OF_VARIABLE))


def is_credible_password(value: str, literal: bool) -> bool:
    """Whether a value beside `password` is one. `literal`: quoted, in an environment file, or alone in a field."""
    if _is_something_else(value, literal):
        return False
    letters, digits, signs = _letters(value), any(c.isdigit() for c in value), _signs(value)
    if literal:
        return len(value) >= 4 and (digits or signs or _is_single_word(value))
    if len(value) < 6 or _SNAKE.match(value):
        return False
    return digits or (letters and signs)


def is_credible_key(value: str, literal: bool) -> bool:
    """Whether a value beside `token`, `secret` or `api_key` is one: long, and not made of words."""
    if len(value) < 8 or _is_something_else(value, literal) or _WORDS.match(value) or not _letters(value):
        return False
    if not literal and _SNAKE.match(value):
        return False
    if any(c.isdigit() for c in value):
        return True
    return len(value) >= 20 and not _CAMEL.match(value) and "-" not in value and "." not in value


def _is_something_else(value: str, literal: bool) -> bool:
    others = (_MOMENT, _PATH, _EMAIL, _CHAIN) if literal else (_MOMENT, _PATH, _EMAIL, _CHAIN, *_IN_SENTENCES)
    return len(value) > LONGEST or is_placeholder(value) or any(p.match(value) for p in others)


def _is_single_word(value: str) -> bool:
    """People take a word for a password; a name of two words is one of a program (`PasswordFlow`, `reset_token`)."""
    return len(value) >= 6 and value.isalpha() and not _TWO_HUMPS.match(value)


def _letters(value: str) -> bool:
    return any(c.isalpha() for c in value)


def _signs(value: str) -> bool:
    return any(c in "!@#$%^&*+=~?" for c in value)
