# SPDX-License-Identifier: Apache-2.0
"""The visibility of programs to each other: programs of one user, the command line, and programs that pretend to be others."""

import os
import re
import shutil
import socket
import struct
import tempfile

import pytest

from support.instance import is_root, ordinary_user, read_text
from support.sentences import all_services, both, contains, equal, lacks, ordinary, ordinary_and_system, python
from support.wire import (
    COPY, DATA, DELETE, MISSING_ENTITLEMENT, NOT_FOUND, NOT_GREETED, PARAMETER, STATUS, WATCH, Client, frame, query)

secret = "correct horse battery staple"
not_found = "The specified item could not be found in the keychain."
keeper_item = ("com.example.service", "ann")


def keeper(it):
    return it.programs.example("PasswordKeeper")


def store(it, program):
    it.run(program, "set", *keeper_item, input=secret + "\n", check=0)


def sees(it, program):
    """The item's password, or None if there is no such item for the program."""
    done = it.run(program, "get", *keeper_item)
    if done.returncode == 0:
        return done.out.rstrip("\n")
    equal(done.err, f"error: {not_found}\n")
    return None


def copy(it, program, name, appended=b""):
    folder = os.path.join(it.scratch, name)
    os.makedirs(folder, exist_ok=True)
    target = it.programs.copy(program, os.path.join(folder, os.path.basename(program)))
    if appended:
        with open(target, "ab") as file:
            file.write(appended)
    return target


# MARK: Programs of one user


@both
def test_a_program_finds_its_own_item_again(it):
    store(it, keeper(it))
    equal(sees(it, keeper(it)), secret)


@both
def test_another_program_of_the_same_user_does_not_see_the_item_at_all(it):
    # As an ordinary user, and below /tmp also as root, programs are known by their bytes: one more makes another one.
    store(it, keeper(it))
    other = copy(it, keeper(it), "other", appended=b"\n")
    equal(sees(it, other), None)
    equal(it.run(other, "delete", *keeper_item).err, f"error: {not_found}\n")
    equal(sees(it, keeper(it)), secret)


@both
def test_the_other_program_may_have_an_item_of_the_same_name_and_each_keeps_its_own(it):
    other = copy(it, keeper(it), "other", appended=b"\n")
    store(it, keeper(it))
    it.run(other, "set", *keeper_item, input="another secret\n", check=0)
    equal((sees(it, keeper(it)), sees(it, other)), (secret, "another secret"))
    it.run(other, "delete", *keeper_item, check=0)
    equal((sees(it, keeper(it)), sees(it, other)), (secret, None))


@both
def test_the_same_bytes_under_another_path_are_the_same_program(it):
    store(it, keeper(it))
    equal(sees(it, copy(it, keeper(it), "elsewhere")), secret)
    link = os.path.join(it.scratch, "link")
    os.symlink(keeper(it), link)
    equal(sees(it, link), secret)


@both
def test_a_program_that_was_rebuilt_in_the_same_place_is_another_program(it):
    program = copy(it, keeper(it), "place")
    store(it, program)
    with open(program, "ab") as file:
        file.write(b"\n")
    equal(sees(it, program), None)


@both
def test_a_program_that_root_installed_keeps_its_items_over_an_update(it):
    if not is_root:
        pytest.skip("needs root, to install a program")
    place = tempfile.mkdtemp(prefix="chatelaine-test.", dir="/usr/local/lib")
    try:
        os.chmod(place, 0o755)
        program = it.programs.copy(keeper(it), os.path.join(place, "PasswordKeeper"))
        store(it, program)
        update = it.programs.copy(program, program + ".new")
        with open(update, "ab") as file:
            file.write(b"version 2")
        os.rename(update, program)
        equal(sees(it, program), secret)
        [item] = it.list()
        equal((item["group"], item["program"]), ("installed:" + program, program))
        # Its bytes alone give nothing.
        equal(sees(it, copy(it, program, "stolen")), None)
        # Neither does its place, once others can write there.
        os.chmod(place, 0o777)
        equal(sees(it, program), None)
        os.chmod(place, 0o755)
        equal(sees(it, program), secret)
        os.chmod(program, 0o775)
        equal(sees(it, program), None)
    finally:
        shutil.rmtree(place)


@both
def test_an_item_survives_the_service_and_is_its_programs_still(it):
    it.start()
    store(it, keeper(it))
    it.stop()
    it.start()
    equal(sees(it, keeper(it)), secret)
    equal(sees(it, copy(it, keeper(it), "other", appended=b"\n")), None)


# MARK: The command line


@both
def test_the_command_line_lists_another_programs_item_without_its_secret(it):
    store(it, keeper(it))
    [item] = it.list()
    equal((item["name"], item["user"]), keeper_item)
    assert re.fullmatch("unsigned:[0-9a-f]{64}", item["group"]), item["group"]
    table = it.run("chatelaine", "list", check=0).out
    contains(table, *keeper_item, f"(last seen at {os.path.realpath(keeper(it))})")
    lacks(table, secret)


@both
def test_the_command_line_is_refused_another_programs_secret_with_a_hint_and_status_4(it):
    store(it, keeper(it))
    done = it.run("chatelaine", "get", keeper_item[0], "--user", keeper_item[1], check=4)
    equal(done.out, "")
    contains(done.err, "error: ", "belongs to another program", "\nhint: run the program in a terminal or on a desktop")
    lacks(done.err, secret)


@both
def test_the_command_line_is_refused_to_remove_another_programs_item(it):
    store(it, keeper(it))
    done = it.run("chatelaine", "remove", keeper_item[0], "--user", keeper_item[1], check=4)
    contains(done.err, "belongs to another program", "hint: ")
    equal(sees(it, keeper(it)), secret)


@both
def test_chatelaine_set_with_another_programs_name_and_user_stores_an_item_of_its_own_beside_it(it):
    store(it, keeper(it))
    it.set(keeper_item[0], "mine", "--user", keeper_item[1])
    equal(it.get(keeper_item[0], "--user", keeper_item[1]), b"mine")
    equal(sees(it, keeper(it)), secret)
    equal(len(it.list()), 2)
    it.run("chatelaine", "remove", keeper_item[0], "--user", keeper_item[1], check=0)
    equal(sees(it, keeper(it)), secret)


@both
def test_security_is_refused_another_programs_secret_without_a_word_with_status_36_and_changes_nothing(it):
    store(it, keeper(it))
    words = ["-s", keeper_item[0], "-a", keeper_item[1]]
    for option in ["-w", "-g"]:
        done = it.run("security", "find-generic-password", *words, option, check=36)
        equal(done.out + done.err, "")
    contains(it.run("security", "find-generic-password", *words, check=0).out, f'"svce"<blob>="{keeper_item[0]}"')
    it.run("security", "delete-generic-password", *words, check=36)
    equal(sees(it, keeper(it)), secret)


@both
def test_the_command_keeps_its_items_when_it_is_updated_and_its_copies_elsewhere_are_other_programs(it):
    # Folders of its own: the other tests share theirs.
    for name in ["chatelained", "chatelaine"]:
        copy(it, it.program(name), "installation")
    command = os.path.join(it.scratch, "installation/chatelaine")
    it.environment["PATH"] = os.path.join(it.scratch, "installation") + ":/usr/bin:/bin"
    it.run(command, "set", "name", input=secret, check=0)
    update = it.programs.copy(command, command + ".new")
    with open(update, "ab") as file:
        file.write(b"version 2")
    os.rename(update, command)
    equal(it.run(command, "get", "name", check=0).out, secret + "\n")
    stray = copy(it, it.program("chatelaine"), "stray")
    equal(it.run(stray, "list", check=0).out, "")
    equal(it.run(stray, "get", "name").returncode, 3)
    os.chmod(command, 0o777)
    equal(it.run(command, "list", check=0).out, "")
    service = int(read_text(os.path.join(it.data, "store.lock")))
    os.kill(service, 15)


# MARK: Over the wire, as a program like any other


def test_a_program_does_not_reach_others_items_by_any_request(it):
    it.set("name", secret)
    with Client(it.socket_path) as client:
        names = {"svce": "name"}
        equal(client.copy(names).status, NOT_FOUND)
        equal(client.copy({}, limit=0, returning=15).status, NOT_FOUND)
        equal(client.update(names, {}, b"changed").status, NOT_FOUND)
        equal(client.delete(names).status, NOT_FOUND)
        equal(client.delete({}).status, NOT_FOUND)
        # Naming the group does not help, and says no more.
        answer = client.copy(names, group="chatelaine")
        equal((answer.status, answer.reason), (MISSING_ENTITLEMENT, 2))
        answer = client.add({"svce": "name", "acct": "x", "agrp": "chatelaine"}, b"planted")
        equal((answer.status, answer.reason), (MISSING_ENTITLEMENT, 2))
    equal(it.get("name"), secret.encode())
    equal(len(it.list()), 1)


def test_a_persistent_reference_to_another_programs_item_opens_nothing(it):
    import base64

    it.set("name", secret)
    reference = base64.b64decode(it.list()[0]["reference"])
    with Client(it.socket_path) as client:
        answer = client.request(COPY, query(reference=reference) + struct.pack(">IB", 1, DATA))
        equal((answer.status, answer.items), (NOT_FOUND, []))
        equal(client.request(DELETE, query(reference=reference)).status, NOT_FOUND)
    equal(it.get("name"), secret.encode())


def test_a_program_is_told_of_changes_of_its_own_items_only(it):
    it.start()
    with Client(it.socket_path) as watcher, Client(it.socket_path) as client:
        equal(watcher.request(WATCH).status, 0)
        it.set("name", secret)
        equal(client.add({"svce": "own", "acct": "a"}, b"s").status, 0)
        kind, payload = watcher.receive()
        equal((kind, payload[0]), (4, 1))
        equal(client.delete({"svce": "own"}).status, 0)
        kind, after = watcher.receive()
        # Nothing came in between, and it is the same item.
        equal((kind, after[0], after[1:]), (4, 3, payload[1:]))


def test_the_audit_log_names_who_was_refused_and_who_was_granted(it):
    """The audit log names who was refused and who was granted, and holds no names of items and no secrets."""
    store(it, keeper(it))
    it.run("chatelaine", "get", keeper_item[0], "--user", keeper_item[1], check=4)
    lines = read_text(os.path.join(it.data, "audit.log"))
    contains(lines, '"outcome":"granted"', '"outcome":"refused","status":-25308', it.program("chatelaine"))
    lacks(lines, secret, *keeper_item)


# MARK: The nonce


def test_a_request_with_another_nonce_a_part_of_one_or_none_at_all_is_refused_and_ends_the_connection(it):
    it.start()
    for nonce in [b"\0" * 16, b"", b"\0" * 8]:
        with Client(it.socket_path) as client:
            equal(client.request(STATUS, nonce=nonce).status, PARAMETER)
            equal(client.socket.recv(1), b"")
    with Client(it.socket_path) as one, Client(it.socket_path) as other:
        assert one.nonce != other.nonce
        equal(one.request(STATUS, nonce=other.nonce).status, PARAMETER)
        equal(other.status()[0] > 0, True)


def test_a_request_that_was_sent_before_the_service_spoke_is_refused(it):
    it.start()
    with socket.socket(socket.AF_UNIX) as early:
        early.connect(it.socket_path)
        early.sendall(frame(STATUS, b"\0" * 16))
        answer = Client(early, greeting=False).answer()
        equal((answer.status, answer.reason), (MISSING_ENTITLEMENT, NOT_GREETED))


# MARK: Pretending to be another program

setup = """
import array, os, socket, struct, sys
from support.wire import *
client = Client(sys.argv[1])
def refused(answer=None):
    answer = answer or client.answer()
    print(answer.status, answer.reason, len(answer.items))
"""
unidentified = f"{MISSING_ENTITLEMENT} 1 0\n"


@all_services
def test_a_child_that_uses_the_connection_of_its_parent_is_refused(it):
    it.start()
    output = python(it, setup + """
assert client.add({"svce": "s", "acct": "a"}, b"secret").status == 0
if os.fork() == 0:
    refused(client.copy({"svce": "s"}))
    sys.exit(0)
os.wait()
sys.stdout.flush()
""")
    equal(output, unidentified)


@all_services
def test_the_parent_may_go_on_with_its_connection_after_its_child_was_refused_or_the_connection_ends(it):
    it.start()
    output = python(it, setup + """
assert client.add({"svce": "s", "acct": "a"}, b"secret").status == 0
child = os.fork()
if child == 0:
    client.send(frame(COPY, client.nonce + query({"svce": "s"}) + struct.pack(">IB", 1, DATA)))
    os._exit(0)
os.waitpid(child, 0)
refused()
try:
    answer = client.copy({"svce": "s"})
    print(answer.status, answer.items[0][2])
except Closed:
    print("closed")
""")
    assert output in (unidentified + "0 b'secret'\n", unidentified + "closed\n"), output


@all_services
def test_a_request_of_which_a_child_sent_a_part_ends_the_connection(it):
    it.start()
    output = python(it, setup + """
request = frame(STATUS, client.nonce)
client.send(request[:10])
child = os.fork()
if child == 0:
    client.send(request[10:])
    os._exit(0)
os.waitpid(child, 0)
try:
    refused()
except Closed:
    print("closed")
""")
    assert output in ("closed\n", unidentified), output


@all_services
def test_a_process_that_was_handed_the_connection_of_a_sibling_is_refused(it):
    it.start()
    output = python(it, setup + """
ours, theirs = socket.socketpair()
child = os.fork()
if child == 0:
    ours.close()
    client.close()
    data, handed, _, _ = socket.recv_fds(theirs, 16, 1)
    client.socket = socket.socket(fileno=handed[0])
    client.nonce = data
    refused(client.request(STATUS))
    sys.exit(0)
socket.send_fds(ours, [client.nonce], [client.socket.fileno()])
os.wait()
""")
    equal(output, unidentified)


@all_services
def test_a_program_that_watches_and_then_becomes_another_one_is_told_nothing_more(it):
    it.start()
    output = python(it, setup + r"""
assert client.request(WATCH).status == 0
with Client(sys.argv[1]) as other:
    assert other.add({"svce": "s", "acct": "before"}, b"secret").status == 0
    assert client.receive()[0] == CHANGE
second = '''
import socket, sys
from support.wire import *
with Client(sys.argv[1]) as client:
    assert client.add({"svce": "s", "acct": "after"}, b"secret").status == 0
print(socket.socket(fileno=int(sys.argv[2])).recv(100))
'''
client.socket.set_inheritable(True)
os.execv(sys.executable, ["python3", "-c", second, sys.argv[1], str(client.socket.fileno())])
""")
    equal(output, "b''\n")


@all_services
def test_a_program_that_connects_and_then_becomes_another_one_is_refused(it):
    it.start()
    output = python(it, setup + r"""
assert client.add({"svce": "s", "acct": "a"}, b"secret").status == 0
client.socket.set_inheritable(True)
request = frame(STATUS, client.nonce)
text = "".join("\\x%02x" % byte for byte in request)
number = client.socket.fileno()
os.execv("/bin/bash", ["bash", "-c", f"printf '{text}' >&{number}; head -c 17 <&{number} | od -An -tx1"])
""")
    equal(bytes.fromhex(output)[8:13], struct.pack(">iB", MISSING_ENTITLEMENT, 1))


@all_services
def test_a_program_that_connects_and_then_starts_anew_is_refused(it):
    it.start()
    output = python(it, setup + r"""
second = '''
import socket, sys
from support.wire import *
client = Client.__new__(Client)
client.socket = socket.socket(fileno=int(sys.argv[1]))
client.nonce = bytes.fromhex(sys.argv[2])
answer = client.request(STATUS)
print(answer.status, answer.reason, len(answer.items))
'''
# The service has seen the greeting before the program starts anew.
assert client.status()[0] > 0
client.socket.set_inheritable(True)
words = ["python3", "-c", second, str(client.socket.fileno()), client.nonce.hex()]
os.execv(sys.executable, words)
""")
    equal(output, unidentified)


@all_services
def test_a_program_in_a_user_namespace_of_its_own_is_refused_everything(it):
    it.start()
    it.set("name", secret)
    probe = it.run("unshare", "--user", "--map-root-user", "true")
    if probe.returncode != 0:
        pytest.skip("this kernel allows no user namespaces: " + probe.err.strip())
    for words in [["list"], ["get", "name"], ["remove", "name"], ["set", "other"]]:
        done = it.run("unshare", "--user", "--map-root-user", it.program("chatelaine"), *words, input="x", check=4)
        equal(done.out, "")
        contains(done.err, "error: the keychain service could not identify the calling program", "hint: ")
        lacks(done.err, secret)
    status = it.run("unshare", "--user", "--map-root-user", it.program("chatelaine"), "status", check=0).out
    contains(status, "(unidentified)")
    lacks(status, "\nitems", "\ngroup")
    equal(len(it.list()), 1)


@ordinary_and_system
def test_a_program_that_enters_a_user_namespace_after_it_connected_is_refused(it):
    it.start()
    if it.run("unshare", "--user", "true").returncode != 0:
        pytest.skip("this kernel allows no user namespaces")
    output = python(it, setup + """
import ctypes
assert client.status()[0] > 0
assert ctypes.CDLL(None, use_errno=True).unshare(0x10000000) == 0
refused(client.request(STATUS))
""")
    equal(output, unidentified)


@both
def test_a_program_whose_file_was_deleted_is_still_known_by_its_bytes(it):
    store(it, keeper(it))
    script = 'exec 3<"$1"; rm "$1"; exec /proc/self/fd/3 get "$2" "$3"'
    victim = copy(it, keeper(it), "deleted")
    it.own(os.path.dirname(victim), 0o755)
    done = it.run("/bin/bash", "-c", script, "bash", victim, *keeper_item)
    equal((done.out, done.err), (secret + "\n", ""))


@ordinary
def test_root_is_refused_the_keychain_of_a_user_and_refuses_to_ask_there(it):
    if not is_root:
        pytest.skip("needs root")
    it.start()
    it.set("name", secret)
    it.user = None
    done = it.run("chatelaine", "get", "name", check=5)
    contains(done.err, f"runs as user {ordinary_user}, who must not run this service")
    with Client(it.socket_path) as client:
        answer = client.copy({"svce": "name"})
        equal((answer.status, answer.reason, answer.items), (MISSING_ENTITLEMENT, 1, []))
