# SPDX-License-Identifier: Apache-2.0
"""Identities of the keychain in swift-certificates and swift-nio-ssl, through the adapters of Examples/Adapters."""

import json
import os

import pytest

from support.instance import root_of_repository
from support.sentences import equal

# It needs a build of Examples/Adapters, which takes minutes.
pytestmark = pytest.mark.long

folder = os.path.join(root_of_repository, "Examples/Adapters/.build/debug")


def built(it, name):
    program = os.path.join(folder, name)
    if not os.path.exists(program):
        pytest.skip("not built: swift build --package-path Examples/Adapters")
    return it.programs.copy(program, os.path.join(it.programs.folder, name))


def test_a_certificate_is_signed_and_a_tls_connection_served_with_a_key_that_stays_in_the_service(it):
    program = built(it, "server-identity")
    it.start()
    done = it.run(program, check=0)
    equal(
        done.out.splitlines(),
        ["made a key; it can be extracted: false", "stored a certificate: server.example.com",
         "a client heard: hello, over TLS", "Apple's functions find it: true"])
    lines = [json.loads(line) for line in it.run("chatelaine", "log", "--json", check=0).out.splitlines()]
    actions = [line["action"] for line in lines]
    # The certificate and the handshake.
    equal(actions.count("sign-with-key"), 2)
    # The example deleted its items, as the command's list of all programs' items shows.
    for kind in "keys", "certificates", "identities":
        equal(json.loads(it.run("chatelaine", kind, "--json", check=0).out), [])


def test_modules_with_another_name_in_the_build_are_used_beside_swift_certificates(it):
    program = built(it, "aliased-imports")
    it.start()
    equal(it.run(program, check=0).out, "CN=aliased-imports: 0, reuse for 0.0 s\n")
