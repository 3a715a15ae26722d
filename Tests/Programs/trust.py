# SPDX-License-Identifier: Apache-2.0
"""Certificates that OpenSSL made, judged by `security verify-cert`: that is SecTrust with the helper program behind it."""

import datetime
import hashlib
import os
import shutil
import subprocess

import pytest

from support.instance import root_of_repository
from support.sentences import cases, contains, equal, lacks
from support.system import covering

helpers = os.environ.get("CHATELAINE_HELPERS", os.path.join(root_of_repository, ".build/release"))
successful = "...certificate verification successful.\n"
server = "subjectAltName=DNS:example.org,DNS:*.wild.example,IP:192.0.2.1\nextendedKeyUsage=serverAuth\n"
# Of the distribution's package ca-certificates.
anchors = "/etc/ssl/certs/ca-certificates.crt"
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


def test_what_is_wrong_with_a_chain_is_said(it):
    chain = Chain(it)
    chain.fails("“leaf” certificate is not trusted", certificates=[chain.leaf])
    other = Authority(it.scratch, "other")
    chain.fails("“root” certificate is not trusted", certificates=[chain.leaf, chain.middle, chain.root], roots=[other])
    chain.fails("“leaf” certificate name does not match input", "-p", "ssl", "-n", "example.com")
    chain.fails("“leaf” certificate is not permitted for this usage", "-p", "smime")
    chain.fails("“leaf” certificate is not permitted for this usage", "-p", "ssl", "-C")
    chain.fails("could not be checked", "-R", "require")
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
def test_what_is_weak_is_not_trusted(it, what):
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


def test_a_helper_that_is_not_there_dies_is_silent_on_purpose_or_talks_nonsense_is_an_error_never_trust(it):
    chain = Chain(it)
    folder = os.path.join(it.scratch, "helpers")
    os.mkdir(folder)
    # The programs' folder has no such helper. One that is installed on this machine is not seen.
    installed = [f"{place}/chatelaine-trust" for place in ["/usr/local/bin", "/usr/bin"]]
    command = [it.program("security"), "verify-cert", "-c", chain.leaf.certificate, "-r", chain.root.certificate]
    done = it.run(
        *covering({path: "/dev/null" for path in installed if os.path.exists(path)}, command), check=1,
        env={**it.environment, "CHATELAINE_HELPERS": folder})
    contains(done.err, f"the program chatelaine-trust, which comes with Chatelaine, is in none of {folder}")
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


def test_the_helper_refuses_what_is_no_request_and_ends(it):
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


def test_words_that_make_no_sense_print_the_usage(it):
    chain = Chain(it)
    for words in [["-p", "nonsense"], ["-d", "2026-02-30"], ["-d", "yesterday"], ["-R", "ocsp"], ["operand"], ["-x"]]:
        equal(chain.verify(*words, check=2).out, "")
    equal(it.run("security", "verify-cert", check=2).out, "")
    missing = it.run("security", "verify-cert", "-c", "missing.pem", check=1)
    contains(missing.err, "missing.pem")
    lacks(missing.out, "successful")
