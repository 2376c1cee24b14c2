"""What one kind of shared resource hands to the pages of its sharing: where things are, and in which words."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse
from django.utils.functional import Promise

from accounts.actor import Actor
from accounts.models import SharedResource
from accounts.queries.sharing import find_shared

Words = str | Promise


@dataclass(frozen=True)
class SharingWords:
    """The texts that name the kind, each a whole sentence, since languages bend words.

    `everyone`, `no_longer_shared` and `owns_it_now` hold `%(name)s`; `gaining` is an `ngettext_lazy` that counts
    by `n` and holds `%(shown)s`.
    """

    list_label: Words
    share: Words
    hand_over: Words
    can_read: Words
    can_edit: Words
    everyone: Words
    gaining: Words
    no_longer_shared: Words
    owns_it_now: Words


@dataclass(frozen=True)
class SharingNames:
    """The url names of the five addresses."""

    visibility: str
    owner: str
    new: str
    level: str
    remove: str

    @classmethod
    def of(cls, noun: str) -> "SharingNames":
        """`agent` gives `agent_visibility`, `agent_owner`, `agent_share`, `agent_share_level` and `agent_unshare`."""
        return cls(*(f"{noun}_{act}" for act in ("visibility", "owner", "share", "share_level", "unshare")))


@dataclass(frozen=True)
class SharingPages:
    """One kind: its model, words, url names, the names of its list and of a thing's page, and the way back.

    `back` gives the address of the part of a thing's page that shows its sharing.
    """

    model: type[SharedResource]
    words: SharingWords
    names: SharingNames
    list_name: str
    page_name: str
    back: Callable[[UUID], str]

    def find(self, actor: Actor, thing_id: UUID, verb: str = "edit") -> SharedResource:
        """The thing with its owner; raises `NotFound` and `NotAllowed`."""
        return find_shared(self.model, actor, thing_id, verb=verb)

    def list_address(self) -> str:
        return reverse(self.list_name)
