# SPDX-License-Identifier: Apache-2.0
"""The Secret Service with real clients, a bus and a keychain service of the test's own: libsecret, secret-tool, Python's SecretStorage and
keyring, and a small program in C."""

import contextlib
import json
import os
import shutil
import signal
import subprocess

import pytest

from session_lock import connections
from support.instance import own_kilobytes, read_text, wait_until
from support.secrets import Secrets, SessionBus, compiled_client, program, session
from support.seeds import part
from support.sentences import cases, contains, equal, lacks

SECRET = "cörrect horse\nbattery"
PYTHON = "/usr/bin/python3"


def tool(it, *words, input="", check=0):
    return it.run("secret-tool", *words, input=input, check=check)


def store(it, value=SECRET, *words):
    tool(it, "store", "--label=Mail", *(words or ("user", "ann")), input=value)


def script(it, text, *words, check=0, timeout=120):
    """Runs Python code as a client."""
    done = it.run(PYTHON, "-c", text, *words, timeout=timeout)
    assert done.returncode == check, f"exit status {done.returncode}\n{done.out}{done.err}"
    return done.out


def other_tool(it):
    """secret-tool as another program: a copy, which its user can change."""
    path = os.path.join(it.scratch, "other-tool")
    shutil.copyfile(shutil.which("secret-tool"), path)
    os.chmod(path, 0o755)
    return path


# MARK: Clients


def test_secret_tool_stores_finds_reads_and_clears(it):
    it.start()
    with session(it) as secrets:
        store(it)
        equal(tool(it, "lookup", "user", "ann").out, SECRET)
        # A lookup reads the newest item.
        store(it, "newer", "user", "ann", "host", "a")
        equal(tool(it, "lookup", "user", "ann").out, "newer")
        found = tool(it, "search", "--all", "user", "ann")
        equal((found.out + found.err).count("label = Mail\n"), 2)
        store(it, "replaced")
        equal(tool(it, "lookup", "user", "ann").out, "replaced")
        equal(tool(it, "lookup", "host", "a").out, "newer")
        equal(len(it.list()), 2)
        tool(it, "clear", "user", "ann")
        equal(tool(it, "lookup", "user", "ann", check=1).out, "")
        lacks(secrets.said(), "newer", "ann", "battery")


CLIENTS = {
    "SecretStorage": r"""
import secretstorage
connection = secretstorage.dbus_init()
collection = secretstorage.get_default_collection(connection)
assert collection.get_label() == "Login" and not collection.is_locked()
collection.set_label("Mine")
assert collection.get_label() == "Mine"
collection.set_label("Login")
value = b"a\0b\n\xff"
item = collection.create_item("Mail", {"user": "ann"}, value, replace=True, content_type="application/x")
found = list(collection.search_items({"user": "ann"}))
assert [f.item_path for f in found] == [item.item_path]
assert found[0].get_secret() == value and found[0].get_secret_content_type() == "application/x"
assert 0 < item.get_created() <= item.get_modified()
item.set_secret(b"")
assert item.get_secret() == b""
item.set_label("Work")
item.set_attributes({"user": "bob"})
assert item.get_label() == "Work" and item.get_attributes() == {"user": "bob"}
other = collection.create_item("Other", {"user": "bob"}, b"2", replace=True)
assert other.item_path == item.item_path
assert len(list(collection.get_all_items())) == 1
assert [c.get_label() for c in secretstorage.get_all_collections(connection)] == ["Login", "Session"]
item.delete()
assert list(secretstorage.search_items(connection, {"user": "bob"})) == []
""",
    "keyring": r"""
from keyring.backends import SecretService
keyring = SecretService.Keyring()
keyring.set_password("service", "ann", "päss")
assert keyring.get_password("service", "ann") == "päss"
assert keyring.get_credential("service", None).username == "ann"
keyring.set_password("service", "ann", "new")
assert keyring.get_password("service", "ann") == "new"
keyring.delete_password("service", "ann")
assert keyring.get_password("service", "ann") is None
""",
    "libsecret": r"""
import gi
gi.require_version("Secret", "1")
from gi.repository import Secret
text = Secret.SchemaAttributeType.STRING
schema = Secret.Schema.new("org.example.Mail", Secret.SchemaFlags.NONE, {"user": text})
user = {"user": "ann"}
assert Secret.password_store_sync(schema, user, Secret.COLLECTION_DEFAULT, "Mail", "one", None)
assert Secret.password_store_sync(schema, user, Secret.COLLECTION_DEFAULT, "Mail", "two", None)
assert Secret.password_lookup_sync(schema, user, None) == "two"
assert Secret.password_store_sync(schema, user, Secret.COLLECTION_SESSION, "Memory", "three", None)
flags = Secret.ServiceFlags.OPEN_SESSION | Secret.ServiceFlags.LOAD_COLLECTIONS
service = Secret.Service.get_sync(flags, None)
assert sorted(c.get_label() for c in service.get_collections()) == ["Login", "Session"]
items = service.search_sync(schema, user, Secret.SearchFlags.ALL, None)
assert sorted(i.get_label() for i in items) == ["Mail", "Memory"]
assert all(i.get_attributes()["xdg:schema"] == "org.example.Mail" for i in items)
assert Secret.password_clear_sync(schema, user, None)
assert Secret.password_lookup_sync(schema, user, None) is None
""",
}


@cases("name", list(CLIENTS))
def test_a_library_stores_finds_changes_and_deletes(it, name):
    it.start()
    with session(it):
        script(it, CLIENTS[name])


def test_a_small_program_in_c_stores_and_reads(it):
    it.start()
    with session(it):
        client = compiled_client(it, 1)
        equal(it.run(client, "lookup").returncode, 1)
        it.run(client, "store", "one", check=0)
        it.run(client, "store", "two", check=0)
        equal(it.run(client, "lookup", check=0).out, "two")


# MARK: One store


def test_an_item_is_listed_by_the_command_and_stays_over_a_restart_of_everything(it):
    it.start()
    with session(it):
        store(it, SECRET, "service", "mail", "username", "ann")
        contains(it.run("chatelaine", "list", check=0).out, "mail", "ann")
    it.stop()
    it.start()
    with session(it):
        equal(tool(it, "lookup", "service", "mail").out, SECRET)


def test_an_item_of_the_command_has_libsecrets_attributes_and_is_locked_for_other_programs(it):
    it.start()
    with session(it):
        it.set("mail", "secret of the command", "--user", "ann")
        out = script(it, r"""
import json, secretstorage
connection = secretstorage.dbus_init()
found = list(secretstorage.search_items(connection, {"service": "mail", "username": "ann"}))
print(json.dumps([[item.is_locked(), item.get_attributes()] for item in found]))
try:
    found[0].get_secret()
except secretstorage.LockedException:
    print("locked")
# True: dismissed, because no prompt is possible.
print(found[0].unlock())
""")
        shown, *rest = out.splitlines()
        equal(json.loads(shown), [[True, {
            "xdg:schema": "org.freedesktop.Secret.Generic", "service": "mail", "account": "ann", "username": "ann"}]])
        equal(rest, ["locked", "True"])


def test_a_collection_is_a_keychain_file(it):
    it.start()
    with session(it):
        out = script(it, r"""
import dbus
bus = dbus.SessionBus()
path = "/org/freedesktop/secrets"
service = dbus.Interface(bus.get_object("org.freedesktop.secrets", path), "org.freedesktop.Secret.Service")
master = dbus.Interface(service, "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface")
_, session = service.OpenSession("plain", dbus.String("", variant_level=1))
secret = lambda text: dbus.Struct((session, dbus.ByteArray(), dbus.ByteArray(text), "text/plain"), signature="oayays")
label = {"org.freedesktop.Secret.Collection.Label": dbus.String("Work", variant_level=1)}
collection = master.CreateWithMasterPassword(dbus.Dictionary(label, signature="sv"), secret(b"pw"))
print(collection)
item = {
    "org.freedesktop.Secret.Item.Label": dbus.String("Mail", variant_level=1),
    "org.freedesktop.Secret.Item.Attributes": dbus.Dictionary({"user": "ann"}, signature="ss", variant_level=1)}
work = dbus.Interface(bus.get_object("org.freedesktop.secrets", collection), "org.freedesktop.Secret.Collection")
created, prompt = work.CreateItem(dbus.Dictionary(item, signature="sv"), secret(b"1"), True)
assert prompt == "/"
service.Lock([collection])
assert service.SearchItems({"user": "ann"}) == ([], [created])
try:
    master.UnlockWithMasterPassword(collection, secret(b"no"))
except dbus.DBusException as error:
    print(error.get_dbus_name())
master.UnlockWithMasterPassword(collection, secret(b"pw"))
assert service.SearchItems({"user": "ann"}) == ([created], [])
assert bytes(service.GetSecrets([created], session)[created][2]) == b"1"
""")
        equal(out.splitlines(), [
            "/org/freedesktop/secrets/collection/Work", "org.freedesktop.DBus.Error.InvalidArgs"])
        contains(it.run("chatelaine", "keychains", "list", check=0).out, "Work")


# MARK: Ends and beginnings


def test_the_bus_starts_the_program_by_its_activation_file(it):
    program(it)
    with SessionBus(it, with_activation=True) as bus:
        # The keychain service is started, too.
        store(it)
        equal(tool(it, "lookup", "user", "ann").out, SECRET)
        assert bus.owner(), "the name has no owner"


def test_a_keychain_service_that_was_killed_is_started_again(it):
    it.start()
    with session(it):
        store(it)
        it.stop(signal.SIGKILL)
        equal(tool(it, "lookup", "user", "ann").out, SECRET)
        equal(it.status()["state"], "no-passcode")


@pytest.mark.long
def test_a_client_that_stays_does_not_keep_the_keychain_service_busy(it):
    it.start()
    with session(it):
        client = it.popen(PYTHON, "-c", r"""
import secretstorage, sys
connection = secretstorage.dbus_init()
collection = secretstorage.get_default_collection(connection)
for _ in range(2):
    assert not collection.is_locked()
    print("asked", flush=True)
    sys.stdin.readline()
""", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(2):
            equal(client.stdout.readline(), b"asked\n")
            wait_until(lambda: connections(it) == 0, seconds=180, what="the end of the connection")
            client.stdin.write(b"\n")
            client.stdin.flush()
        client.communicate(timeout=60)
        equal(client.returncode, 0)


@pytest.mark.long
def test_a_keychain_service_that_does_not_answer_leads_to_an_error_and_is_used_again_when_it_does(it):
    it.start()
    with session(it) as secrets:
        store(it)
        it.daemon.send_signal(signal.SIGSTOP)
        try:
            done = tool(it, "lookup", "user", "ann", check=1)
            equal(done.out, "")
        finally:
            it.daemon.send_signal(signal.SIGCONT)
        equal(tool(it, "lookup", "user", "ann").out, SECRET)
        equal(secrets.process.poll(), None)


def test_it_ends_with_its_bus(it):
    it.start()
    with SessionBus(it) as bus:
        secrets = Secrets(it, bus).started()
        store(it)
        bus.stop()
        equal(secrets.ended(), 0)
        contains(secrets.said(), "The session bus has ended.")


def test_a_bus_that_ends_during_a_prompt_ends_the_prompt_and_stores_no_approval(it):
    with owner_at_display(it) as pinentry, SessionBus(it) as bus:
        secrets = Secrets(it, bus).started()
        store(it)
        client = start(it, other_tool(it), "lookup", "user", "ann")
        question = pinentry.expect("CONFIRM")
        bus.stop()
        equal(secrets.ended(), 0)
        wait_until(lambda: has_ended(question.process), what="the end of the prompt")
        # GLib ends a program whose bus has ended.
        ends(client, -signal.SIGTERM)
        equal(json.loads(it.run("chatelaine", "grants", "list", "--json", check=0).out), [])


def test_without_a_bus_it_says_what_to_do(it):
    secrets = Secrets(it, None)
    equal(secrets.ended(), 1)
    contains(secrets.said(), "error: the session bus cannot be used", "hint: check DBUS_SESSION_BUS_ADDRESS")


@cases("name", ["SIGTERM", "SIGINT"])
def test_a_signal_ends_it_with_status_0(it, name):
    it.start()
    with session(it) as secrets:
        store(it)
        secrets.process.send_signal(getattr(signal, name))
        equal(secrets.ended(), 0)


def test_the_name_is_taken_only_by_a_program_that_is_told_to(it):
    it.start()
    with SessionBus(it) as bus:
        first = Secrets(it, bus).started()
        store(it)
        second = Secrets(it, bus)
        equal(second.ended(), 1)
        contains(
            second.said(), f"error: process {first.process.pid} owns the name org.freedesktop.secrets on the session bus",
            "hint: end it, or start chatelaine-secrets with --replace")
        third = Secrets(it, bus, "--replace").started()
        try:
            equal(first.ended(), 0)
            contains(third.said(), "Another program has taken the name")
            equal(tool(it, "lookup", "user", "ann").out, SECRET)
        finally:
            third.kill()


def test_it_takes_no_argument_that_it_does_not_know(it):
    done = it.run(program(it), "--nonsense")
    equal(done.returncode, 64)
    contains(done.err, "Usage: chatelaine-secrets")
    contains(it.run(program(it), "--help", check=0).out, "--replace")


WRITER = r"""
import secretstorage, sys
connection = secretstorage.dbus_init()
collection = secretstorage.get_default_collection(connection)
number = int(sys.argv[1])
while True:
    collection.create_item(f"item {number}", {"number": str(number)}, f"secret {number}".encode())
    print(number, flush=True)
    number += 1
"""

READER = r"""
import json, secretstorage
connection = secretstorage.dbus_init()
numbers = []
for item in secretstorage.get_default_collection(connection).get_all_items():
    number = item.get_attributes()["number"]
    assert item.get_label() == f"item {number}" and item.get_secret() == f"secret {number}".encode()
    numbers.append(int(number))
print(json.dumps(sorted(numbers)))
"""


@pytest.mark.sampled
def test_a_kill_at_any_moment_loses_no_answered_item_and_leaves_no_partial_one(it):
    it.start()
    written = []
    with SessionBus(it) as bus:
        for round in range(part(6, 60)):
            secrets = Secrets(it, bus).started()
            client = it.popen(
                PYTHON, "-c", WRITER, str(1000 * round), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL)
            # After each number, the next item is under way.
            written += [int(client.stdout.readline()) for _ in range(1 + round % 5)]
            secrets.kill()
            written += map(int, client.communicate(timeout=60)[0].split())
        secrets = Secrets(it, bus).started()
        try:
            found = json.loads(script(it, READER))
        finally:
            secrets.kill()
    equal(len(found), len(set(found)))
    lost = set(written) - set(found)
    equal(lost, set())
    # At most one item of each round was stored without an answer.
    assert len(found) - len(written) <= part(6, 60), found


# MARK: Many


def test_64_clients_at_once_are_served(it):
    it.start()
    with session(it) as secrets:
        clients = [
            it.popen(
                "secret-tool", "store", f"--label=Item {number}", "number", str(number), stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            for number in range(64)]
        for number, client in enumerate(clients):
            client.stdin.write(f"secret {number}".encode())
            client.stdin.close()
        for client in clients:
            error = client.stderr.read().decode()
            equal((client.wait(timeout=120), error), (0, ""))
            client.stderr.close()
        clients = [
            it.popen(
                "secret-tool", "lookup", "number", str(number), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL)
            for number in range(64)]
        found = [client.communicate(timeout=120)[0].decode() for client in clients]
        equal(found, [f"secret {number}" for number in range(64)])
        equal(len(it.list()), 64)
        equal(secrets.process.poll(), None)


@pytest.mark.sampled
def test_many_items_are_found_one_by_one(it):
    count = part(300, 10_000)
    it.start()
    with session(it) as secrets:
        script(it, rf"""
import secretstorage
connection = secretstorage.dbus_init()
collection = secretstorage.get_default_collection(connection)
for number in range({count}):
    collection.create_item(f"item {{number}}", {{"number": str(number), "all": "yes"}}, f"secret {{number}}".encode())
for number in range(0, {count}, 37):
    [item] = secretstorage.search_items(connection, {{"number": str(number), "all": "yes"}})
    assert item.get_secret() == f"secret {{number}}".encode()
assert len(list(collection.search_items({{"all": "yes"}}))) == {count}
assert list(collection.search_items({{"number": "{count}"}})) == []
assert len(list(collection.get_all_items())) == {count}
""", timeout=540)
        # To secret-tool, the items of Python are locked, and no prompt is possible here. It finds its own item among them.
        equal(tool(it, "lookup", "number", "7", check=1).out, "")
        store(it, "of secret-tool", "number", "7")
        equal(tool(it, "lookup", "number", "7").out, "of secret-tool")
        assert own_kilobytes(secrets.process.pid) < 64 * 1024


def test_it_is_small_when_it_is_idle(it):
    it.start()
    with session(it) as secrets:
        store(it)
        equal(tool(it, "lookup", "user", "ann").out, SECRET)
        assert own_kilobytes(secrets.process.pid) < 12 * 1024


def test_no_secret_is_in_the_logs(it):
    it.start()
    with session(it) as secrets:
        store(it, "do-not-log-me", "user", "nor-this-name")
        it.run(other_tool(it), "lookup", "user", "nor-this-name")
        with contextlib.ExitStack() as files:
            for path in (secrets.log, it.log, os.path.join(it.data, "audit.log")):
                text = files.enter_context(open(path, encoding="utf-8", errors="replace")).read()
                lacks(text, "do-not-log-me", "nor-this-name")
        contains(read_text(os.path.join(it.data, "audit.log")), "chatelaine-secrets")
