"""The demonstration organisation: who is in it, that repeating adds nothing, where it refuses to be (PL-50)."""

from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.test import RequestFactory
from pytest_django import Settings

from accounts.models import AuditEntry, Member, Organisation
from accounts.permissions import Role
from config.demonstration import PASSWORD, email_of
from datasets.models import Dataset
from tests.cast import make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def development(settings: Settings) -> None:
    settings.DEBUG = True


def demonstrate(*arguments: str) -> str:
    out = StringIO()
    call_command("demonstrate", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.spec("PL-50")
def test_it_prints_a_login_for_each_role_and_each_works(development: None) -> None:
    printed = demonstrate()
    assert PASSWORD in printed
    for role in Role:
        assert email_of(role) in printed
        user = authenticate(RequestFactory().get("/"), email=email_of(role), password=PASSWORD)
        assert user is not None
        assert Member.objects.get(user=user).role == role


@pytest.mark.spec("PL-50")
def test_a_second_time_changes_nothing(development: None) -> None:
    demonstrate()
    tables = (Organisation, Member, AuditEntry, Dataset)
    before = [table.objects.count() for table in tables]
    demonstrate()
    assert [table.objects.count() for table in tables] == before
    assert all(before)


@pytest.mark.spec("PL-50")
def test_beside_organisations_of_people_it_refuses_and_leaves_nothing(development: None) -> None:
    make_cast()
    before = Member.objects.count()
    with pytest.raises(CommandError, match="organisations of its own"):
        demonstrate()
    assert Member.objects.count() == before


def test_outside_development_it_refuses_since_its_password_is_public() -> None:
    with pytest.raises(CommandError, match="development only"):
        demonstrate()
    assert not Organisation.objects.exists()


def test_forced_it_stands_beside_other_organisations() -> None:
    make_cast()
    demonstrate("--force")
    assert Member.objects.filter(user__email=email_of(Role.VIEWER)).exists()
