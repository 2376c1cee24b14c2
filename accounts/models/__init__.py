"""The tables of the accounts app, one noun a module."""

from accounts.models.api_key import ApiKey
from accounts.models.audit_entry import AuditEntry
from accounts.models.idempotent_request import IdempotentRequest
from accounts.models.invitation import Invitation
from accounts.models.member import Member
from accounts.models.named_resource import NamedResource
from accounts.models.organisation import Organisation
from accounts.models.person import Person
from accounts.models.person_request import PersonRequest
from accounts.models.shared_resource import SharedResource, Visibility, shared_models
from accounts.models.user import User

__all__ = [
    "ApiKey",
    "AuditEntry",
    "IdempotentRequest",
    "Invitation",
    "Member",
    "NamedResource",
    "Organisation",
    "Person",
    "PersonRequest",
    "SharedResource",
    "User",
    "Visibility",
    "shared_models",
]
