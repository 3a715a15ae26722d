# SPDX-License-Identifier: Apache-2.0
"""The administrator's policy in /etc/chatelaine/policy.d: the settings that users cannot loosen, in a user service and in the
system service.

The folder is made in a separate mount namespace, which the service runs in."""

import contextlib
import os
import subprocess

import pytest

from passcode import given
from support.caller import Caller, compile_caller
from support.instance import is_root, ordinary_user, wait_until
from support.sentences import both, cases, contains, equal
from support.system import SystemService, ann
from support.wire import MISSING_ENTITLEMENT, UNSIGNED

MACHINE_POLICY = 102
FOLDER = "/etc/chatelaine/policy.d"


class Etc:
    """A namespace with another /etc, in which a test writes the policy."""

    def __init__(self, it):
        if not is_root:
            pytest.skip("needs root, to write in /etc")
        layers = os.path.join(it.scratch, "etc-layers")
        script = (f"set -e\nmkdir -p {layers}\nmount -t tmpfs none {layers}\nmkdir {layers}/upper {layers}/work\n"
                  f"mount -t overlay none -o lowerdir=/etc,upperdir={layers}/upper,workdir={layers}/work /etc\n"
                  f"rm -rf /etc/chatelaine\nmkdir -p {FOLDER}\nchmod 755 /etc/chatelaine {FOLDER}\necho ready\nexec cat")
        self.it = it
        self.holder = it.popen("unshare", "--mount", "/bin/sh", "-c", script, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, user=0, group=0)
        if self.holder.stdout.readline() != b"ready\n":
            pytest.skip("no such mounts here: " + self.holder.stderr.read().decode().strip())

    @property
    def words(self):
        return ["nsenter", f"--mount=/proc/{self.holder.pid}/ns/mnt"]

    def write(self, text, name="10-office.conf", mode=0o644, owner=0):
        path = f"/proc/{self.holder.pid}/root{FOLDER}/{name}"
        with open(path, "w") as file:
            file.write(text)
        os.chown(path, owner, owner)
        os.chmod(path, mode)

    def end(self):
        self.holder.kill()
        self.holder.wait()
        for stream in (self.holder.stdin, self.holder.stdout, self.holder.stderr):
            stream.close()


@contextlib.contextmanager
def etc(it):
    made = Etc(it)
    try:
        yield made
    finally:
        made.end()


@contextlib.contextmanager
def running(it, made):
    """A system service under the policy, and a user of it."""
    with SystemService(it) as service:
        service.start(sandboxed=False, wrapped=lambda words: [*made.words, *words])
        user = service.user(ann)
        try:
            yield service, user
        finally:
            user.remove()


def setting(it, name):
    return it.run("chatelaine", "settings", "get", name, check=0).out.strip()


def test_settings_are_at_least_as_strict_as_the_policy_says_and_no_user_loosens_them(it):
    with etc(it) as made:
        made.write("require-enforced-callers = on\nbridges = learn\n")
        made.write("idle-lock = 15m\nlock-on-sleep = on\naudit-log-files = 7", "20-more.conf")
        made.write("idle-lock = 1m\n", "not-a-policy.txt")
        with running(it, made) as (service, user):
            equal(setting(user, "require-enforced-callers"), "on")
            equal(setting(user, "idle-lock"), "15m")
            equal(setting(user, "audit-log-files"), "7")
            for name, value in [("require-enforced-callers", "off"), ("idle-lock", "never"), ("idle-lock", "16m"),
                                ("lock-on-sleep", "off"), ("audit-log-files", "2"), ("bridges", "open")]:
                done = user.run("chatelaine", "settings", "set", name, value, check=4)
                contains(done.err, "policy of this machine", FOLDER)
            user.run("chatelaine", "settings", "set", "idle-lock", "5m", check=0)
            equal(setting(user, "idle-lock"), "5m")
            given(user, "passcode", "set", passcode_fd="hunter2", check=0)
            for mode in "learn", "ask":
                given(user, "settings", "set", "bridges", mode, passcode_fd="hunter2", check=0)
            # In strict mode an ordinary program adds nothing without an approval.
            contains(user.run("chatelaine", "set", "name", input=b"secret", check=4).err, "strict mode")


def test_keychain_files_lock_themselves_as_the_policy_says(it):
    with etc(it) as made:
        made.write("idle-lock = 1m\n")
        with running(it, made) as (service, user):
            user.run("security", "create-keychain", "-p", "sesame", "k", check=0)
            contains(user.run("security", "show-keychain-info", "k", check=0).err, "timeout=60s")
            done = user.run("security", "set-keychain-settings", "k")
            assert done.returncode != 0 and "timeout=60s" in user.run("security", "show-keychain-info", "k", check=0).err


def test_programs_below_the_lowest_tier_use_no_items_and_backups_are_off(it):
    with etc(it) as made:
        made.write("minimum-tier = installed\nbackups = off\n")
        with running(it, made) as (service, user):
            with Caller(user, compile_caller(user), arguments=[service.socket_path]) as program:
                client = program.connect()
                equal(client.identity().tier, UNSIGNED)
                answer = client.add({"svce": "name", "acct": "ann"}, b"secret")
                equal((answer.status, answer.reason), (MISSING_ENTITLEMENT, MACHINE_POLICY))
            user.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input="1234", check=0)
            done = user.run("chatelaine", "backup", os.path.join(user.scratch, "backup"), "--passcode-fd", "0", input="1234")
            assert done.returncode != 0, done
            assert not os.path.exists(os.path.join(user.scratch, "backup"))


@cases("what", ["a line that is no rule", "a file of a user", "a file that others can write", "a link", "a FIFO"])
def test_a_policy_that_cannot_be_relied_on_stops_the_service_from_starting_and_says_why(it, what):
    with etc(it) as made:
        made.write("idle-lock = 15m\n")
        path = f"/proc/{made.holder.pid}/root{FOLDER}/20.conf"
        message = f"{FOLDER}/20.conf"
        if what == "a line that is no rule":
            made.write("# comment\nidle-lock = soon\n", "20.conf")
            message += ", line 2: idle-lock must be"
        elif what == "a file of a user":
            made.write("idle-lock = never\n", "20.conf", owner=ordinary_user)
        elif what == "a file that others can write":
            made.write("idle-lock = never\n", "20.conf", mode=0o666)
        elif what == "a link":
            os.symlink("10-office.conf", path)
        else:
            os.mkfifo(path)
        with SystemService(it) as service:
            words = [*made.words, *service.words()]
            done = subprocess.run(words, env=service.environment, capture_output=True, text=True, timeout=60)
            assert done.returncode not in (0, -11), done
            contains(done.stderr, message)


@both
def test_a_user_service_keeps_the_policy_as_well(it):
    with etc(it) as made:
        made.write("idle-lock = 15m\n")
        daemon = it.popen(*made.words, "setpriv", f"--reuid={it.user or 0}", f"--regid={it.user or 0}", "--clear-groups",
                          it.program("chatelained"), user=0, group=0, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: os.path.exists(it.socket_path), what="the socket")
            equal(setting(it, "idle-lock"), "15m")
            it.run("chatelaine", "settings", "set", "idle-lock", "never", check=4)
        finally:
            daemon.terminate()
            daemon.wait(timeout=60)
