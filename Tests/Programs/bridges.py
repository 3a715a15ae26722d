# SPDX-License-Identifier: Apache-2.0
"""Requests of a bridge on behalf of its clients (Documentation/Protocols/client.md), and attacks on them, against the real service.

The bridge in these tests is a copy of the Python interpreter, installed beside the service under the name of a bridge. So the test decides
which messages it sends, as a user can with `LD_PRELOAD` in a real bridge."""

import contextlib
import json
import os
import subprocess

import pytest

from support.agents import GROUP
from support.caller import Caller, compile_becoming, compile_caller, root_owned_folder
from support.sentences import all_services, equal
from support.system import SystemInstance, ann
from support.wire import ENFORCED, INSTALLED, INTERACTION_NOT_ALLOWED, MISSING_ENTITLEMENT, NOT_FOUND, PARAMETER

BRIDGE = "chatelaine-secrets"
# Reasons of refusals.
UNIDENTIFIED_CALLER, OTHER_PROGRAMS_ITEM, NOT_INSPECTABLE, BRIDGES_ONLY = 1, 3, 31, 76
item = {"svce": "com.example.service", "acct": "ann"}
secret = b"correct horse battery staple"

# Names processes to the service, and prints for each what the service answers and how many items of the name it returns.
program = """
import os, socket, sys
from support.wire import *
item = {"svce": "com.example.service"}
def named(descriptors, nonce=None, data=b""):
    client = Client(os.environ["SOCKET"])
    socket.send_fds(client.socket, [frame(0x25, client.nonce if nonce is None else nonce) + data], descriptors)
    return client
def tell(client):
    try:
        answer = client.answer()
        if answer.status:
            return print(answer.status, answer.reason, flush=True)
        answer = client.copy(item)
        print(answer.status, answer.reason, [data for _, _, data in answer.items], flush=True)
    except Closed:
        print("closed", flush=True)
"""


def bridge(it, path, code, *arguments):
    """The lines that a bridge prints."""
    environment = {
        **it.environment, "PYTHONPATH": it.programs.modules, "PYTHONDONTWRITEBYTECODE": "1", "SOCKET": it.socket_path}
    done = it.run(path, "-c", program + code, *map(str, arguments), env=environment)
    equal((done.returncode, done.err), (0, ""))
    return done.out.splitlines()


def install_bridge(it, folder=None):
    python = it.python() or pytest.skip("there is no Python that the user may run")
    return it.programs.copy(os.path.realpath(python), os.path.join(folder or it.programs.folder, BRIDGE))


@contextlib.contextmanager
def victim(it, path=None):
    """A process of a program that keeps the secret."""
    with Caller(it, path or compile_caller(it, "victim")) as process:
        equal(process.connect().add(item, secret).status, 0)
        yield process


one = "tell(named([os.pidfd_open(int(sys.argv[1]))]))"
read = f"0 0 [{secret!r}]"


@all_services
def test_a_copy_of_a_bridge_and_another_name_of_it_make_no_requests_for_a_process(it):
    it.start()
    path = install_bridge(it)
    elsewhere = os.path.join(it.scratch, "elsewhere")
    os.mkdir(elsewhere)
    os.chmod(elsewhere, 0o755)
    with victim(it) as process:
        equal(bridge(it, path, one, process.pid), [read])
        os.link(path, os.path.join(elsewhere, "linked"))
        for forged in install_bridge(it, elsewhere), os.path.join(elsewhere, "linked"):
            equal(bridge(it, forged, one, process.pid), [f"{MISSING_ENTITLEMENT} {BRIDGES_ONLY}"])


@all_services
def test_only_a_pidfd_of_a_process_of_the_user_names_a_client_and_a_bridge_has_no_items_of_its_own(it):
    it.start()
    path = install_bridge(it)
    code = """
import threading
process = os.pidfd_open(int(sys.argv[1]))
for one in os.open("/dev/null", os.O_RDONLY), os.open("/proc/self", os.O_RDONLY), os.eventfd(0), os.pidfd_open(1):
    tell(named([one]))
begun, ended = threading.Event(), threading.Event()
def thread():
    # PIDFD_THREAD, which kernels before 6.9 refuse.
    import ctypes
    number = ctypes.CDLL(None).syscall(434, threading.get_native_id(), os.O_EXCL)
    tell(named([number] if number >= 0 else [os.eventfd(0)]))
other = threading.Thread(target=thread)
other.start()
other.join()
for descriptors in [], [process, process], [process] * 253:
    tell(named(descriptors))
tell(named([process], nonce=bytes(16)))
tell(named([process], data=b"more"))
client = Client(os.environ["SOCKET"])
answer = client.copy(item)
print(answer.status, answer.reason)
"""
    no_process, no_request = f"{PARAMETER} {NOT_INSPECTABLE}", f"{MISSING_ENTITLEMENT} {BRIDGES_ONLY}"
    with victim(it) as process:
        # Process 1 is root's.
        first = [no_process] * 3 + ([no_process] if it.user else [])
        said = bridge(it, path, code, process.pid)
        equal(said[:len(first)], first)
        equal(said[4:], [no_process] + [no_request] * 6)


@all_services
def test_a_client_of_a_bridge_that_executes_a_program_forks_or_ends_is_refused(it):
    it.start()
    path = install_bridge(it)
    code = """
import subprocess
def changing(code):
    process = subprocess.Popen([sys.argv[1], "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdout.readline()
    client = named([os.pidfd_open(process.pid)])
    tell(client)
    process.stdin.write(b"\\n")
    process.stdin.flush()
    process.stdout.readline()
    try:
        answer = client.copy(item)
        print(answer.status, answer.reason, flush=True)
    except Closed:
        print("closed", flush=True)
    process.kill()
    process.wait()
wait = "import os, sys; print(flush=True); sys.stdin.readline(); "
changing(wait + "os.execv(sys.executable, [sys.executable, '-c', 'import sys; print(flush=True); sys.stdin.read()'])")
changing(wait + "os.execv('/bin/sh', ['sh', '-c', 'echo; read line'])")
changing(wait + "own = os.getpid(); os.fork() and os._exit(0)\\nwhile os.getppid() == own: pass\\nprint(flush=True); sys.stdin.read()")
"""
    equal(bridge(it, path, code, it.python()), [f"{NOT_FOUND} 0 []", f"{MISSING_ENTITLEMENT} {UNIDENTIFIED_CALLER}"] * 3)


@all_services
def test_a_program_opens_no_items_of_others_by_a_setting_and_leaves_a_line_in_the_log(it):
    """Without a passcode, any program runs the command: it could loosen a setting, read, and set the old value again."""
    it.start()
    path = install_bridge(it)
    refused = f"{INTERACTION_NOT_ALLOWED} {OTHER_PROGRAMS_ITEM} []"
    other = compile_caller(it, "attacker")
    with open(other, "ab") as file:
        file.write(b"another program")
    with victim(it), Caller(it, other) as attacker:
        attacker.connect()
        equal(bridge(it, path, one, attacker.pid), [refused])
        for mode in "learn", "open":
            it.run("chatelaine", "settings", "set", "bridges", mode, check=4, start_new_session=True)
            equal(it.run("chatelaine", "settings", "get", "bridges", check=0).out, "ask\n")
            equal(bridge(it, path, one, attacker.pid), [refused])
        # The stricter mode needs nothing.
        it.run("chatelaine", "settings", "set", "bridges", "ask", check=0, start_new_session=True)
    with open(os.path.join(it.data, "audit.log"), encoding="utf-8") as log:
        lines = [line for line in map(json.loads, log) if line["action"] == "change-settings"]
    equal([(line["settings"], line["outcome"]) for line in lines],
          [(["bridges learn"], "refused"), (["bridges open"], "refused"), (["bridges ask"], "granted")])


@pytest.fixture
def in_system(programs):
    instance = SystemInstance(programs, ann)
    try:
        yield instance
    finally:
        instance.remove()


def test_through_a_bridge_an_enforced_program_and_the_command_have_no_rights_of_their_own(in_system):
    it = in_system
    it.start()
    path = install_bridge(it)
    with root_owned_folder() as folder:
        enforced = it.programs.copy(compile_caller(it, "source"), os.path.join(folder, "enforced"))
        os.chown(enforced, 0, GROUP)
        os.chmod(enforced, 0o2755)
        with victim(it, enforced) as process:
            equal(process.connect_again().identity().tier, ENFORCED)
            equal(bridge(it, path, one, process.pid), [f"{NOT_FOUND} 0 []"])
    it.set("com.example.service", secret)
    with it.popen("chatelaine", "log", "--follow", stdout=subprocess.PIPE) as command:
        try:
            command.stdout.readline()
            # The item of the command is another program's, whose use needs an approval.
            equal(bridge(it, path, one, command.pid), [f"{INTERACTION_NOT_ALLOWED} {OTHER_PROGRAMS_ITEM} []"])
        finally:
            command.kill()


@pytest.mark.parametrize("closed", ["file", "folder"])
def test_a_program_that_its_user_cannot_start_lends_no_rights_through_a_bridge(in_system, closed):
    it = in_system
    it.start()
    path = install_bridge(it)
    with root_owned_folder() as folder:
        keeper = it.programs.copy(compile_becoming(it, it.user), os.path.join(folder, "keeper"))
        os.chmod(keeper if closed == "file" else folder, 0o700)
        # Root starts it.
        it.user, user = None, it.user
        with victim(it, keeper) as process:
            it.user = user
            report = process.connect_again().identity()
            equal((report.user, report.tier, report.name), (user, INSTALLED, (keeper,)))
            # No other way: the user cannot start it, and the kernel denies its user the memory of it.
            assert it.run("sh", "-c", f"{keeper}; : </proc/{process.pid}/mem").err.lower().count("permission denied") == 2
            equal(bridge(it, path, one, process.pid), [f"{MISSING_ENTITLEMENT} {UNIDENTIFIED_CALLER} []"])
