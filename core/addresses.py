"""Where outgoing calls may go: public addresses, and hosts that the operator allows by name (PL-26)."""

import socket
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Resolver = Callable[[str, int], list[str]]

# IPv6 forms that carry an IPv4 address inside: a gateway would deliver them to that address, past a check of the
# outer one. They are refused as a whole; a host on the public internet has an address of its own.
CARRIERS = tuple(
    map(ip_network, ("::/96", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"))
)


class AddressRefused(Exception):
    """The host stands, with at least one of its addresses, where outgoing calls may not go."""


def is_public(address: str) -> bool:
    """Whether it is an address of the public internet: not private, loopback, link-local, multicast or reserved."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if not parsed.is_global or parsed.is_multicast or parsed.is_reserved or parsed.is_unspecified:
        return False
    return isinstance(parsed, IPv4Address) or not _carries_ipv4(parsed)


def _carries_ipv4(address: IPv6Address) -> bool:
    return any(address in network for network in CARRIERS)


def resolve(host: str, port: int) -> list[str]:
    """Every address of the host, in the system's order of preference; raises `OSError` where it has none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def same_host(host: str) -> str:
    """A host in the one spelling by which hosts are compared."""
    return host.strip().strip("[]").rstrip(".").lower()


def checked(host: str, addresses: Iterable[str], *, allowed_hosts: Iterable[str]) -> list[str]:
    """The addresses, to be connected to as they are; raises `AddressRefused` where one is not public.

    One bad address refuses the host: a name that answers with a public and a private address is an attack or a fault.
    """
    addresses = list(addresses)
    if same_host(host) not in {same_host(allowed) for allowed in allowed_hosts}:
        for address in addresses:
            if not is_public(address):
                raise AddressRefused(host)
    return addresses
