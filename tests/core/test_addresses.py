"""Which addresses an outgoing call may reach (PL-26)."""

import pytest

from core.addresses import AddressRefused, checked, is_public

PRIVATE = """
127.0.0.1 127.255.0.9 0.0.0.0 10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 169.254.169.254 192.0.2.1 198.18.0.1
198.51.100.7 203.0.113.7 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
:: ::1 fe80::1 fe80::1%eth0 fc00::1 fd12:3456::1 ff02::1 2001:db8::1
::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 ::8.8.8.8
64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::a00:1 2002:7f00:1:: 2002:808:808:: 2001:0:4136:e378:8000:63bf:3fff:fdd2
localhost 0x7f.1 2130706433
""".split()


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize("address", PRIVATE)
def test_special_addresses_and_those_that_carry_another_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_addresses_of_the_public_internet_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.spec("PL-26")
def test_one_private_address_among_public_ones_refuses_the_host() -> None:
    with pytest.raises(AddressRefused):
        checked("agents.example", ["8.8.8.8", "10.0.0.7"], allowed_hosts=[])


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize("allowed", ["agents.internal", "Agents.Internal.", " agents.internal "])
def test_a_host_that_is_allowed_by_name_may_be_private(allowed: str) -> None:
    assert checked("agents.internal", ["10.0.0.7"], allowed_hosts=[allowed]) == ["10.0.0.7"]


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize("host", ["internal", "x.agents.internal", "agents.internal.example"])
def test_an_allowed_name_does_not_allow_its_neighbours(host: str) -> None:
    with pytest.raises(AddressRefused):
        checked(host, ["10.0.0.7"], allowed_hosts=["agents.internal"])
