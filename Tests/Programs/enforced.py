# SPDX-License-Identifier: Apache-2.0
"""`chatelaine enforce` on real files, and what the kernel then keeps from a user's other programs.

The tests change groups and records of the system, in a mount namespace where the folders concerned are copies.
"""

import contextlib
import json
import os
import shutil
import subprocess

import pytest

from support.caller import compile_caller, compile_library, root_owned_folder
from support.instance import is_root, ordinary_user
from support.sentences import cases, contains, equal, ordinary, python

GROUP = "chatelaine-clients"
RECORD = "/etc/chatelaine/enforced"


class System:
    """A namespace in which /etc and the records of dpkg can be changed."""

    def __init__(self, it, hidden=()):
        self.it = it
        layers = os.path.join(it.scratch, "layers")
        # On memory: an overlay cannot have its changes on another overlay.
        script = f"set -e\nmkdir -p {layers}\nmount -t tmpfs none {layers}\n"
        for number, folder in enumerate(["/etc", "/var/lib/dpkg"]):
            if os.path.isdir(folder):
                upper, work = f"{layers}/{number}/upper", f"{layers}/{number}/work"
                script += f"mkdir -p {upper} {work}\n"
                script += f"mount -t overlay none -o lowerdir={folder},upperdir={upper},workdir={work} {folder}\n"
        # The machine's own record and group are removed here.
        script += f"rm -rf {os.path.dirname(RECORD)}\nsed -i '/^{GROUP}:/d' /etc/group\n"
        script += f"if [ -f /etc/gshadow ]; then sed -i '/^{GROUP}:/d' /etc/gshadow; fi\n"
        for path in hidden:
            script += f"mount --bind /dev/null {path}\n"
        self.holder = it.popen(
            "unshare", "--mount", "/bin/sh", "-c", script + "echo ready\nexec cat", stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if self.holder.stdout.readline() != b"ready\n":
            pytest.skip("no such mounts here: " + self.holder.stderr.read().decode().strip())

    def run(self, *words, **more):
        words = [self.it.program(words[0]), *words[1:]]
        return self.it.run("nsenter", f"--mount=/proc/{self.holder.pid}/ns/mnt", *words, **more)

    def enforce(self, *words, check=0):
        return self.run("chatelaine", "enforce", *words, check=check)

    def end(self):
        self.holder.kill()
        self.holder.wait()
        for stream in (self.holder.stdin, self.holder.stdout, self.holder.stderr):
            stream.close()


@contextlib.contextmanager
def system(it, *hidden):
    if not is_root:
        pytest.skip("needs root")
    made = System(it, hidden)
    try:
        with root_owned_folder() as folder:
            yield made, folder
    finally:
        made.end()


def install(it, folder, name="client", mode=0o755):
    path = it.programs.copy(compile_caller(it), os.path.join(folder, name))
    os.chmod(path, mode)
    return path


def state(path):
    facts = os.lstat(path)
    return facts.st_gid, facts.st_mode & 0o7777


def test_a_program_is_enforced_listed_and_set_back_to_what_it_was(it):
    with system(it) as (made, folder):
        path = install(it, folder, mode=0o711)
        done = made.enforce(path)
        contains(done.out, f'"{path}" is enforced')
        contains(done.err, f"Created the group {GROUP}")
        group = int(made.run("getent", "group", GROUP, check=0).out.split(":")[2])
        equal(state(path), (group, 0o2711))
        equal(made.run("stat", "-c", "%u %a", RECORD, check=0).out, "0 644\n")
        [entry] = json.loads(made.enforce("--list", "--json").out)
        kept = shutil.which("dpkg-statoverride") is not None
        equal(entry, {"program": path, "state": "enforced", "keptOverUpdates": kept})
        if kept:
            equal(made.run("dpkg-statoverride", "--list", path, check=0).out, f"root {GROUP} 2711 {path}\n")
        contains(made.enforce(path).out, "is already enforced")
        contains(made.enforce("--undo", path).out, "is in its original state")
        equal(state(path), (0, 0o711))
        equal((made.enforce("--list").out, made.run("cat", RECORD, check=0).out), ("", ""))
        if kept:
            assert made.run("dpkg-statoverride", "--list", path).returncode != 0
        contains(made.enforce("--undo", path, check=1).err, "was not enforced", "hint: ")


def test_a_program_that_an_update_set_back_is_listed_so_and_enforced_again(it):
    with system(it) as (made, folder):
        path = install(it, folder)
        made.enforce(path)
        it.programs.copy(compile_caller(it, "second", "-O2"), path + ".new")
        os.rename(path + ".new", path)
        equal(json.loads(made.enforce("--list", "--json").out)[0]["state"], "set back")
        made.enforce(path)
        equal(json.loads(made.enforce("--list", "--json").out)[0]["state"], "enforced")
        os.remove(path)
        equal(json.loads(made.enforce("--list", "--json").out)[0]["state"], "missing")
        contains(made.enforce("--undo", path).out, "is no longer listed")
        equal(made.enforce("--list").out, "")


def test_undoing_leaves_alone_changes_that_another_program_made_since(it):
    with system(it) as (made, folder):
        path = install(it, folder)
        made.enforce(path)
        os.chown(path, 0, 12)
        os.chmod(path, 0o700)
        contains(made.enforce("--undo", path).out, "stays unchanged")
        equal(state(path), (12, 0o700))


def test_where_there_is_no_dpkg_statoverride_it_is_told_that_updates_set_the_program_back(it):
    tool = shutil.which("dpkg-statoverride")
    with system(it, *([os.path.realpath(tool)] if tool else [])) as (made, folder):
        path = install(it, folder)
        contains(made.enforce(path).out, "until an update resets it")
        equal(json.loads(made.enforce("--list", "--json").out)[0]["keptOverUpdates"], False)
        made.enforce("--undo", path)
        equal(state(path), (0, 0o755))


@cases("what, message", [
    ("a script", "is a script"), ("python", "runs other programs"), ("a set-user-id program", "set-user-id"),
    ("a symbolic link", "is a symbolic link"), ("a program with two names", "2 names"),
    ("a program with a capability", "file capabilities"), ("somebody's program", "users other than root can change"),
    ("a program in somebody's folder", "so they could replace"), ("a folder", "is not a program"),
    ("a program that is not there", "No such file"), ("another group's program", "already set-group-id"),
    ("a program that few may run", "only members of its group may run")])
def test_what_cannot_be_shielded_is_refused_with_a_reason_and_stays_as_it_is(it, what, message):
    with system(it) as (made, folder):
        path = install(it, folder)
        if what == "a script":
            with open(path, "w") as file:
                file.write("#!/bin/sh\n")
        elif what == "python":
            path = it.programs.copy(path, os.path.join(folder, "python3.12"))
        elif what == "a set-user-id program":
            os.chmod(path, 0o4755)
        elif what == "a symbolic link":
            os.symlink("client", path + ".link")
            path += ".link"
        elif what == "a program with two names":
            os.link(path, path + ".link")
        elif what == "a program with a capability":
            os.setxattr(path, "security.capability", bytes.fromhex("0100000200400000" + "00" * 12))
        elif what == "somebody's program":
            os.chown(path, ordinary_user, 0)
        elif what == "a program in somebody's folder":
            os.chown(folder, ordinary_user, 0)
        elif what == "a folder":
            path = folder
        elif what == "a program that is not there":
            path += ".none"
        elif what == "another group's program":
            os.chown(path, 0, 8)
            os.chmod(path, 0o2755)
        else:
            os.chmod(path, 0o750)
        before = state(path) if os.path.lexists(path) else None
        contains(made.enforce(path, check=1).err, "error: ", message)
        equal(state(path) if before else None, before)
        equal(made.enforce("--list").out, "")


def test_a_group_with_members_shields_no_program_and_is_refused(it):
    with system(it) as (made, folder):
        path = install(it, folder)
        made.run("groupadd", "--system", GROUP, check=0)
        made.run("gpasswd", "--add", "daemon", GROUP, check=0)
        contains(made.enforce(path, check=1).err, "has members: daemon", "hint: ")
        equal(state(path), (0, 0o755))


@ordinary
def test_only_root_enforces_and_the_list_is_everybodys_to_see(it):
    contains(it.run("chatelaine", "enforce", "/usr/bin/true", check=1).err, "only root can change whether a program is enforced", "hint: ")
    it.run("chatelaine", "enforce", "--list", check=0)


def test_a_record_of_another_program_is_left_alone(it):
    with system(it) as (made, folder):
        path = install(it, folder)
        made.enforce(path)
        made.run("sh", "-c", f"echo hello >>{RECORD}", check=0)
        for words in [["--list"], ["--undo", path]]:
            contains(made.enforce(*words, check=1).err, "its format is invalid", "hint: ")


def test_no_library_gets_into_an_enforced_program_and_no_process_traces_it_or_reads_its_memory(it):
    with system(it) as (made, folder):
        path, library = install(it, folder), compile_library(it)
        made.enforce(path)
        it.user = ordinary_user
        environment = dict(it.environment, LD_PRELOAD=library)
        for program, words, loads in [("ordinary", [compile_caller(it, "plain")], True), ("enforced", [path], False)]:
            process = it.popen(
                *words, it.socket_path, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            try:
                equal(process.stdout.readline(), b"ready\n")
                with open(f"/proc/{process.pid}/maps") as file:
                    equal((program, library in file.read()), (program, loads))
                output = python(it, """
import ctypes, sys
number = int(sys.argv[2])
try:
    open(f"/proc/{number}/mem", "rb").close()
    print("reads", end=" ")
except PermissionError:
    print("refused", end=" ")
print(ctypes.CDLL(None).ptrace(0x4206, number, None, None))
""", str(process.pid))
                equal((program, output), (program, "reads 0\n" if loads else "refused -1\n"))
            finally:
                process.kill()
                process.wait()
                process.stdin.close()
                process.stdout.close()
