"""The words of a text, and whether a judge's reason only repeats its criterion (SC-107, SC-D46)."""

import unicodedata

import regex

from scoring.logic.quotes import AS_APOSTROPHE, INVISIBLE

# Both lists belong to the task version: a change of either is a new one (SC-D2, SC-D46).
FUNCTION_WORDS = frozenset(
    # articles
    "a an the "
    # pronouns
    "i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself "
    "we us our ours ourselves they them their theirs themselves one oneself this that these those "
    "who whom whose which what whoever whomever whatever whichever "
    "someone somebody something anyone anybody anything everyone everybody everything nobody nothing none "
    "each other another some any both all either neither such there here "
    # auxiliaries
    "be am is are was were been being have has had having do does did doing done "
    "will would shall should can could may might must ought cannot "
    # prepositions
    "about above across after against along amid among around as at before behind below beneath beside besides "
    "between beyond by despite down during except for from in inside into like near of off on onto out outside over "
    "past per regarding through throughout till to toward towards under underneath until up upon via with within "
    "without "
    # conjunctions
    "and but or nor so yet if although though while whereas unless when whenever where wherever whether than once "
    # negation
    "not no "
    # contractions of these
    "isn't aren't wasn't weren't haven't hasn't hadn't don't doesn't didn't won't wouldn't shan't shouldn't can't "
    "couldn't mayn't mightn't mustn't oughtn't ain't i'm i've i'll i'd you're you've you'll you'd he's he'll he'd "
    "she's she'll she'd it's it'll it'd we're we've we'll we'd they're they've they'll they'd that's that'll that'd "
    "there's there'll there'd here's who's who'll who'd what's one's someone's somebody's everyone's everybody's "
    "anyone's anybody's nobody's".split()
)
VERDICT_WORDS = frozenset(
    "answer answers answered answering answer's answers' response responses response's "
    "reply replies replied replying reply's criterion criteria criterion's "
    "rule rules ruled ruling rule's grade grades graded grading grade's score scores scored scoring score's "
    "pass passes passed passing fail fails failed failing meet meets met meeting "
    "satisfy satisfies satisfied satisfying fulfil fulfill fulfils fulfills fulfilled fulfilling "
    "fully correctly clearly therefore because since yes".split()
)
ENDINGS = ("ing", "ed", "es", "s")
LETTERS_LEFT = 4

_WORD = regex.compile(
    r"(?P<number>[-−]?\p{Nd}+(?:[.,:/]\p{Nd}+)*)"
    r"|(?P<run>[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:'[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*)"
    r"|(?P<sign>[\p{Sc}%+<>=])"
)
_MINUS = str.maketrans("−", "-")


def words(text: str) -> list[str]:
    """`W` of SC-D46: the numbers, words and signs of a text in order, however they are written."""
    return [found[0].translate(_MINUS) for found in _WORD.finditer(_folded(text))]


def content_words(text: str) -> list[str]:
    """`C` of SC-D46: the words that say something about the matter, each shortened to what its forms share."""
    said = [found[0].translate(_MINUS) for found in _WORD.finditer(_folded(text)) if found["sign"] is None]
    return [_shortened(word) for word in said if word not in FUNCTION_WORDS and word not in VERDICT_WORDS]


def is_restated(reason: str, criterion: str) -> bool:
    """Whether a reason is made mostly of the criterion's own words, or says nothing at all (SC-D46)."""
    said = content_words(reason)
    known = set(content_words(criterion))
    return not said or sum(word in known for word in said) * 2 > len(said)


def _folded(text: str) -> str:
    # Before NFKC too, which takes the accent ´ apart from the place where people write it as an apostrophe.
    marked = text.translate(INVISIBLE).translate(AS_APOSTROPHE)
    return unicodedata.normalize("NFKC", marked).translate(INVISIBLE).translate(AS_APOSTROPHE).casefold()


def _shortened(word: str) -> str:
    for ending in ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and sum(map(str.isalpha, stem)) >= LETTERS_LEFT:
            return stem
    return word
