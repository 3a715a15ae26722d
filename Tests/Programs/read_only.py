# SPDX-License-Identifier: Apache-2.0
"""A file system that becomes read-only while the service runs: existing data is read, changes are rejected, and no data is lost."""

import os
import shutil
import signal
import subprocess

import pytest

from support.instance import is_root
from support.disk import build
from support.sentences import contains, equal
from support.wire import Client

READ_ONLY = -61
SECRETS = {f"name {number}": f"secret {number}" for number in range(5)}


def tool(*words, check=True):
    return subprocess.run(words, check=check, capture_output=True, text=True)


class BreakingDisk:
    """An ext4 in a file in the place of the data directory, which the kernel makes read-only at an error, with all its open files."""

    def __init__(self, it):
        if not is_root:
            pytest.skip("only root may mount")
        missing = [name for name in ("mkfs.ext4", "losetup") if not shutil.which(name)]
        if missing:
            pytest.skip(f"there is no {missing[0]}")
        self.it, self.path = it, it.directories["data"]
        self.image = os.path.join(it.scratch, "disk")
        with open(self.image, "wb") as file:
            os.ftruncate(file.fileno(), 24 << 20)
        tool("mkfs.ext4", "-q", "-m", "0", self.image)
        done = tool("losetup", "--find", "--show", self.image, check=False)
        if done.returncode:
            pytest.skip("there is no loop device: " + done.stderr.strip())
        self.device = done.stdout.strip()

    def __enter__(self):
        try:
            self.mount()
        except Exception:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.it.daemon:
            self.it.stop(signal.SIGKILL)
        tool("umount", self.path, check=False)
        tool("losetup", "--detach", self.device)

    def mount(self):
        done = tool("mount", "-t", "ext4", "-o", "errors=remount-ro", self.device, self.path, check=False)
        if done.returncode:
            pytest.skip("mounting is not allowed here: " + done.stderr.strip())
        shutil.rmtree(os.path.join(self.path, "lost+found"), ignore_errors=True)
        os.chmod(self.path, 0o700)

    def mount_anew(self):
        tool("umount", self.path)
        self.mount()

    def fail(self):
        trigger = f"/sys/fs/ext4/{os.path.basename(self.device)}/trigger_fs_error"
        if not os.path.exists(trigger):
            pytest.skip("this kernel's ext4 makes no errors on demand")
        with open(trigger, "w", encoding="utf-8") as file:
            file.write("asked for by a test")
        try:
            with open(os.path.join(self.path, "probe"), "w", encoding="utf-8"):
                raise AssertionError("it can still be written to")
        except OSError as error:
            equal(error.strerror, "Read-only file system")


def fill(it):
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    for name, secret in SECRETS.items():
        it.set(name, secret)
    with Client(it.socket_path) as client:
        equal(client.add({"svce": "own", "acct": "a"}, b"secret").status, 0)
    it.run("security", "create-keychain", "-p", "sesame", "k", check=0)
    it.run("security", "add-generic-password", "-a", "a", "-s", "s", "-w", "p", "k", check=0)


def is_all_there(it, more=()):
    for name, secret in SECRETS.items():
        equal(it.get(name), secret.encode())
    equal({item["name"] for item in it.list()}, {*SECRETS, "own", *more})
    equal(it.run("security", "find-generic-password", "-s", "s", "-w", "k", check=0).out, "p\n")


def refuses_changes(it):
    with Client(it.socket_path) as client:
        for answer in [client.add({"svce": "new", "acct": "a"}, b"x" * 9000), client.update({"svce": "own"}, {"labl": "x"}),
                       client.delete({"svce": "own"})]:
            equal(answer.status, READ_ONLY)
        equal(client.copy({"svce": "own"}).items[0][2], b"secret")
    for words in [["set", "new"], ["set", "name 1"], ["remove", "name 1"], ["passcode", "set", "--passcode-fd", "0"]]:
        done = it.run("chatelaine", *words, input="changed", check=1)
        contains(done.err, "error: the keychain's files cannot be written", "\nhint: check ", "mounted writable")
    for words in [["add-generic-password", "-a", "b", "-s", "t", "-w", "q", "k"], ["create-keychain", "-p", "x", "l"],
                  ["set-keychain-password", "-o", "sesame", "-p", "x", "k"], ["delete-keychain", "k"]]:
        done = it.run("security", *words)
        equal((words[0], done.returncode), (words[0], READ_ONLY & 0xFF))
    # This one exits with 1, whatever it is.
    contains(it.run("security", "list-keychains", "-d", "user", "-s", "k", check=1).err, "The file may not be written to.")


def test_on_a_file_system_that_becomes_read_only_while_the_service_runs(it):
    """On a file system that becomes read-only while the service runs, everything is read and no change is made or lost."""
    with BreakingDisk(it) as disk:
        it.start()
        fill(it)
        disk.fail()
        is_all_there(it)
        refuses_changes(it)
        is_all_there(it)
        equal(it.daemon.poll(), None)
        it.stop()
        # The kernel makes none writable again after an error: it has to be mounted anew.
        disk.mount_anew()
        it.start()
        it.run("security", "unlock-keychain", "-p", "sesame", "k", check=0)
        is_all_there(it)
        it.set("after", "y" * 5000)
        is_all_there(it, more=["after"])


def test_when_it_can_be_written_again_changes_are_made_again_without_a_restart(it):
    mark = os.path.join(it.scratch, "read-only")
    it.start(env={**it.environment, "LD_PRELOAD": build(it.scratch), "DISK_LOG_ROOT": it.directories["data"],
                  "DISK_READ_ONLY": mark})
    fill(it)
    for number in range(3):
        with open(mark, "w", encoding="utf-8"):
            pass
        is_all_there(it, more=[f"after {n}" for n in range(number)])
        refuses_changes(it)
        os.unlink(mark)
        is_all_there(it, more=[f"after {n}" for n in range(number)])
        it.set(f"after {number}", "y" * 5000)
        it.run("security", "add-generic-password", "-a", f"b{number}", "-s", "t", "-w", "q", "k", check=0)
    equal(it.stop(), 0)
    it.start()
    it.run("security", "unlock-keychain", "-p", "sesame", "k", check=0)
    is_all_there(it, more=[f"after {n}" for n in range(3)])
    equal(it.run("security", "find-generic-password", "-a", "b2", "-w", "k", check=0).out, "q\n")
