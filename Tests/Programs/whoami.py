#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`chatelaine whoami` with real programs: what it says of each, and whom it does not look at."""

import json
import os
import shutil
import subprocess

from support.instance import digest, ordinary_user
from support.sentences import LeftOut, both, contains, equal, is_root, python, run, test

refused = "error: there is no such process or program, or it is not this user's\n"


def report(it, *words):
    return json.loads(it.run("chatelaine", "whoami", *words, "--json", check=0).out)


def findings(report):
    return [entry["finding"] for entry in report["findings"]]


def copy(it, program, name, mode=0o755):
    """A copy in a folder of the instance's user."""
    folder = os.path.join(it.scratch, "own")
    os.makedirs(folder, exist_ok=True)
    it.own(folder, 0o755)
    path = os.path.join(folder, name)
    shutil.copyfile(program, path)
    it.own(path, mode)
    return path


class Waiting:
    """A process of the instance's user that waits until it is let go."""

    def __init__(self, it, *words, **more):
        self.process = it.popen(*words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **more)
        # It answers, so it is the program that it will stay.
        self.process.stdin.write(b"x\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == b"x\n"
        self.number = str(self.process.pid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate()


@test("the command says what it is itself", users=both)
def _(it):
    seen = report(it)
    equal(seen["program"], it.program("chatelaine"))
    equal((seen["identity"], seen["groups"]), ({"kind": "command", "group": "chatelaine"}, ["chatelaine"]))
    equal(seen["uid"], it.user if it.user else os.getuid())
    assert seen["pid"] > 0
    # The ordinary user's copy is root's and lies below /tmp: a file of another user, which is not looked at.
    if not it.user:
        equal(report(it, "chatelaine")["identity"], seen["identity"])
    text = it.run("chatelaine", "whoami", check=0).out
    contains(text, "known as     the command that came with the service\n", "group        chatelaine\n")
    contains(text, "to raise it  This service runs as you do")


@test("a program of the user is known by its bytes, and told how to be known better", users=both)
def _(it):
    path = copy(it, "/bin/true", "program")
    seen = report(it, path)
    equal(seen["identity"], {"kind": "unsigned", "group": f"unsigned:{digest(path)}", "sha256": digest(path)})
    equal((seen["tier"], seen["pid"], seen["program"]), ("unsigned", None, path))
    equal(findings(seen)[:2], ["no-signature", "writable-by-others"])
    text = it.run("chatelaine", "whoami", path, check=0).out
    contains(text, f"    chatelaine codesign --sign TEAM {path}\n", f"    sudo install -o root -g root -m 755 {path} ")


@test("the advice for an unsigned program is right: signed with it, the program is signed", users=both)
def _(it):
    team = it.run("chatelaine", "team-key", "create", check=0).out.strip()
    path = copy(it, "/bin/true", "program")
    command = next(entry["command"] for entry in report(it, path)["findings"] if entry["finding"] == "no-signature")
    words = [team if word == "TEAM" else word for word in command.split()]
    it.run(*words, "--identifier", "org.example.program", check=0)
    seen = report(it, path)
    equal(seen["identity"], {
        "kind": "signed", "group": f"{team}.org.example.program", "team": team, "identifier": "org.example.program"})
    equal(seen["tier"], "signed")
    with open(path, "ab") as file:
        file.write(b"x")
    seen = report(it, path)
    equal((seen["tier"], findings(seen)[0]), ("unsigned", "changed-after-signing"))


@test("a program that root installed is known by its path", users=both)
def _(it):
    seen = report(it, "/usr/bin/env")
    equal((seen["tier"], seen["identity"]["kind"]), ("installed", "installed"))
    equal(seen["groups"], ["installed:" + seen["program"]])


@test("an interpreter is told apart, by name and by process", users=both)
def _(it):
    seen = report(it, "sh")
    equal((seen["tier"], "interpreter" in findings(seen)), ("interpreter", True))
    assert seen["program"].startswith("/")
    with Waiting(it, "sh", "-c", "read line; echo $line; read line") as shell:
        running = report(it, shell.number)
        equal((running["tier"], running["identity"]), (seen["tier"], seen["identity"]))


@test("a process of the user is shown, and what runs it is what the file is", users=both)
def _(it):
    path = copy(it, "/bin/cat", "copier")
    with Waiting(it, path) as process:
        seen = report(it, process.number)
        equal((seen["pid"], seen["program"]), (int(process.number), path))
        equal(seen["identity"], report(it, path)["identity"])
    done = it.run("chatelaine", "whoami", process.number, check=1)
    equal((done.out, done.err.splitlines(True)[0]), ("", refused))


@test("relative paths and links lead to the file", users=both)
def _(it):
    path = copy(it, "/bin/true", "program")
    os.symlink("program", os.path.join(os.path.dirname(path), "link"))
    for name, folder in [("./program", "own"), ("./link", "own"), ("../own/link", "own"), ("own/program", "")]:
        done = it.run("chatelaine", "whoami", name, "--json", check=0, cwd=os.path.join(it.scratch, folder))
        equal(json.loads(done.out)["program"], path)


@test("what is no program of the user is refused", users=both)
def _(it):
    it.status()
    for words in [["/dev/null"], ["/proc"], [str(2 ** 31 - 1)]]:
        done = it.run("chatelaine", "whoami", *words, check=1)
        equal((done.out, done.err.splitlines(True)[0]), ("", refused))
    done = it.run("chatelaine", "whoami", "no-such-program", check=1)
    contains(done.err, 'error: there is no program "no-such-program": ', "hint: ")
    equal(it.run("chatelaine", "whoami", "0").returncode, 64)


@test("other users' processes and files are as if they were not there", users=("ordinary",))
def _(it):
    if not is_root:
        raise LeftOut("needs a second user")
    hidden = os.path.join(it.programs.scratch, "hidden")
    shutil.copyfile("/bin/true", hidden)
    os.chmod(hidden, 0o700)
    foreign = copy(it, "/bin/true", "foreign")
    os.chown(foreign, ordinary_user + 1, ordinary_user + 1)
    for words in [["1"], [str(os.getpid())], [hidden], [foreign]]:
        done = it.run("chatelaine", "whoami", *words, check=1)
        equal((done.out, done.err.splitlines(True)[0]), ("", refused))


@test("another program may ask about itself and about files of programs, and about no process", users=both)
def _(it):
    it.status()
    code = """
import struct, sys
from support.wire import Client, PARAMETER, MISSING_ENTITLEMENT
client = Client(sys.argv[1])
answers = [client.request(0x19, subject) for subject in (
    b"\\1", b"\\2" + struct.pack(">i", 1), b"\\3" + struct.pack(">I", 7) + b"/bin/sh")]
print([(answer.status, answer.reason) for answer in answers])
"""
    equal(python(it, code).strip(), "[(0, 0), (-34018, 14), (0, 0)]")


run()
