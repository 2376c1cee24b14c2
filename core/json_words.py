"""What `core.strict_json` refuses, in the language of the person who sent it."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.strict_json import Fault, JSONFault

WORDS: dict[Fault, str] = {
    Fault.NOT_UTF8: gettext_noop("the text is not UTF-8; save or send it as UTF-8"),
    Fault.EMPTY: gettext_noop("nothing is here; JSON was expected"),
    Fault.LINE_ENDS_IN_STRING: gettext_noop("line ends inside a string; write \\n"),
    Fault.CONTROL_CHARACTER: gettext_noop(
        "a control character stands inside a string; write it as \\u and four digits"
    ),
    Fault.STRING_NEVER_ENDS: gettext_noop("a string begins here and never ends"),
    Fault.BAD_ESCAPE: gettext_noop("this is no escape that JSON has; a backslash itself is written \\\\"),
    Fault.KEY_EXPECTED: gettext_noop("a key in double quotes was expected"),
    Fault.COLON_EXPECTED: gettext_noop("a colon was expected after the key"),
    Fault.COMMA_EXPECTED: gettext_noop("a comma or the closing bracket was expected"),
    Fault.COMMA_AT_END: gettext_noop("a comma before a closing bracket is one too many"),
    Fault.VALUE_EXPECTED: gettext_noop("a value was expected"),
    Fault.MORE_AFTER_END: gettext_noop("something stands after the end of the value"),
    Fault.NOT_A_NUMBER: gettext_noop("{} is no number that JSON has"),
    Fault.NUMBER_TOO_LARGE: gettext_noop("the number {} is too large; write it as a string"),
    Fault.KEY_TWICE: gettext_noop("the key {} stands twice in one object"),
    Fault.NUL: gettext_noop("the character \\u0000 cannot be stored"),
    Fault.HALF_PAIR: gettext_noop("half of a surrogate pair stands alone"),
    Fault.TOO_DEEP: gettext_noop("the nesting is deeper than {} levels"),
}


def words_of(fault: JSONFault, *, with_line: bool = True) -> str:
    """The sentence for a person. Without the line where the caller names it, such as the row of a file."""
    words = _(WORDS[fault.fault]).replace("{}", fault.what)
    if not fault.line:
        return words
    place = _("line %(line)d, column %(column)d") if with_line else _("column %(column)d")
    return f"{place % {'line': fault.line, 'column': fault.column}}: {words}"
