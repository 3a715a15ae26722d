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
from gi.repository import Gio, GLib

from keychains import with_password
from session_lock import connections
from support.instance import is_root, own_kilobytes, read_text, wait_until
from support.secrets import NAME, Secrets, SessionBus, compiled_client, program, session
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


def test_clients_on_dbus_broker_store_find_and_read_and_another_programs_item_is_locked(it):
    it.start()
    with session(it, broker=True):
        script(it, CLIENTS["SecretStorage"])
        store(it)
        equal(tool(it, "lookup", "user", "ann").out, SECRET)
        equal(it.run(other_tool(it), "lookup", "user", "ann", check=1).out, "")
        tool(it, "clear", "user", "ann")
        equal(tool(it, "lookup", "user", "ann", check=1).out, "")


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
            # That with which the Secret Service watches the keychain for its clients stays.
            wait_until(lambda: connections(it) <= 1, seconds=180, what="the end of the connection")
            client.stdin.write(b"\n")
            client.stdin.flush()
        client.communicate(timeout=60)
        equal(client.returncode, 0)
        wait_until(lambda: connections(it) == 0, seconds=180, what="the end of the watch")


# MARK: Changes by other programs


def signals(bus):
    """Collects the signals of the Secret Service as pairs of their names and arguments, on a connection that calls no method."""
    connection = Gio.DBusConnection.new_for_address_sync(
        bus.address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
    heard = []
    connection.signal_subscribe(
        None, None, None, None, None, Gio.DBusSignalFlags.NONE,
        lambda _, _sender, path, _interface, name, arguments: heard.append((name, path, str(arguments.unpack()))))
    return connection, heard


def wait_for_signal(heard, name, *words):
    def arrived():
        while GLib.MainContext.default().iteration(False):
            pass
        return any(one == name and all(word in path + text for word in words) for one, path, text in heard)
    wait_until(arrived, what=f"the signal {name}")


def test_changes_through_other_interfaces_are_announced_without_labels_and_attributes(it):
    it.start()
    with session(it) as secrets:
        connection, heard = signals(secrets.bus)
        store(it)
        # A client that stays, with two calls.
        client = it.popen(PYTHON, "-c", r"""
import secretstorage, sys
connection = secretstorage.dbus_init()
assert not secretstorage.get_default_collection(connection).is_locked()
assert secretstorage.get_default_collection(connection).get_label() == "Login"
print("ready", flush=True)
sys.stdin.readline()
""", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        equal(client.stdout.readline(), b"ready\n")
        wait_until(lambda: connections(it) >= 2, what="the watch")
        path = "/org/freedesktop/secrets/collection/login"
        it.run("chatelaine", "set", "invisible-name", "-u", "invisible-user", input="of-the-command", check=0)
        wait_for_signal(heard, "ItemCreated", path)
        it.run("chatelaine", "set", "invisible-name", "-u", "invisible-user", input="another", check=0)
        wait_for_signal(heard, "ItemChanged", path)
        it.run("chatelaine", "remove", "invisible-name", "-u", "invisible-user", check=0)
        wait_for_signal(heard, "ItemDeleted", path)
        with_password(it, "keychains", "create", "work.keychain", password="pw\n", check=0)
        wait_for_signal(heard, "CollectionCreated", "collection/work")
        it.run("chatelaine", "keychains", "delete", "work.keychain", "--yes", check=0)
        wait_for_signal(heard, "CollectionDeleted", "collection/work")
        lacks(str(heard), "invisible", "of-the-command", "another")
        client.communicate(b"\n", timeout=60)
        equal(client.returncode, 0)
        connection.close_sync()


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
            equal(tool(it, "lookup", "user", "ann").out, SECRET)
        finally:
            third.kill()


THIEF = r"""
import dbus, sys
bus = dbus.SessionBus()
print(bus.request_name("org.freedesktop.secrets", dbus.bus.NAME_FLAG_REPLACE_EXISTING | dbus.bus.NAME_FLAG_DO_NOT_QUEUE))
"""


def test_no_program_takes_the_name_from_the_running_service(it):
    it.start()
    with session(it) as secrets:
        store(it)
        # The answer 3: the name has an owner.
        equal(script(it, THIEF).strip(), "3")
        assert secrets.process.poll() is None
        equal(tool(it, "lookup", "user", "ann").out, SECRET)


def test_a_newer_version_takes_the_name_from_the_replaced_file(it):
    it.start()
    with SessionBus(it) as bus:
        first = Secrets(it, bus).started()
        path = program(it)
        shutil.copyfile(path, path + ".new")
        os.chmod(path + ".new", os.stat(path).st_mode & 0o777)
        os.replace(path + ".new", path)
        second = Secrets(it, bus, "--replace").started()
        try:
            equal(first.ended(), 0)
            it.run(path, "--end", check=0)
            equal(second.ended(), 0)
            equal(bus.owner(), None)
        finally:
            second.kill()


ALIAS = r"""
import secretstorage
from jeepney import DBusAddress, HeaderFields, new_method_call
connection = secretstorage.dbus_init()
service = DBusAddress("/org/freedesktop/secrets", "org.freedesktop.secrets", "org.freedesktop.Secret.Service")
for path in ["/org/freedesktop/secrets/collection/login", "/org/freedesktop/secrets/collection/evil"]:
    answer = connection.send_and_get_reply(new_method_call(service, "SetAlias", "so", ("default", path)))
    print(answer.header.message_type.name, answer.header.fields.get(HeaderFields.error_name, ""))
"""


def test_no_program_makes_its_own_collection_the_default(it):
    it.start()
    with session(it):
        it.run("chatelaine", "security", "create-keychain", "-p", "evil", "evil.keychain", check=0)
        # Secrets of other programs keep going to the collection login.
        equal(script(it, ALIAS).splitlines(), [
            "method_return ", "error org.freedesktop.DBus.Error.NotSupported"])
        store(it)
        equal(len(it.list()), 1)


SANDBOXED = r"""
import secretstorage
from jeepney import DBusAddress, HeaderFields, Properties, new_method_call
connection = secretstorage.dbus_init()
print(list(secretstorage.search_items(connection, {"user": "ann"})))
root = "/org/freedesktop/secrets"
def call(path, interface, name, *more):
    address = DBusAddress(path, "org.freedesktop.secrets", "org.freedesktop.Secret." + interface)
    answer = connection.send_and_get_reply(new_method_call(address, name, *more))
    print(name, answer.header.fields.get(HeaderFields.error_name, ""), answer.body if not answer.header.fields.get(HeaderFields.error_name) else "")
call(root + "/collection/evil", "Collection", "Delete")
call(root, "Service", "CreateCollection", "a{sv}s", ({"org.freedesktop.Secret.Collection.Label": ("s", "New")}, ""))
login = DBusAddress(root + "/collection/login", "org.freedesktop.secrets", "org.freedesktop.Secret.Collection")
answer = connection.send_and_get_reply(Properties(login).set("Label", "s", "Evil"))
print("Label", answer.header.fields.get(HeaderFields.error_name, ""))
"""


@pytest.mark.skipif(
    not shutil.which("bwrap") or subprocess.run(["unshare", "--user", "true"], check=False, capture_output=True).returncode != 0,
    reason="needs bwrap and user namespaces")
def test_an_application_in_a_sandbox_uses_its_own_items_alone(it):
    it.start()
    with session(it):
        store(it)
        it.run("chatelaine", "security", "create-keychain", "-p", "own", "evil", check=0)
        info = os.path.join(it.scratch, "info")
        with open(info, "w", encoding="utf-8") as file:
            file.write("[Application]\nname=com.evil.App\n")
        it.own(info, 0o644)
        with open(info, "rb") as file:
            words = ["bwrap", "--unshare-user", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", "--proc", "/proc",
                     "--dev", "/dev", "--bind", "/tmp", "/tmp", "--bind", it.scratch, it.scratch, "--symlink", "usr/bin",
                     "/bin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--file",
                     str(file.fileno()), "/.flatpak-info"]
            done = it.run(*words, PYTHON, "-c", SANDBOXED, pass_fds=[file.fileno()], check=0)
        denied = "org.freedesktop.DBus.Error.AccessDenied"
        equal([line.strip() for line in done.out.splitlines()], [
            "[]", f"Delete {denied}", f"CreateCollection {denied}", f"Label {denied}"])
        equal(tool(it, "lookup", "user", "ann").out, SECRET)


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


# MARK: Attacks


def test_a_process_with_the_number_of_an_ended_client_lends_it_nothing(it):
    if not is_root:
        pytest.skip("needs root, to choose the number of a process")
    if not os.path.exists("/proc/sys/kernel/ns_last_pid"):
        pytest.skip("the kernel does not let a program choose the number of a process")
    victim = it.programs.copy(os.path.realpath(PYTHON), os.path.join(it.scratch, "mailer"))
    bus = SessionBus(it)
    done = it.run(
        "unshare", "--pid", "--fork", "--kill-child", "--mount-proc", PYTHON, "-m", "support.reused_number",
        bus.configuration, it.program("chatelained"), it.socket_path, program(it), victim,
        env={**it.environment, "PYTHONPATH": it.programs.modules, "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 0, done.out + done.err
    # The victim finds its item, so the item would be found for the stale connection as well.
    equal(done.out.splitlines(), ["1", "org.freedesktop.DBus.Error.Failed"])


def memory_has(number, value):
    """Whether the writable memory of a process has some bytes."""
    with open(f"/proc/{number}/maps", encoding="utf-8") as maps, open(f"/proc/{number}/mem", "rb", 0) as memory:
        for line in maps:
            addresses, rights = line.split()[:2]
            if "w" not in rights:
                continue
            start, end = (int(text, 16) for text in addresses.split("-"))
            try:
                if value in os.pread(memory.fileno(), end - start, start):
                    return True
            except OSError:
                # Not mapped any more, or secret pages.
                continue
    return False


def test_nothing_of_a_plain_secret_is_left_in_the_memory_while_the_client_is_idle(it):
    if not is_root:
        pytest.skip("needs root, to read the memory of the Secret Service")
    it.start()
    with session(it) as secrets:
        root, interface, needle = "/org/freedesktop/secrets", "org.freedesktop.Secret", b"a part of the plain secret;"
        value = needle * 1000
        connection = secrets.bus.stranger.connection

        def call(path, name, member, signature, *arguments):
            return connection.call_sync(
                NAME, path, f"{interface}.{name}", member, GLib.Variant(signature, arguments), None,
                Gio.DBusCallFlags.NONE, 60_000, None).unpack()

        _, opened = call(root, "Service", "OpenSession", "(sv)", "plain", GLib.Variant("s", ""))
        properties = {
            f"{interface}.Item.Label": GLib.Variant("s", "Mail"),
            f"{interface}.Item.Attributes": GLib.Variant("a{ss}", {"user": "ann"})}
        item, _ = call(
            f"{root}/aliases/default", "Collection", "CreateItem", "(a{sv}(oayays)b)", properties,
            (opened, b"", value, "text/plain"), False)
        # The client stays connected and sends nothing more.
        number = secrets.process.pid
        wait_until(lambda: not memory_has(number, needle), what="the end of the stored secret in the memory")
        equal(bytes(call(item, "Item", "GetSecret", "(o)", opened)[0][2]), value)
        wait_until(lambda: not memory_has(number, needle), what="the end of the read secret in the memory")


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
