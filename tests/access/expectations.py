"""The table of the specification, written out for the tests a second time and not read from the code (ACC-5, PL-4)."""

from typing import Literal

Need = Literal["view", "edit", "hand_over"]

ROLES = ("owner", "admin", "builder", "operator", "member", "viewer")
# How a dataset is related to the member who asks. `shared`: a colleague's, visible to the organisation. `private`: a
# colleague's and private; `granted_…`: the same with a grant of that level; `elsewhere`: of another organisation.
RELATIONS = (
    "own",
    "own_private",
    "shared",
    "granted_read",
    "granted_edit",
    "granted_use",
    "private",
    "elsewhere",
    "missing",
)

SEES_ALL = {"owner", "admin", "builder", "operator"}
EDITS = {
    "owner": set(RELATIONS),
    "admin": set(RELATIONS),
    "builder": {"own", "own_private", "shared", "granted_edit"},
    "operator": {"granted_edit"},
    "member": {"own", "own_private", "granted_edit"},
    "viewer": {"granted_edit"},
}


def sees(role: str, relation: str) -> bool:
    """`datasets:view` on it."""
    if relation in ("elsewhere", "missing"):
        return False
    return role in SEES_ALL or relation in ("own", "own_private", "shared", "granted_read", "granted_edit")


def edits(role: str, relation: str) -> bool:
    """`datasets:edit` on it."""
    return sees(role, relation) and relation in EDITS[role]


def status(role: str, relation: str, need: Need) -> Literal["ok", 403, 404]:
    """404 where it may not be known, 403 where it is visible and the act needs more (ACC-D9)."""
    if not sees(role, relation):
        return 404
    if need == "hand_over":
        return "ok" if role in ("owner", "admin") or relation in ("own", "own_private") else 403
    return "ok" if need == "view" or edits(role, relation) else 403
