# SPDX-License-Identifier: Apache-2.0
"""How the real service sees real programs: signed, changed, replaced, in containers, dying.

What groups and entitlements then do is in access_groups.py.
"""

import hashlib
import os
import plistlib
import struct
import subprocess

import pytest

from support.caller import Caller, compile_caller
from support.instance import digest, is_root, own_kilobytes, wait_until
from support.sentences import both, cases, contains, equal, lacks, ordinary
from support.signing import signatures, team, tool
from support.wire import (
    COPY, DATA, MISSING_ENTITLEMENT, NOT_FOUND, REQUIRE_ENTITLEMENTS, SIGNED,
    UNIDENTIFIED, UNSIGNED, frame, query)

secret = b"correct horse battery staple"
item = {"svce": "com.example.service", "acct": "ann"}
copy_request = query(item) + (1).to_bytes(4, "big") + bytes([DATA])
NO_ENTITLEMENTS, READ_ONLY_GROUP = 27, 28


def sign(it, path, key, entitlements=None, identifier="org.example.keeper"):
    words = ["--identifier", identifier]
    if entitlements is not None:
        plist = os.path.join(it.scratch, "test.entitlements")
        with open(plist, "wb") as file:
            file.write(plistlib.dumps(entitlements))
        os.chmod(plist, 0o644)
        words += ["--entitlements", plist]
    it.own(path, 0o755)
    it.own(os.path.dirname(path), 0o755)
    it.run("chatelaine", "codesign", "--sign", key, *words, path, check=0)
    return path


def look(it, *words):
    """How the service sees a program that runs."""
    with Caller(it, *words) as program:
        return program.connect().identity()


def keep(it, path, group=None):
    with Caller(it, path) as program:
        values = dict(item, agrp=group) if group else item
        equal(program.connect().add(values, secret).status, 0)


def finds(it, path):
    """The secret, or None if there is no such item for the program."""
    with Caller(it, path) as program:
        answer = program.connect().copy(item)
        if answer.status == NOT_FOUND:
            return None
        equal((answer.status, len(answer.items)), (0, 1))
        return answer.items[0][2]


def content_of(path):
    with open(path, "rb") as file:
        return file.read()


def rewrite(path, content):
    """Puts another file in the program's place: a running one cannot be written."""
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.chmod(path + ".new", 0o755)
    os.rename(path + ".new", path)


# MARK: Signed programs


@both
def test_a_signed_program_is_known_by_team_and_identifier_and_keeps_its_items_when_it_is_rebuilt(it):
    key = team(it)
    program = sign(it, compile_caller(it), key)
    report = look(it, program)
    equal((report.tier, report.kind, report.name), (SIGNED, "signed", (key, "org.example.keeper")))
    equal((report.groups, report.has_entitled_groups, report.path), ([f"{key}.org.example.keeper"], True, program))
    lacks(report.findings, "noSignature")
    keep(it, program)
    before = digest(program)
    os.remove(program)
    sign(it, compile_caller(it, "caller", "-O2", "-g"), key)
    assert digest(program) != before
    equal(finds(it, program), secret)
    [listed] = it.list()[-1:]
    equal(listed["group"], f"{key}.org.example.keeper")


@both
def test_the_groups_of_a_program_are_those_of_its_entitlements_in_apples_order(it):
    key = team(it)
    program = sign(it, compile_caller(it), key, {
        "com.apple.security.application-groups": [f"{key}.group.shared"],
        "application-identifier": f"{key}.org.example.keeper",
        "keychain-access-groups": [f"{key}.second", "com.apple.token", f"{key}.first", f"{key}.second"]})
    with Caller(it, program) as caller:
        client = caller.connect()
        report = client.identity()
        groups = [f"{key}.second", f"{key}.first", f"{key}.org.example.keeper", f"{key}.group.shared",
                  "com.apple.token"]
        equal((report.groups, report.has_entitled_groups), (groups, True))
        equal(client.status(), (SIGNED, program, groups))
        equal(report.entitlements["application-identifier"], f"{key}.org.example.keeper")
        equal(client.add(item, secret).status, 0)
        for group in groups[:4]:
            equal((group, client.copy(item, group=group).status), (group, 0 if group == groups[0] else NOT_FOUND))
        answer = client.add(dict(item, agrp="com.apple.token"), secret)
        equal((answer.status, answer.reason), (MISSING_ENTITLEMENT, READ_ONLY_GROUP))
        for group in [f"{key}.Second", f"{key}.third", "A" * 26 + ".second"]:
            equal(client.copy(item, group=group).status, MISSING_ENTITLEMENT)


# MARK: Signatures that do not count


def section_headers(content):
    """Place and fields of each."""
    table, = struct.unpack_from("<Q", content, 40)
    count, = struct.unpack_from("<H", content, 60)
    places = [table + 64 * number for number in range(count)]
    return [(place, struct.unpack_from("<IIQQQQIIQQ", content, place)) for place in places]


@both
@cases("what", [
    "strip came after it", "llvm-strip took it away", "a byte of the program is another", "its section is garbage",
    "it has a newer version", "it claims another team's group", "its key did not make it", "there are two of it",
    "its section is a gigabyte"])
def test_a_signature_does_not_count(it, what):
    key = team(it)
    program = sign(it, compile_caller(it), key, {"keychain-access-groups": [f"{key}.own"]})
    equal(look(it, program).groups, [f"{key}.own", f"{key}.org.example.keeper"])
    keep(it, program)
    content, reader = content_of(program), signatures()
    start, end = reader.section_range(content)
    section = content[start:end]
    finding = "damagedSignature"
    if what == "strip came after it":
        it.run(tool("strip"), program, check=0)
        finding = "changedAfterSigning"
    elif what == "llvm-strip took it away":
        it.run(tool("llvm-strip"), program, check=0)
        finding = "noSignature"
    elif what == "a byte of the program is another":
        place = content.index(b"error unknown")
        rewrite(program, content[:place] + b"E" + content[place + 1 :])
        finding = "changedAfterSigning"
    elif what == "its section is garbage":
        rewrite(program, content[:start] + hashlib.shake_256(b"no signature").digest(len(section)) + content[end:])
    elif what == "it has a newer version":
        rewrite(program, content[:start] + section[:7] + b"\2" + section[8:] + content[end:])
        finding = "newerSignature"
    elif what == "it claims another team's group":
        seed = it.run("chatelaine", "get", "chatelaine team key", "--user", key, "--no-newline", check=0).stdout
        stated = reader.parse(section)
        forged = reader.encode(
            seed, stated["time"], stated["fileSize"], stated["earlierTable"], stated["identifier"],
            dict(stated["entitlements"], **{"keychain-access-groups": ["A" * 26 + ".own"]}),
            bytes.fromhex(stated["digest"]))
        equal(len(forged), len(section))
        rewrite(program, content[:start] + forged + content[end:])
        finding = "foreignEntitlements"
    elif what == "its key did not make it":
        rewrite(program, content[: end - 1] + bytes([content[end - 1] ^ 1]) + content[end:])
    elif what == "there are two of it":
        # Another section that is not loaded gets its name.
        changed, headers = bytearray(content), section_headers(content)
        [own] = [place for place, header in headers if header[4] == start]
        [other, *_] = [place for place, header in headers if header[1] == 1 and not header[2] & 2 and place != own]
        changed[other : other + 4] = changed[own : own + 4]
        rewrite(program, bytes(changed))
    else:
        # The header of the section says so, and the file has the holes.
        changed, size = bytearray(content), len(content)
        [own] = [place for place, header in section_headers(content) if header[4] == start]
        struct.pack_into("<QQ", changed, own + 24, size, 1_000_000_000)
        rewrite(program, bytes(changed))
        os.truncate(program, size + 1_000_000_000)
    with Caller(it, program) as caller:
        report = caller.connect().identity()
        contains(report.findings, finding)
        if what != "its section is a gigabyte":
            equal((report.tier, report.kind, report.name), (UNSIGNED, "unsigned", (digest(program),)))
        lacks(report.groups, f"{key}.own")
        equal(finds(it, program), None)
    # As it was signed, it has its items again.
    rewrite(program, content)
    equal(finds(it, program), secret)
    assert own_kilobytes(it.pid()) < 200_000, "the service took the section's memory"


@both
def test_a_teams_key_in_the_keychain_belongs_to_the_command_and_to_no_program(it):
    key = team(it)
    program = sign(it, compile_caller(it), key)
    with Caller(it, program) as caller:
        equal(caller.connect().copy({"svce": "chatelaine team key"}).status, NOT_FOUND)


# MARK: A file that is replaced


@both
def test_a_running_program_stays_who_it_is_when_its_file_is_replaced_and_its_successor_is_the_new_one(it):
    key = team(it)
    program = sign(it, compile_caller(it), key)
    keep(it, program)
    with Caller(it, program) as old:
        client = old.connect()
        equal(client.copy(item).status, 0)
        # Not signed, and other bytes.
        rewrite(program, content_of(compile_caller(it, "other", "-O2")))
        equal(client.copy(item).items[0][2], secret)
        # A new connection of the old process as well.
        again = old.connect_again()
        equal(again.identity().kind, "signed")
        equal(again.copy(item).items[0][2], secret)
        equal(look(it, program).kind, "unsigned")
        equal(finds(it, program), None)
        # It becomes its own successor.
        old.do("exec", program, it.socket_path)
        equal(old._line(), "ready")
        equal(old.connect().identity().kind, "unsigned")


# MARK: A client's own rule


@both
def test_a_program_can_ask_for_apples_rule_for_its_own_connection_alone(it):
    it.start()
    program = compile_caller(it)
    keep(it, program)
    with Caller(it, program) as caller:
        client = caller.connect()
        equal(client.request(REQUIRE_ENTITLEMENTS).status, 0)
        answer = client.copy(item)
        equal((answer.status, answer.reason), (MISSING_ENTITLEMENT, NO_ENTITLEMENTS))
        equal(client.identity().groups, [])
    equal(finds(it, program), secret)


# MARK: Processes that die, hide, or live elsewhere


@both
@cases("when", [
    "after connecting", "after the hello", "within a frame's head", "within a request", "after a request",
    "with a part of the answer unread"])
def test_a_process_that_dies_leaves_the_service_well(it, when):
    it.start()
    program = compile_caller(it)
    keep(it, program)
    for _ in range(20):
        with Caller(it, program) as caller:
            if when == "after connecting":
                caller.do("connect")
                continue
            client = caller.connect()
            request = frame(COPY, client.nonce + copy_request)
            if when == "within a frame's head":
                caller.sendall(request[:5])
            elif when == "within a request":
                caller.sendall(request[:-3])
            elif when != "after the hello":
                caller.sendall(request)
            if when.startswith("with a part"):
                caller.recv(9)
    equal(finds(it, program), secret)
    wait_until(lambda: len(os.listdir(f"/proc/{it.daemon.pid}/task")) <= 6, what="the end of the connections' threads")


@ordinary
def test_a_process_that_the_kernel_does_not_let_the_service_look_at_gets_nothing(it):
    it.start()
    program = compile_caller(it)
    keep(it, program)
    with Caller(it, program) as caller:
        caller.do("dumpable", 0)
        client = caller.connect()
        if not it.user and is_root:
            pytest.skip("root looks at everybody")
        report = client.identity()
        equal((report.tier, report.findings, report.groups), (UNIDENTIFIED, ["notInspectable"], []))
        answer = client.copy(item)
        equal((answer.status, answer.reason), (MISSING_ENTITLEMENT, 1))


@both
def test_a_service_that_sees_no_proc_identifies_no_caller_says_so_and_lives(it):
    if not is_root:
        pytest.skip("needs root, to hide /proc")
    user = str(it.user or 0)
    script = 'mount -t tmpfs none /proc && exec setpriv --reuid "$0" --regid "$0" --clear-groups "$@"'
    it.log = os.path.join(it.scratch, "chatelained.log")
    with open(it.log, "ab") as log:
        it.daemon = it.popen(
            "unshare", "--mount", "/bin/sh", "-c", script, user, it.program("chatelained"), stdin=subprocess.DEVNULL,
            stdout=log, stderr=log, user=0, group=0)
    wait_until(lambda: it.is_listening() or it.daemon.poll() is not None, what="the start of the service")
    equal(it.daemon.poll(), None)
    for _ in range(3):
        with Caller(it, compile_caller(it)) as caller:
            client = caller.connect()
            equal(client.identity().tier, UNIDENTIFIED)
            answer = client.copy(item)
            equal((answer.status, answer.reason), (MISSING_ENTITLEMENT, 1))
    it.run("chatelaine", "list", check=4)
    contains(it.run("chatelaine", "status", check=0).out, "(unidentified)")
    equal(it.daemon.poll(), None)


@both
def test_a_program_in_a_container_with_namespaces_of_its_own_but_not_of_users_is_known_by_its_bytes(it):
    if not is_root:
        pytest.skip("needs root, to make such namespaces")
    it.start()
    program = compile_caller(it)
    keep(it, program)
    script = 'exec setpriv --reuid "$0" --regid "$0" --clear-groups "$@"'
    words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--net", "--uts", "/bin/sh", "-c",
             script, str(it.user or 0), program]
    with Caller(it, *words, user=0, group=0) as caller:
        client = caller.connect()
        report = client.identity()
        equal((report.tier, report.name), (UNSIGNED, (digest(program),)))
        assert report.process > 1, "the number that it has where the service lives"
        equal(client.copy(item).items[0][2], secret)
