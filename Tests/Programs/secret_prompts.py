# SPDX-License-Identifier: Apache-2.0
"""Items of the Secret Service that are locked for a client, and the prompts that unlock them."""

import json
import os
import shutil
import signal
import subprocess

from at_rest import edit
from backup import owner_at_display
from prompt import waiting
from secret_service import PYTHON, SECRET, other_tool, script, store, tool
from support.caller import root_owned_folder
from support.instance import has_ended, wait_until
from support.prompters import PinentryQuestion
from support.secrets import Secrets, SessionBus, compiled_client, session
from support.sentences import cases, contains, equal, lacks

PASSCODE = "hünter2"


def start(it, *words, **environment):
    """Starts a client that is about to cause a prompt."""
    return it.popen(
        *words, env={**it.environment, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)


def ends(client, status, output=""):
    out, err = client.communicate(timeout=60)
    equal((client.returncode, out.decode()), (status, output))
    return err.decode()


def set_passcode(it):
    path = os.path.join(it.scratch, "passcode")
    with open(path, "w", encoding="utf-8") as file:
        file.write(PASSCODE)
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    with open(path, "rb") as file:
        it.run("chatelaine", "passcode", "set", "--passcode-fd", str(file.fileno()), check=0, pass_fds=[file.fileno()])


# MARK: Programs


@cases("_, answers, output", [
    ("allow", ["OK"], SECRET), ("deny", [PinentryQuestion.cancelled], "")])
def test_another_programs_item_is_locked_and_the_user_decides_for_one_process(it, _, answers, output):
    with owner_at_display(it) as pinentry, session(it):
        store(it)
        other = other_tool(it)
        for _ in range(2):
            client = start(it, other, "lookup", "user", "ann")
            question = pinentry.expect("CONFIRM")
            said = question.said
            contains(" ".join(said["SETDESC"].split()), "read the secret of", "ann")
            contains("".join(said["SETDESC"].split()), "other-tool", ",throughchatelaine-secrets")
            # Its user can change the program, so an answer does not last.
            lacks(said, "SETNOTOK")
            question.answer(*answers)
            ends(client, 0 if output else 1, output)
        # The program that stored the item needs no prompt.
        equal(tool(it, "lookup", "user", "ann").out, SECRET)
        equal(pinentry.was_started(), False)


def test_always_allow_lasts_until_it_is_revoked(it):
    with root_owned_folder() as folder, owner_at_display(it) as pinentry, session(it):
        it.run(compiled_client(it, 1), "store", "of another program", check=0)
        reader = it.programs.copy(compiled_client(it, 2), os.path.join(folder, "reader"))
        client = start(it, reader, "lookup")
        question = pinentry.expect("CONFIRM")
        equal(question.said["SETNOTOK"], "Always Allow")
        question.answer(PinentryQuestion.not_confirmed)
        ends(client, 0, "of another program")
        equal(it.run(reader, "lookup", check=0).out, "of another program")
        equal(pinentry.was_started(), False)
        equal(len(json.loads(it.run("chatelaine", "grants", "list", "--json", check=0).out)), 1)
        it.run("chatelaine", "grants", "revoke", "--all", check=0)
        client = start(it, reader, "lookup")
        pinentry.expect("CONFIRM").answer(PinentryQuestion.cancelled)
        client.communicate(timeout=60)
        assert client.returncode != 0


def test_a_client_that_every_program_can_run_is_never_allowed_for_good_and_the_prompt_names_who_started_it(it):
    shell = os.path.realpath(shutil.which("sh"))
    with owner_at_display(it) as pinentry, session(it):
        it.run(compiled_client(it, 1), "store", "of another program", check=0)
        for answer, status, output in [
                ("OK", 0, "of another program"), ("OK", 0, "of another program"), (PinentryQuestion.cancelled, 1, "")]:
            client = start(it, shell, "-c", "secret-tool lookup user ann; exit $?")
            question = pinentry.expect("CONFIRM")
            contains("".join(question.said["SETDESC"].split()), "/secret-tool", f'Startedby:"{shell}"')
            lacks(question.said, "SETNOTOK")
            question.answer(answer)
            ends(client, status, output)
        equal(json.loads(it.run("chatelaine", "grants", "list", "--json", check=0).out), [])


# Looks the item up once for each line of its input.
STAYING = r"""
import sys, gi
gi.require_version("Secret", "1")
from gi.repository import GLib, Secret
schema = Secret.Schema.new(
    "org.freedesktop.Secret.Generic", Secret.SchemaFlags.DONT_MATCH_NAME, {"user": Secret.SchemaAttributeType.STRING})
for _ in sys.stdin:
    try:
        print(Secret.password_lookup_sync(schema, {"user": "ann"}, None), flush=True)
    except GLib.Error:
        print("refused", flush=True)
"""


def test_an_approval_until_the_client_exits_is_shown_and_revoked(it):
    with owner_at_display(it) as pinentry, session(it):
        store(it, "horse")
        client = it.popen(PYTHON, "-c", STAYING, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        def look_up(answer=None):
            client.stdin.write(b"\n")
            client.stdin.flush()
            if answer:
                pinentry.expect("CONFIRM").answer(answer)
            return client.stdout.readline()

        def approvals():
            return json.loads(it.run("chatelaine", "bridges", "--json", check=0).out)["approvals"]

        try:
            equal(look_up("OK"), b"horse\n")
            equal(look_up(), b"horse\n")
            [approval] = approvals()
            equal((approval["process"], approval["items"]), (client.pid, 1))
            contains(it.run("chatelaine", "bridges", check=0).out, "Approved until the program exits:", str(client.pid))
            it.run("chatelaine", "grants", "revoke", "--program", approval["group"], check=0)
            equal(approvals(), [])
            lacks(look_up(PinentryQuestion.cancelled), b"horse")
            equal(look_up("OK"), b"horse\n")
            equal(len(approvals()), 1)
        finally:
            client.kill()
            client.wait()
        # The process has ended.
        equal(approvals(), [])


def test_the_prompts_of_one_program_leave_room_for_those_of_another(it):
    with owner_at_display(it) as pinentry, session(it):
        it.run(compiled_client(it, 2), "store", SECRET, check=0)
        flood = [start(it, other_tool(it), "lookup", "user", "ann")]
        questions_of_flood = [pinentry.expect("CONFIRM")]
        path = os.path.join(it.scratch, "other-tool")
        flood += [start(it, path, "lookup", "user", "ann") for _ in range(9)]
        # One is shown and two wait; the others are dismissed.
        wait_until(lambda: sum(client.poll() is not None for client in flood) == 7, what="the dismissed prompts")
        equal(waiting(it), (3, 3))
        reader = start(it, compiled_client(it, 1), "lookup")
        wait_until(lambda: waiting(it)[0] == 4, what="the other program's prompt in the queue")
        for number in range(3):
            question = questions_of_flood.pop() if number == 0 else pinentry.expect("CONFIRM")
            contains("".join(question.said["SETDESC"].split()), "other-tool")
            question.answer(PinentryQuestion.cancelled)
        question = pinentry.expect("CONFIRM")
        contains("".join(question.said["SETDESC"].split()), "libsecret-client-1")
        question.confirm()
        ends(reader, 0, SECRET)
        for client in flood:
            ends(client, 1)


def test_a_program_neither_changes_nor_deletes_another_programs_item_without_the_user(it):
    with owner_at_display(it) as pinentry, session(it):
        store(it)
        other = other_tool(it)
        # Its own item with the same attributes does not replace the first one.
        it.run(other, "store", "--label=Other", "user", "ann", input="of the other", check=0)
        equal(len(it.list()), 2)
        equal(tool(it, "lookup", "user", "ann").out, SECRET)
        client = start(it, PYTHON, "-c", r"""
import dbus, dbus.mainloop.glib
from gi.repository import GLib
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus, name = dbus.SessionBus(), "org.freedesktop.secrets"
service = dbus.Interface(bus.get_object(name, "/org/freedesktop/secrets"), "org.freedesktop.Secret.Service")
unlocked, locked = service.SearchItems({"user": "ann"})
assert unlocked == [] and len(locked) == 2
item, interface = bus.get_object(name, locked[0]), "org.freedesktop.Secret.Item"
_, session = service.OpenSession("plain", dbus.String("", variant_level=1))
secret = dbus.Struct((session, dbus.ByteArray(), dbus.ByteArray(b"changed"), "text/plain"), signature="oayays")
for change in [
    lambda: item.SetSecret(secret, dbus_interface=interface),
    lambda: item.Set(interface, "Label", "changed", dbus_interface=dbus.PROPERTIES_IFACE),
    lambda: item.Set(
        interface, "Attributes", dbus.Dictionary({}, signature="ss"), dbus_interface=dbus.PROPERTIES_IFACE),
]:
    try:
        change()
    except dbus.DBusException as error:
        assert error.get_dbus_name() == "org.freedesktop.Secret.Error.IsLocked", error
        continue
    raise SystemExit("it was changed")
prompt = item.Delete(dbus_interface=interface)
loop = GLib.MainLoop()
def completed(dismissed, _):
    print("dismissed" if dismissed else "deleted")
    loop.quit()
bus.add_signal_receiver(completed, "Completed", "org.freedesktop.Secret.Prompt", path=prompt)
bus.get_object(name, prompt).Prompt("", dbus_interface="org.freedesktop.Secret.Prompt")
loop.run()
""")
        question = pinentry.expect("CONFIRM")
        contains(" ".join(question.said["SETDESC"].split()), "delete")
        question.answer(PinentryQuestion.cancelled)
        ends(client, 0, "dismissed\n")
        equal(len(it.list()), 2)
        equal(tool(it, "lookup", "user", "ann").out, SECRET)


def test_without_a_way_to_prompt_a_locked_item_is_dismissed_and_nothing_is_given(it):
    it.start()
    with session(it):
        store(it)
        done = it.run(other_tool(it), "lookup", "user", "ann")
        equal((done.returncode, done.out), (1, ""))


def test_a_prompt_ends_when_its_client_exits(it):
    with owner_at_display(it) as pinentry, session(it):
        store(it)
        other = other_tool(it)
        client = start(it, other, "lookup", "user", "ann")
        question = pinentry.expect("CONFIRM")
        client.kill()
        client.communicate()
        wait_until(lambda: has_ended(question.process), what="the end of the prompt")
        # The next program is served.
        equal(tool(it, "lookup", "user", "ann").out, SECRET)
        client = start(it, other, "lookup", "user", "ann")
        pinentry.expect("CONFIRM").confirm()
        ends(client, 0, SECRET)


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


# MARK: Locks


def test_the_passcode_unlocks_a_locked_keychain(it):
    with owner_at_display(it) as pinentry, session(it):
        store(it)
        set_passcode(it)
        it.run("chatelaine", "lock", check=0)
        equal(it.status()["state"], "locked")
        client = start(it, "secret-tool", "lookup", "user", "ann", DISPLAY=":71")
        question = pinentry.expect("GETPIN")
        contains(" ".join(question.said["SETDESC"].split()), "unlock")
        question.enter(PASSCODE)
        ends(client, 0, SECRET)
        equal(it.status()["state"], "unlocked")
        it.run("chatelaine", "lock", check=0)
        client = start(it, "secret-tool", "lookup", "user", "ann", DISPLAY=":71")
        pinentry.expect("GETPIN").answer(PinentryQuestion.cancelled)
        ends(client, 1)
        equal(it.status()["state"], "locked")


def test_pairs_that_were_exchanged_in_the_index_of_a_locked_keychain_lead_to_no_other_secret_after_the_unlock(it):
    with owner_at_display(it) as pinentry, session(it):
        for name in "ann", "bob":
            store(it, f"of {name}", "user", name)
        set_passcode(it)
        it.run("chatelaine", "lock", check=0)
        edit(it, "UPDATE lookup SET id = id + 100", "UPDATE lookup SET id = 103 - id")
        client = start(it, "secret-tool", "lookup", "user", "ann", DISPLAY=":71")
        pinentry.expect("GETPIN").enter(PASSCODE)
        ends(client, 1)


def test_an_item_that_requires_owner_authentication_stays_locked_without_a_prompt(it):
    with owner_at_display(it) as pinentry, session(it):
        set_passcode(it)
        it.set("bank", "secret of the bank", "--user", "ann")
        it.run("chatelaine", "protect", "bank", "--user-presence", check=0)
        out = script(it, r"""
import secretstorage
connection = secretstorage.dbus_init()
[item] = secretstorage.search_items(connection, {"service": "bank", "username": "ann"})
print(item.is_locked())
try:
    item.get_secret()
except secretstorage.LockedException:
    print("locked")
# True: dismissed.
print(item.unlock())
""")
        equal(out.splitlines(), ["True", "locked", "True"])
        equal(pinentry.was_started(), False)
