# SPDX-License-Identifier: Apache-2.0
"""The Secret Service for a user of the system service, with real clients, and attacks of other programs and other users on it."""

import os
import shutil
import subprocess

import pytest

from secret_service import PYTHON, other_tool, script, store, tool
from support.instance import is_root, read_text, wait_until
from support.secrets import Secrets, SessionBus, compiled_client, program, session
from support.sentences import contains, equal, lacks
from support.system import SystemInstance, ann, bob

SECRET = "cörrect horse\nbattery"

pytestmark = pytest.mark.skipif(not is_root, reason="only root may start a system service")


@pytest.fixture
def it(programs):
    """A user of a system service."""
    instance = SystemInstance(programs, ann)
    try:
        instance.start()
        yield instance
    finally:
        instance.remove()


def locked(it, attributes):
    """What a Python program finds, whether it is locked, and whether unlocking is dismissed."""
    return script(it, r"""
import secretstorage, sys
connection = secretstorage.dbus_init()
for item in secretstorage.search_items(connection, dict(part.split("=") for part in sys.argv[1:])):
    print(item.get_label(), item.is_locked(), item.unlock())
    try:
        print(item.get_secret())
    except secretstorage.LockedException:
        print("locked")
""", *attributes)


def test_secret_tool_stores_finds_reads_and_clears(it):
    with session(it):
        store(it, SECRET, "service", "mail")
        equal(tool(it, "lookup", "service", "mail").out, SECRET)
        contains(it.run("chatelaine", "list", check=0).out, "mail")
        tool(it, "clear", "service", "mail")
        equal(tool(it, "lookup", "service", "mail", check=1).out, "")


def test_another_program_lists_an_item_and_neither_reads_nor_changes_nor_deletes_it(it):
    with session(it):
        own, other = compiled_client(it, 1), compiled_client(it, 2)
        it.run(own, "store", SECRET, check=0)
        # No prompt is possible, so the item stays locked.
        equal(it.run(other, "lookup").out, "")
        equal(locked(it, ["user=ann"]), "Small True True\nlocked\n")
        other_secret_tool = other_tool(it)
        equal(it.run(other_secret_tool, "lookup", "user", "ann").out, "")
        it.run(other_secret_tool, "clear", "user", "ann")
        it.run(other, "store", "of the other program")
        equal(it.run(own, "lookup", check=0).out, SECRET)


def test_the_file_of_a_program_that_is_exchanged_does_not_get_the_items_of_the_earlier_one(it):
    with session(it):
        own, other = compiled_client(it, 1), compiled_client(it, 2)
        it.run(own, "store", SECRET, check=0)
        os.rename(own, own + ".kept")
        shutil.copyfile(other, own)
        os.chmod(own, 0o755)
        equal(it.run(own, "lookup").out, "")
        os.rename(own + ".kept", own)
        equal(it.run(own, "lookup", check=0).out, SECRET)


def test_a_copy_of_the_bridge_serves_no_client(it):
    copy = os.path.join(it.scratch, "chatelaine-secrets")
    shutil.copyfile(program(it), copy)
    os.chmod(copy, 0o755)
    with session(it):
        own = compiled_client(it, 1)
        it.run(own, "store", SECRET, check=0)
    with SessionBus(it) as bus:
        log = os.path.join(it.scratch, "copy.log")
        with open(log, "wb") as output:
            forged = it.popen(copy, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            wait_until(lambda: bus.owner() == forged.pid or forged.poll() is not None, what="the name or the end")
            equal(it.run(own, "lookup").out, "")
        finally:
            forged.kill()
            forged.wait()
        lacks(read_text(log), SECRET)


def test_the_bridge_of_another_user_has_none_of_the_items(it):
    with session(it):
        own = compiled_client(it, 1)
        it.run(own, "store", SECRET, check=0)
    other = it.service.user(bob)
    try:
        with session(other):
            equal(other.run(own, "lookup").returncode, 1)
            other.run(own, "store", "of bob", check=0)
            equal(other.run(own, "lookup", check=0).out, "of bob")
    finally:
        other.remove()
    with session(it):
        equal(it.run(own, "lookup", check=0).out, SECRET)


def test_a_client_of_another_user_at_the_same_bus_gets_nothing_and_does_not_take_the_name(it):
    own = compiled_client(it, 1)
    with SessionBus(it) as bus:
        secrets = Secrets(it, bus).started()
        try:
            it.run(own, "store", SECRET, check=0)
            other = it.service.user(bob)
            try:
                other.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
                # This bus accepts all users, unlike one that a session starts.
                contains(other.run("busctl", f"--address={bus.address}", "list", check=0).out, "org.freedesktop.secrets")
                equal(other.run(own, "lookup").out, "")
                other.run(own, "store", "of bob")
                equal(other.run(program(it), "--replace").returncode, 1)
            finally:
                other.remove()
            equal(bus.owner(), secrets.process.pid)
            equal(it.run(own, "lookup", check=0).out, SECRET)
        finally:
            secrets.kill()


def test_a_system_service_that_is_killed_and_started_again_is_used_again(it):
    with session(it):
        own = compiled_client(it, 1)
        it.run(own, "store", SECRET, check=0)
        it.service.process.kill()
        it.service.process.wait()
        assert it.run(own, "lookup").out == ""
        it.start()
        equal(it.run(own, "lookup", check=0).out, SECRET)


def test_the_memory_of_the_bridge_is_open_to_its_user_and_that_of_the_system_service_is_not(it):
    """As SECURITY.md says."""
    with session(it) as secrets:
        reading = "import sys; open(f'/proc/{sys.argv[1]}/mem', 'rb').close()"
        equal(it.run(PYTHON, "-c", reading, str(secrets.process.pid)).returncode, 0)
        equal(it.run(PYTHON, "-c", reading, str(it.service.process.pid)).returncode, 1)
