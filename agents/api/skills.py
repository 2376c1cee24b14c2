"""The endpoints of skills."""

from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from accounts.api.serializers import OwnerIn
from accounts.api.sharing import SharedEndpoint
from agents.api.knowledge_shapes import NamedQuery, SkillIn, SkillOut, SkillPatch
from agents.models import Skill
from agents.operations.skills import change_skill, create_skill, delete_skill, lock_skill
from agents.queries.skills import find_skill, visible_skills
from core.api.schema import describe
from core.paging import Order

NEWEST_FIRST = [Order("id", descending=True)]


class SkillList(Endpoint):
    """All skills, and new ones."""

    @describe("Skills", answer=SkillOut, query=NamedQuery, paged="keyset", operation_id="skills_list")
    def get(self, request: Request) -> Response:
        """List the skills you can see.

        The newest first.
        """
        query = self.query(NamedQuery)
        return self.keyset(visible_skills(self.actor, search=query.get("q", "")), NEWEST_FIRST, query, SkillOut)

    @describe("Skills", body=SkillIn, answer=SkillOut, status=201, etag=True)
    def post(self, request: Request) -> Response:
        """Create a skill.

        It is visible to the whole organisation unless `visibility` is `private`.
        """
        made = create_skill(self.actor, **self.read(SkillIn))
        return self.answer(made, SkillOut, status=201, location=reverse("api_skill", args=[made.pk]))


class SkillEndpoint(SharedEndpoint):
    """An endpoint whose address holds a skill's id."""

    kind = Skill


class SkillDetail(SkillEndpoint):
    """One skill."""

    @describe("Skills", answer=SkillOut, etag=True)
    def get(self, request: Request, skill_id: UUID) -> Response:
        """Read a skill."""
        return self.answer(find_skill(self.actor, skill_id), SkillOut)

    @describe("Skills", body=SkillPatch, answer=SkillOut, etag=True, conflicts=("skill_changed",))
    def patch(self, request: Request, skill_id: UUID) -> Response:
        """Change a skill.

        What is left out stays. Published versions of agents keep the text of the day they were published.
        """
        self.require_match(lock_skill(self.actor, skill_id=skill_id), SkillOut)
        changes = self.read(SkillPatch)
        base_revision = changes.pop("base_revision", None)
        changed = change_skill(self.actor, skill_id=skill_id, changes=changes, base_revision=base_revision)
        return self.answer(changed, SkillOut)

    @describe("Skills", status=204)
    def delete(self, request: Request, skill_id: UUID) -> Response:
        """Delete a skill.

        Drafts of agents lose it; published versions keep their copy.
        """
        delete_skill(self.actor, skill_id=skill_id)
        return Response(status=204)


class SkillOwner(SkillEndpoint):
    """Whose skill it is."""

    @describe("Sharing", body=OwnerIn, answer=SkillOut)
    def put(self, request: Request, skill_id: UUID) -> Response:
        """Hand a skill over to another member.

        By its owner, or by an Owner or Admin of the organisation. Its visibility stays.
        """
        return self.answer(self.hand_over(), SkillOut)
