# SPDX-License-Identifier: Apache-2.0
"""Chains of certificates with any names and name constraints, drawn or given, and what other programs and the standards say about them."""

import dataclasses
import datetime
import ipaddress
import os
import re

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

# All verifiers accept this kind of key. The signed content differs, so one key for each place in a chain is enough.
KEYS = [ec.derive_private_key(2**255 + number, ec.SECP256R1()) for number in range(3)]
EXCLUDED, PERMITTED = "excluded", "permitted"


@dataclasses.dataclass(frozen=True)
class DrawnChain:
    """The special properties of a chain of an anchor, an authority and a server."""

    # Names of the server's certificate: DNS names, or IP addresses.
    names: tuple
    # What a program connects to.
    host: str
    # (place of the authority, PERMITTED or EXCLUDED, DNS name or network); the anchor has the place 0.
    constraints: tuple = ()

    @property
    def dns_constraints(self):
        return [(kind, base) for _, kind, base in self.constraints if isinstance(base, str)]

    @property
    def dns_names(self):
        return [name for name in self.names if isinstance(name, str)]

    def reason_to_refuse(self):
        """Returns why Chatelaine refuses the chain, whatever OpenSSL and Python say; None where it has no reason of its own."""
        if self.dns_constraints:
            for _, base in self.dns_constraints:
                if base and not is_name(base[1:] if base.startswith(".") else base, wildcard=False):
                    return f"the constraint {base!r} cannot be judged"
            for name in self.dns_names:
                if not is_name(name):
                    return f"the name {name!r} cannot be judged"
                for kind, base in self.dns_constraints:
                    parent = base.lower().partition(".")[2]
                    if kind == EXCLUDED and name.startswith("*.") and name[2:].lower() == parent and base[0] != ".":
                        return f"the wildcard {name!r} stands for {base!r}, which is excluded"
        if not is_address(self.host) and not any(names_host(name, self.host) for name in self.dns_names):
            return f"no name that counts is {self.host!r}"
        return None

    def write(self, folder):
        """Writes root.pem, middle.pem and leaf.pem. Returns their paths."""
        os.makedirs(folder)
        start = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None, microsecond=0) - datetime.timedelta(days=1)
        paths, issuer = [], None
        for place, subject in enumerate(["root", "middle", "leaf"]):
            path = os.path.join(folder, subject + ".pem")
            with open(path, "wb") as file:
                file.write(self._certificate(place, subject, start).public_bytes(serialization.Encoding.PEM))
            paths.append(path)
            issuer = subject
        return paths

    def _certificate(self, place, subject, start):
        key, issuer = KEYS[place].public_key(), max(0, place - 1)
        builder = x509.CertificateBuilder(
            subject_name=common_name(subject), issuer_name=common_name(["root", "root", "middle"][place]),
            public_key=key, serial_number=1000 + place, not_valid_before=start, not_valid_after=start + datetime.timedelta(days=90))
        if place < 2:
            signs = dict.fromkeys(["digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
                                   "encipher_only", "decipher_only"], False)
            builder = builder.add_extension(x509.BasicConstraints(True, None), True)
            builder = builder.add_extension(x509.KeyUsage(**signs, key_cert_sign=True, crl_sign=True), True)
            subtrees = {kind: [general_name(base) for where, which, base in self.constraints if (where, which) == (place, kind)]
                        for kind in [PERMITTED, EXCLUDED]}
            if any(subtrees.values()):
                builder = builder.add_extension(x509.NameConstraints(subtrees[PERMITTED] or None, subtrees[EXCLUDED] or None), True)
        else:
            builder = builder.add_extension(x509.BasicConstraints(False, None), True)
            builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
            builder = builder.add_extension(x509.SubjectAlternativeName([general_name(name) for name in self.names]), False)
        builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key), False)
        if place > 0:
            signer = KEYS[issuer].public_key()
            builder = builder.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer), False)
        return builder.sign(KEYS[issuer], hashes.SHA256())


def common_name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def general_name(name):
    return x509.DNSName(name) if isinstance(name, str) else x509.IPAddress(name)


def is_address(host):
    try:
        ipaddress.ip_address(host)
        return True
    except ValueError:
        return False


def is_name(name, wildcard=True):
    """Whether Documentation says of a DNS name that it can be judged."""
    if wildcard and name.startswith("*."):
        return "." in name[2:] and is_name(name[2:], wildcard=False) and len(name) <= 253
    label = r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)"
    return len(name) <= 253 and re.fullmatch(rf"({label}\.)*{label}", name) is not None and not name.rpartition(".")[2].isdigit()


def names_host(name, host):
    if not is_name(name):
        return False
    if name.startswith("*."):
        return host.lower().partition(".")[2] == name[2:].lower()
    return host.lower() == name.lower()


HOSTS = ["good.test", "www.good.test", "a.www.good.test", "abc.good.test", "bad.test", "www.bad.test", "192.0.2.1", "192.0.2.130", "2001:db8::1"]
BASES = ["good.test", "bad.test", "www.good.test", "GOOD.test", "test", ".good.test", ".test", "ood.test", "",
         ipaddress.ip_network("192.0.2.0/25"), ipaddress.ip_network("192.0.2.0/24"), ipaddress.ip_network("0.0.0.0/0"),
         ipaddress.ip_network("2001:db8::/32")]
STRANGE_BASES = ["good.test.", "-good.test", "good..test", "good test", "192.0.2.1", "a" * 64 + ".test", "..good.test", "."]
STRANGE_NAMES = ["good.test.", "www.good.test.", "*.test", "*", "a*c.good.test", "*c.good.test", "www.*.test", "*.*.test", "-a.good.test",
                 "a-.good.test", "a" * 64 + ".good.test", ".good.test", "a..good.test", "good.test ", "1.2.3.4", "a_b.good.test"]


def draw(dice):
    """Returns a chain that the dice chose: often one with a name that the host has, sometimes with strange names or constraints."""
    host = dice.choice(HOSTS)
    names = [ipaddress.ip_address(host)] if is_address(host) else [dice.choice([host, host.upper(), "*." + host.partition(".")[2]])]
    for _ in range(dice.randrange(3)):
        other = dice.choice(STRANGE_NAMES if dice.random() < 0.25 else HOSTS)
        names.append(ipaddress.ip_address(other) if is_address(other) and ":" in other else other)
    dice.shuffle(names)
    constraints = []
    for _ in range(dice.randrange(4)):
        base = dice.choice(STRANGE_BASES if dice.random() < 0.1 else BASES)
        constraints.append((dice.randrange(2), dice.choice([PERMITTED, EXCLUDED, EXCLUDED]), base))
    return DrawnChain(tuple(names), host, tuple(constraints))
