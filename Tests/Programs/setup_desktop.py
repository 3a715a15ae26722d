# SPDX-License-Identifier: Apache-2.0
"""`chatelaine setup desktop` on a session bus of the test's own: what another provider holds is imported, the name is taken over, and given
back. The other provider is gnome-keyring-daemon, which keeps the name while it runs, or one that gives it up."""

import contextlib
import json
import os
import shutil
import signal
import subprocess

import pytest

from support.disk import build
from support.instance import read_text, wait_until
from support.secrets import Secrets, SessionBus, compiled_client, owner, program
from support.sentences import contains, equal, lacks

IMPORTER = "chatelaine-secrets-import"
KEYRING = "gnome-keyring-daemon"
PYTHON = "/usr/bin/python3"
ITEMS = [
    ["Mail", {"xdg:schema": "org.example.Mail", "user": "ann"}, "of-ann"],
    ["Mail", {"xdg:schema": "org.example.Mail", "user": "bob"}, "of-bob"],
    ["Web", {"application": "browser"}, ""],
]


@contextlib.contextmanager
def desktop(it):
    """A session bus that starts providers by the files in the folders of its user, and the programs of a take-over."""
    program(it)
    program(it, IMPORTER)
    bus = SessionBus(it, with_user_folders=True)
    it.start()
    with bus:
        yield bus


def provider(it, bus, items):
    """A provider that gives the name up and ends."""
    script = os.path.join(it.programs.modules, "support/played_provider.py")
    return owner(bus, it.popen(PYTHON, script, json.dumps(items), stdin=subprocess.DEVNULL))


def keyring(it, bus):
    """gnome-keyring-daemon with an unlocked keyring."""
    if not shutil.which(KEYRING):
        pytest.skip(f"{KEYRING} is not installed")
    process = it.popen(
        shutil.which(KEYRING), "--foreground", "--unlock", "--components=secrets",
        f"--control-directory={os.path.join(it.scratch, 'keyring')}",
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    process.stdin.write(b"password")
    process.stdin.close()
    return owner(bus, process)


def run_setup(it, *words, check=0):
    # Without the portal for sandboxed applications, which the machine may have.
    environment = dict(it.environment, XDG_DATA_DIRS=os.path.join(it.scratch, "share"))
    return it.run("chatelaine", "setup", "desktop", *words, check=check, env=environment)


def activation(it):
    return os.path.join(it.directories["data"], "dbus-1/services/org.freedesktop.secrets.service")


def owner_program(bus):
    number = bus.owner()
    return None if number is None else os.readlink(f"/proc/{number}/exe")


def stored(it):
    return sorted((item["label"], item["user"], item["group"]) for item in it.list())


IMPORTED = [
    ("Mail", "ann", "chatelaine.private"), ("Mail", "bob", "chatelaine.private"), ("Web", "", "chatelaine.private")]


def test_the_items_of_a_provider_are_imported_and_the_name_is_taken_over_and_given_back(it):
    with desktop(it) as bus, provider(it, bus, ITEMS) as other:
        preview = run_setup(it, "--dry-run").out
        contains(preview, f"(process {other.pid}", "COLLECTION  ITEMS\nLogin           3\n", "org.example.Mail      2\n",
                 f"would write {activation(it)}\n", "Nothing was changed.\n")
        lacks(preview, "of-ann")
        equal(it.list(), [])
        equal(bus.owner(), other.pid)
        assert not os.path.exists(activation(it))

        done = run_setup(it, "--yes")
        contains(done.out, "3 imported, 0 already stored, 0 not imported\n")
        lacks(done.out + done.err, "of-ann")
        equal(stored(it), IMPORTED)
        equal(other.wait(timeout=60), 0)
        equal(owner_program(bus), program(it))
        # Each use of an imported item needs an approval, which nobody can give here.
        equal(it.run("chatelaine", "get", "org.example.Mail", "--user", "ann").returncode, 4)
        contains(run_setup(it, "--yes").out, "Nothing is left to do.\n")

        contains(run_setup(it, "--undo").out, "Imported items stay in the keychain.\n")
        wait_until(lambda: bus.owner() is None, what="the end of chatelaine-secrets")
        assert not os.path.exists(os.path.dirname(activation(it)))
        equal(stored(it), IMPORTED)
        contains(run_setup(it, "--undo").out, "There is nothing to undo.\n")


def test_a_repeated_import_stores_only_what_is_new(it):
    with desktop(it) as bus:
        with provider(it, bus, ITEMS[:2]):
            contains(run_setup(it, "--yes").out, "2 imported, 0 already stored, 0 not imported\n")
        run_setup(it, "--undo")
        wait_until(lambda: bus.owner() is None, what="the end of chatelaine-secrets")
        with provider(it, bus, ITEMS):
            contains(run_setup(it, "--yes").out, "1 imported, 2 already stored, 0 not imported\n")
        equal(stored(it), IMPORTED)


def test_an_item_that_a_program_planted_before_does_not_keep_the_providers_item_out(it):
    small = [["Small", {"xdg:schema": "org.example.Small", "user": "ann"}, "of-ann"]]
    with desktop(it) as bus:
        secrets = Secrets(it, bus).started()
        it.run(compiled_client(it, 1), "store", "planted", check=0)
        [planted] = stored(it)
        equal(planted[0], "Small")
        secrets.kill()
        wait_until(lambda: bus.owner() is None, what="the end of chatelaine-secrets")
        with provider(it, bus, small):
            done = run_setup(it, "--yes")
        contains(done.out, "1 imported, 0 already stored, 0 not imported\n",
                 "\n1 items with the same attributes belong to other programs: ")
        [imported] = [item for item in stored(it) if item != planted]
        equal(imported, ("Small", "ann", "chatelaine.private"))
        run_setup(it, "--undo")


def test_clients_find_imported_items_by_their_attributes(it):
    with desktop(it) as bus, provider(it, bus, ITEMS):
        run_setup(it, "--yes")
        found = it.run("secret-tool", "search", "--all", "user", "ann", check=0)
        contains(found.out + found.err, "label = Mail\n", "schema = org.example.Mail\n")
        # No prompt is possible, so the secret is not given out.
        lacks(found.out + found.err, "of-ann")


def test_what_gnomes_provider_holds_is_imported_and_it_keeps_the_name_until_it_ends(it):
    with desktop(it) as bus, keyring(it, bus) as other:
        it.run("secret-tool", "store", "--label=Mail", "user", "ann", input="of-ann", check=0)
        it.run("secret-tool", "store", "--label=Work", "user", "bob", "host", "a", input="of-bob", check=0)
        done = run_setup(it, "--yes", check=6)
        contains(done.out, "2 imported, 0 already stored, 0 not imported\n")
        contains(done.err, KEYRING, f"process {other.pid}", "keeps the name org.freedesktop.secrets",
                 "log out and in again")
        equal(bus.owner(), other.pid)
        # Nothing was deleted there.
        equal(it.run("secret-tool", "lookup", "user", "ann", check=0).out, "of-ann")
        contains(it.run("chatelaine", "doctor").out, f"org.freedesktop.secrets belongs to {shutil.which(KEYRING)}")
        other.kill()
        other.wait()
        wait_until(lambda: bus.owner() is None, what="the end of the keyring")
        # The bus starts Chatelaine's provider now.
        found = it.run("secret-tool", "search", "--all", "user", "bob", check=0)
        contains(found.out + found.err, "label = Work\n")
        equal(owner_program(bus), program(it))
        contains(it.run("chatelaine", "doctor").out, f"org.freedesktop.secrets belongs to {program(it)}")
        run_setup(it, "--undo")


def test_files_that_are_there_are_kept_and_restored(it):
    with desktop(it) as bus:
        path = activation(it)
        os.makedirs(os.path.dirname(path))
        target = os.path.join(it.scratch, "target")
        for make, check in [
                (lambda: os.symlink(target, path), lambda: equal(os.readlink(path), target)),
                (lambda: os.mkdir(path), lambda: equal(os.listdir(path), [])),
                (lambda: shutil.copyfile("/dev/null", path), lambda: equal(os.path.getsize(path), 0))]:
            make()
            with provider(it, bus, ITEMS):
                run_setup(it, "--yes")
            assert os.path.isfile(path) and not os.path.islink(path)
            assert not os.path.exists(target)
            run_setup(it, "--undo")
            wait_until(lambda: bus.owner() is None, what="the end of chatelaine-secrets")
            check()
            equal(os.listdir(os.path.dirname(path)), [os.path.basename(path)])
            if os.path.isdir(path) and not os.path.islink(path):
                os.rmdir(path)
            else:
                os.unlink(path)


def test_a_kill_in_place_of_each_change_of_a_file_loses_no_file_that_was_there_and_no_item(it):
    foreign = "[D-BUS Service]\nName=org.freedesktop.secrets\nExec=/usr/bin/other\n"
    with desktop(it) as bus, provider(it, bus, ITEMS) as other:
        path = activation(it)
        os.makedirs(os.path.dirname(path))
        with open(path, "w", encoding="utf-8") as file:
            file.write(foreign)
        mark = os.path.join(it.scratch, "kill")
        environment = dict(
            it.environment, XDG_DATA_DIRS=os.path.join(it.scratch, "share"), LD_PRELOAD=build(it.scratch),
            DISK_LOG_ROOT=it.directories["data"], DISK_KILL=mark)
        statuses = []
        while 0 not in statuses:
            with open(mark, "w", encoding="ascii") as file:
                file.write(str(len(statuses) + 1))
            statuses.append(it.run("chatelaine", "setup", "desktop", "--yes", env=environment).returncode)
            assert foreign in [read_text(name) for name in (path, path + ".before-chatelaine") if os.path.exists(name)]
            if statuses[-1] != 0:
                equal(bus.owner(), other.pid)
            run_setup(it, "--undo")
            equal(read_text(path), foreign)
            # The bus reads no unfinished file, whose name ends in a number.
            names = [name for name in os.listdir(os.path.dirname(path)) if not name.startswith(".chatelaine-")]
            equal(names, [os.path.basename(path)])
            equal(stored(it), IMPORTED)
        # The old file is renamed; the new one is made, written, synced and renamed.
        assert len(statuses) > 4 and set(statuses[:-1]) == {-signal.SIGKILL}, statuses
        wait_until(lambda: bus.owner() is None, what="the end of chatelaine-secrets")


def test_without_a_bus_and_without_confirmation_nothing_happens(it):
    program(it)
    it.start()
    done = it.run("chatelaine", "setup", "desktop", "--yes", check=5)
    contains(done.err, "there is no session bus")
    contains(it.run("chatelaine", "doctor").out, "secrets      there is no session bus here")
    with desktop_without_service(it) as bus, provider(it, bus, ITEMS):
        contains(run_setup(it, check=64).err, "confirmation is required")
        equal(it.list(), [])
        assert not os.path.exists(activation(it))


@contextlib.contextmanager
def desktop_without_service(it):
    """The desktop, for a test that has started the keychain service."""
    service, it.start = it.start, lambda: None
    try:
        with desktop(it) as bus:
            yield bus
    finally:
        it.start = service


def test_a_bus_that_ends_during_the_import_is_an_error(it):
    with desktop(it) as bus, provider(it, bus, ITEMS):
        bus.stop()
        done = it.run("chatelaine", "setup", "desktop", "--yes", check=5)
        contains(done.err, "error: ")
        assert not os.path.exists(activation(it))
