# SPDX-License-Identifier: Apache-2.0
"""Certificates that OpenSSL made, judged by `security verify-cert`: that is SecTrust with the helper program behind it."""

import datetime
import hashlib
import ipaddress
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from support.certificates import EXCLUDED, PERMITTED, DrawnChain, draw, is_address
from support.instance import read_text, root_of_repository, wait_until
from support.seeds import dice, finding, rounds
from support.sentences import cases, contains, equal, lacks
from support.system import covering

helpers = os.environ.get("CHATELAINE_HELPERS", os.path.join(root_of_repository, ".build/release"))
successful = "...certificate verification successful.\n"
server = "subjectAltName=DNS:example.org,DNS:*.wild.example,IP:192.0.2.1\nextendedKeyUsage=serverAuth\n"
# Of the distribution's package ca-certificates.
anchors = "/etc/ssl/certs/ca-certificates.crt"
# Of the distribution's package publicsuffix.
public_suffixes = "/usr/share/publicsuffix/public_suffix_list.dat"
authority = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n"


class Authority:
    """A certificate in PEM with its key, in a folder of a test's."""

    def __init__(self, folder, name, issuer=None, extensions=authority, key="EC", days=365, digest="sha256", start=None):
        self.name = name
        self.certificate = os.path.join(folder, name + ".pem")
        self.key = os.path.join(folder, name + ".key")
        options = {"EC": ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "RSA 1024": ["rsa", "-pkeyopt", "rsa_keygen_bits:1024"]}
        openssl("genpkey", "-algorithm", *options[key], "-out", self.key)
        request, written = os.path.join(folder, name + ".csr"), os.path.join(folder, name + ".ext")
        with open(written, "w") as file:
            file.write(extensions)
        openssl("req", "-new", "-key", self.key, "-subj", "/CN=" + name, "-out", request)
        signer = ["-CA", issuer.certificate, "-CAkey", issuer.key] if issuer else ["-signkey", self.key]
        words = ["x509", "-req", "-in", request, "-extfile", written, "-" + digest, "-days", str(days), *signer,
                 "-set_serial", str(int.from_bytes(os.urandom(8), "big")), "-out", self.certificate]
        openssl(*words)

    def der(self):
        path = self.certificate[:-3] + "der"
        openssl("x509", "-in", self.certificate, "-outform", "DER", "-out", path)
        return path


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True)


class Chain:
    def __init__(self, it, **leaf):
        self.it = it
        self.root = Authority(it.scratch, "root")
        self.middle = Authority(it.scratch, "middle", self.root)
        self.leaf = Authority(it.scratch, "leaf", self.middle, **{"extensions": server, **leaf})

    def verify(self, *words, certificates=None, roots=None, check=None, helper=helpers):
        given = [self.leaf, self.middle] if certificates is None else certificates
        trusted = [self.root] if roots is None else roots
        environment = {**self.it.environment, "CHATELAINE_HELPERS": helper}
        return self.it.run(
            "security", "verify-cert", *[word for c in given for word in ("-c", c.certificate)],
            *[word for root in trusted for word in ("-r", root.certificate)], *words, check=check, env=environment)

    def fails(self, sentence, *words, **more):
        done = self.verify(*words, check=1, **more)
        equal(done.out, "")
        contains(done.err, sentence)


def test_a_chain_of_openssls_is_verified_in_pem_and_in_der_in_one_file_and_in_several_in_any_order(it):
    chain = Chain(it)
    equal(chain.verify("-p", "ssl", "-n", "example.org", check=0).out, successful)
    equal(chain.verify(certificates=[chain.leaf, chain.root, chain.middle], check=0).out, successful)
    environment = {**it.environment, "CHATELAINE_HELPERS": helpers}
    words = ["-c", chain.leaf.der(), "-c", chain.middle.der(), "-r", chain.root.der()]
    equal(it.run("security", "verify-cert", *words, env=environment, check=0).out, successful)
    together = os.path.join(it.scratch, "together.pem")
    with open(together, "w") as file:
        for certificate in [chain.leaf, chain.middle, chain.root]:
            with open(certificate.certificate) as part:
                file.write(part.read())
    words = ["-c", together, "-r", chain.root.certificate]
    equal(it.run("security", "verify-cert", *words, env=environment, check=0).out, successful)
    equal(chain.verify("-q", check=0).out, "")


def test_the_errors_of_a_chain_are_reported(it):
    chain = Chain(it)
    chain.fails("“leaf” certificate is not trusted", certificates=[chain.leaf])
    other = Authority(it.scratch, "other")
    chain.fails("“root” certificate is not trusted", certificates=[chain.leaf, chain.middle, chain.root], roots=[other])
    chain.fails("“leaf” certificate name does not match input", "-p", "ssl", "-n", "example.com")
    chain.fails("“leaf” certificate is not permitted for this usage", "-p", "smime")
    chain.fails("“leaf” certificate is not permitted for this usage", "-p", "ssl", "-C")
    chain.fails("has an unknown revocation status", "-R", "require")
    later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=366)
    chain.fails("“leaf” certificate is expired", "-d", later.strftime("%Y-%m-%d-%H:%M:%S"))
    chain.fails("“leaf” certificate is not valid yet", "-d", "2020-02-29")
    # Not in the system's file, however right it is.
    done = it.run("security", "verify-cert", "-c", chain.root.certificate, check=1,
                  env={**it.environment, "CHATELAINE_HELPERS": helpers})
    contains(done.err, "“root” certificate is not trusted")


def test_hosts_wildcards_and_addresses_are_compared_as_tls_wants_it(it):
    chain = Chain(it)
    for host in ["EXAMPLE.ORG", "a.wild.example", "192.0.2.1"]:
        equal(chain.verify("-p", "ssl", "-n", host, check=0).out, successful)
    for host in ["wild.example", "a.b.wild.example", "192.0.2.2", "leaf"]:
        chain.fails("“leaf” certificate name does not match input", "-p", "ssl", "-n", host)


@cases("what", ["RSA of 1024 bits", "SHA-1"])
def test_a_weak_certificate_is_not_trusted(it, what):
    chain = Chain(it, **({"key": "RSA 1024"} if what == "RSA of 1024 bits" else {"digest": "sha1"}))
    done = chain.verify(check=1)
    equal(done.out, "")
    contains(done.err, "“leaf” certificate is using a broken " + ("signature algorithm" if what == "SHA-1" else "key size"))


def test_what_the_distribution_trusts_is_trusted(it):
    if not os.path.exists(anchors):
        pytest.skip(f"there is no {anchors}")
    with open(anchors) as file:
        text = file.read()
    # The first certificate that is valid for another day.
    for part in text.split("-----BEGIN CERTIFICATE-----")[1:]:
        path = os.path.join(it.scratch, "anchor.pem")
        with open(path, "w") as file:
            file.write("-----BEGIN CERTIFICATE-----" + part)
        environment = {**it.environment, "CHATELAINE_HELPERS": helpers}
        end = subprocess.run(["openssl", "x509", "-in", path, "-noout", "-checkend", "86400"], capture_output=True)
        if end.returncode == 0:
            equal(it.run("security", "verify-cert", "-c", path, env=environment, check=0).out, successful)
            return
    raise AssertionError("all anchors of this machine have expired")


def test_an_anchor_is_trusted_while_the_distribution_lists_it_and_no_longer(it):
    if not os.path.exists(anchors):
        pytest.skip(f"there is no {anchors}")
    chain = Chain(it)
    other = Authority(it.scratch, "other")
    environment = {**it.environment, "CHATELAINE_HELPERS": helpers}
    command = [it.program("security"), "verify-cert", "-c", chain.leaf.certificate, "-c", chain.middle.certificate]
    for listed, status in [(chain.root, 0), (other, 1)]:
        done = it.run(*covering({anchors: listed.certificate}, command), env=environment, check=status)
        equal(done.out, successful if listed is chain.root else "")


def test_the_keychains_of_the_systems_roots_are_the_certificates_that_the_distribution_trusts(it):
    if not os.path.exists(anchors):
        pytest.skip(f"there is no {anchors}")
    chain = Chain(it)
    environment = {**it.environment, "CHATELAINE_HELPERS": helpers}

    def run(*words, check=0):
        command = [it.program("security"), *words]
        return it.run(*covering({anchors: chain.root.certificate}, command), env=environment, check=check)

    with open(chain.root.certificate) as file:
        pem = file.read()
    body = pem[pem.index("-----BEGIN CERTIFICATE"):].split()
    for name in ["SystemRootCertificates.keychain", "/System/Library/Keychains/SystemRootCertificates.keychain",
                 "/Library/Keychains/System.keychain"]:
        equal(run("find-certificate", "-a", "-p", name).out.split(), body)
    contains(run("find-certificate", "-c", "root", "System.keychain").out, 'keychain: "System.keychain"', '"labl"<blob>="root"')
    contains(run("find-certificate", "-c", "nobody", "System.keychain", check=44).err, "SecKeychainSearchCopyNext")
    equal(run("dump-trust-settings", "-s").out,
          "Number of trusted certs = 1\nCert 0: root\n   Number of trust settings : 0\n")
    contains(run("dump-trust-settings", check=1).err, "No Trust Settings were found.")
    equal(run("verify-cert", "-c", chain.leaf.certificate, "-c", chain.middle.certificate, "-k",
              "/System/Library/Keychains/SystemRootCertificates.keychain").out, successful)


def test_a_helper_that_is_not_there_dies_is_silent_on_purpose_or_talks_nonsense_is_an_error_never_trust(it):
    chain = Chain(it)
    folder = os.path.join(it.scratch, "helpers")
    os.mkdir(folder)
    # The programs' folder has no such helper. A helper that is installed on this machine is hidden.
    installed = [f"{place}/chatelaine-trust" for place in ["/usr/local/bin", "/usr/bin"]]
    command = [it.program("security"), "verify-cert", "-c", chain.leaf.certificate, "-r", chain.root.certificate]
    done = it.run(
        *covering({path: "/dev/null" for path in installed if os.path.exists(path)}, command), check=1,
        env={**it.environment, "CHATELAINE_HELPERS": folder})
    contains(done.err, f"chatelaine-trust, a program of Chatelaine, was not found in {folder}")
    noise = os.path.join(folder, "noise")
    with open(noise, "wb") as file:
        file.write(hashlib.shake_256(b"no answer of a helper").digest(200))
    for script in ["exit 1", "kill -9 $$", "cat /dev/zero", f"cat {noise}", "printf '\\001\\002\\000\\000'",
                   "printf '\\001\\002\\000\\000\\377\\377\\377\\377'"]:
        path = os.path.join(folder, "chatelaine-trust")
        with open(path, "w") as file:
            file.write("#!/bin/sh\n" + script + "\n")
        os.chmod(path, 0o755)
        done = chain.verify(helper=folder, check=1)
        equal(done.out, "")
        contains(done.err, path)
        os.remove(path)


def test_the_helper_refuses_bytes_that_are_not_a_request_and_ends(it):
    program = os.path.join(helpers, "chatelaine-trust")
    for request in [b"", b"\x01\x12\x00\x00", b"\x02" * 8, b"\x01\x12\x00\x00\xff\xff\xff\xff", b"\x01\x12\x00\x00\x00\x00\x00\x05ab"]:
        done = it.run(program, input=request, check=65)
        equal(done.out, "")
        contains(done.err, "error: no request")
    done = it.run(program, input=b"\x01\x12\x00\x00\x00\x00\x00\x01x", check=0)
    equal(done.stdout[:4], b"\x01\x01\x00\x00")
    contains(done.out, "the request is malformed")
    equal(it.run(program, "--verbose", check=64).out, "")
    contains(it.run(program, "--help", check=0).out, "usage: chatelaine-trust")


def test_the_kernel_gives_the_helper_twenty_seconds_of_a_processor(it):
    program = os.path.join(helpers, "chatelaine-trust")
    with it.popen(program, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        def limits():
            return re.search(r"^Max cpu time +(\w+) +(\w+)", read_text(f"/proc/{process.pid}/limits"), re.M).groups()
        wait_until(lambda: limits() == ("20", "20"), what="the limit")
        # It has read nothing yet.
        equal(process.poll(), None)
        process.stdin.close()


def test_words_that_make_no_sense_print_the_usage(it):
    chain = Chain(it)
    for words in [["-p", "nonsense"], ["-d", "2026-02-30"], ["-d", "yesterday"], ["-R", "ocsp"], ["operand"], ["-x"]]:
        equal(chain.verify(*words, check=2).out, "")
    equal(it.run("security", "verify-cert", check=2).out, "")
    missing = it.run("security", "verify-cert", "-c", "missing.pem", check=1)
    contains(missing.err, "missing.pem")
    lacks(missing.out, "successful")


# Names and name constraints, in chains of an anchor, an authority and a server (support/certificates.py).

# OpenSSL and Python trust the chain except for the stated reason, so each refusal has a name as its only reason.
ATTACKS = [
    DrawnChain((name, "example.org"), "example.org", ((1, EXCLUDED, "good.test"),))
    for name in ["good.test.", "www.good.test.", "*.test", "a*c.good.test", "-a.good.test", "a-.good.test", "a" * 64 + ".good.test",
                 "a..good.test", "good.test "]
] + [
    # Constraints of the anchor, too.
    DrawnChain(("good.test.", "example.org"), "example.org", ((0, EXCLUDED, "good.test"),)),
    DrawnChain(("*.good.test",), "www.good.test", ((1, EXCLUDED, "www.good.test"),)),
    DrawnChain(("example.org",), "example.org", ((1, EXCLUDED, "good.test."),)),
    DrawnChain(("example.org",), "example.org", ((1, EXCLUDED, "-good.test"),)),
    DrawnChain(("example.org",), "example.org", ((1, PERMITTED, "example.org."),)),
    DrawnChain(("f*o.example.org",), "foo.example.org"),
    DrawnChain(("*.test",), "good.test"),
    DrawnChain(("example.org.",), "example.org"),
]
# What differs from them in one thing.
GENUINE = [
    DrawnChain(("good.test", "example.org"), "example.org"),
    DrawnChain(("other.test", "example.org"), "example.org", ((0, EXCLUDED, "good.test"), (1, EXCLUDED, "good.test"))),
    DrawnChain(("*.good.test",), "www.good.test", ((1, EXCLUDED, "www.bad.test"),)),
    DrawnChain(("good.test.", "example.org"), "example.org", ((1, EXCLUDED, ipaddress.ip_network("192.0.2.0/24")),)),
    DrawnChain(("example.org",), "example.org", ((1, PERMITTED, "example.org"),)),
    DrawnChain(("*.example.org",), "foo.example.org"),
]


def is_trusted(it, chain, paths, covered=None):
    root, middle, leaf = paths
    words = [it.program("security"), "verify-cert", "-c", leaf, "-c", middle, "-r", root, "-p", "ssl", "-n", chain.host]
    done = it.run(*covering(covered or {}, words), env={**it.environment, "CHATELAINE_HELPERS": helpers})
    if done.returncode == 0:
        equal(done.out, successful)
        return True
    # Neither an error of the helper nor a fault of another kind.
    equal(done.returncode, 1)
    mismatch = "certificate name does not match input"
    contains(done.err, mismatch if mismatch in done.err else "certificate does not meet issuer constraints")
    return False


def openssl_trusts(chain, paths):
    root, middle, leaf = paths
    identity = ["-verify_ip" if is_address(chain.host) else "-verify_hostname", chain.host]
    words = ["openssl", "verify", "-no-CApath", "-no-CAstore", "-CAfile", root, "-untrusted", middle, "-purpose", "sslserver"]
    return subprocess.run([*words, *identity, leaf], capture_output=True).returncode == 0


def differences(it, chains, others):
    """Returns the chains of which Chatelaine and another verifier say different things, but for what Chatelaine refuses on purpose.

    others: the verdict on each chain, None where the verifier cannot give one."""
    found = []
    for (chain, paths), other in zip(chains, others):
        mine, reason = is_trusted(it, chain, paths), chain.reason_to_refuse()
        if mine and reason or reason is None and other is not None and mine != other:
            found.append({"chain": repr(chain), "reason": reason, "Chatelaine": mine, "other": other})
    return found


def written(it, chains):
    return [(chain, chain.write(os.path.join(it.scratch, f"chain-{number}"))) for number, chain in enumerate(chains)]


def test_names_and_constraints_in_a_form_that_no_comparison_finds_are_not_trusted(it):
    equal([chain for chain in ATTACKS if not chain.reason_to_refuse()], [])
    equal([chain for chain, paths in written(it, ATTACKS) if is_trusted(it, chain, paths)], [])


def test_the_same_chains_without_the_attack_are_trusted_by_openssl_too(it):
    for chain, paths in written(it, GENUINE):
        assert is_trusted(it, chain, paths), chain
        assert openssl_trusts(chain, paths), chain


def test_a_wildcard_directly_below_a_public_suffix_names_no_host(it):
    if not os.path.exists(public_suffixes):
        pytest.skip(f"there is no {public_suffixes}")
    chain = DrawnChain(("*.good.test",), "www.good.test")
    paths = chain.write(os.path.join(it.scratch, "chain"))
    for rules, is_expected in [("good.test", False), ("*.test", False), ("*.good.test", False), ("*.test\n!good.test", True),
                               ("bad.test", True), ("", True)]:
        path = os.path.join(it.scratch, "rules")
        with open(path, "w") as file:
            file.write(f"// ===BEGIN ICANN DOMAINS===\ntest\n{rules}\n// ===END ICANN DOMAINS===\ngood.test\n")
        equal(is_trusted(it, chain, paths, covered={public_suffixes: path}), is_expected)


def test_chatelaine_and_openssl_say_the_same_of_drawn_names_and_constraints(it):
    choices = dice("names, a few")
    chains = written(it, [draw(choices) for _ in range(60)])
    verdicts = [openssl_trusts(chain, paths) for chain, paths in chains]
    equal(differences(it, chains, verdicts), [])
    assert True in verdicts and False in verdicts


@pytest.mark.long
def test_chatelaine_and_openssl_say_the_same_of_many_drawn_names_and_constraints(it):
    choices = dice("names, with OpenSSL")
    chains = written(it, [draw(choices) for _ in range(rounds(1500))])
    report(differences(it, chains, [openssl_trusts(chain, paths) for chain, paths in chains]), "trust-openssl.json")


@pytest.mark.long
def test_chatelaine_and_the_verifier_of_pythons_cryptography_say_the_same_of_many_drawn_names_and_constraints(it):
    choices = dice("names, with Python")
    chains = written(it, [draw(choices) for _ in range(rounds(1500))])
    report(differences(it, chains, python_verdicts(chains)), "trust-python.json")


def report(found, name):
    if found:
        path = finding(name)
        with open(path, "w") as file:
            json.dump(found, file, indent=1)
        raise AssertionError(f"{len(found)} chains (in {path}), the first: {found[0]}")


VERIFIER = """
import ipaddress, json, sys
from cryptography import x509
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

def verdict(host, paths):
    root, middle, leaf = [x509.load_pem_x509_certificate(open(path, "rb").read()) for path in paths]
    try:
        subject = x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        subject = x509.DNSName(host)
    try:
        PolicyBuilder().store(Store([root])).build_server_verifier(subject).verify(leaf, [middle])
        return True
    except VerificationError:
        return False

json.dump([verdict(*case) for case in json.load(sys.stdin)], sys.stdout)
"""


def python_verdicts(chains):
    """Returns what the verifier of Python's cryptography says, which came with its version 42: that of Debian 12 has none."""
    for python in [sys.executable, os.environ.get("CHATELAINE_PYTHON")]:
        if python and not subprocess.run([python, "-c", "import cryptography.x509.verification"], capture_output=True).returncode:
            break
    else:
        pytest.skip("no Python with cryptography 42 or later; name one in CHATELAINE_PYTHON")
    cases = [(chain.host, paths) for chain, paths in chains]
    done = subprocess.run([python, "-c", VERIFIER], input=json.dumps(cases), capture_output=True, text=True)
    equal(done.stderr, "")
    # It has no names with underscores, no constraints with a dot before them, and none for all names: a chain with one is invalid there.
    return [None if any("_" in name for name in chain.dns_names)
            or any(not base or base.startswith(".") for _, base in chain.dns_constraints) else verdict
            for (chain, _), verdict in zip(chains, json.loads(done.stdout))]
