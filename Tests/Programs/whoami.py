# SPDX-License-Identifier: Apache-2.0
"""`chatelaine whoami` with real programs: what it says of each, and whom it does not look at."""

import json
import os
import shutil
import subprocess

import pytest

from support.instance import digest, is_root, ordinary_user
from support.sentences import both, contains, equal, ordinary, python

refused = "error: the process or program does not exist, or belongs to another user\n"


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


@both
def test_the_command_says_what_it_is_itself(it):
    seen = report(it)
    equal(seen["program"], it.program("chatelaine"))
    equal((seen["identity"], seen["groups"]), ({"kind": "command", "group": "chatelaine"}, ["chatelaine", "chatelaine.private"]))
    equal(seen["uid"], it.user if it.user else os.getuid())
    assert seen["pid"] > 0
    # The ordinary user's copy is root's and lies below /tmp: a file of another user, which is not looked at.
    if not it.user:
        equal(report(it, "chatelaine")["identity"], seen["identity"])
    text = it.run("chatelaine", "whoami", check=0).out
    contains(text, "known as     the command that was installed with the service\n", "group        chatelaine (default)\n", "group        chatelaine.private\n")
    contains(text, "to raise it  This service runs with your user ID")


@both
def test_a_program_of_the_user_is_known_by_its_bytes_and_told_how_to_be_known_better(it):
    path = copy(it, "/bin/true", "program")
    seen = report(it, path)
    equal(seen["identity"], {"kind": "unsigned", "group": f"unsigned:{digest(path)}", "sha256": digest(path)})
    equal((seen["tier"], seen["pid"], seen["program"]), ("unsigned", None, path))
    equal(findings(seen)[:2], ["no-signature", "writable-by-others"])
    text = it.run("chatelaine", "whoami", path, check=0).out
    contains(text, f"    chatelaine codesign --sign TEAM {path}\n", f"    sudo install -o root -g root -m 755 {path} ")


@both
def test_the_advice_for_an_unsigned_program_is_right_signed_with_it_the_program_is_signed(it):
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


@both
def test_a_program_that_root_installed_is_known_by_its_path(it):
    seen = report(it, "/usr/bin/env")
    equal((seen["tier"], seen["identity"]["kind"]), ("installed", "installed"))
    equal(seen["groups"], ["installed:" + seen["program"]])


@both
def test_an_interpreter_is_told_apart_by_name_and_by_process(it):
    seen = report(it, "sh")
    equal((seen["tier"], "interpreter" in findings(seen)), ("interpreter", True))
    assert seen["program"].startswith("/")
    with Waiting(it, "sh", "-c", "read line; echo $line; read line") as shell:
        running = report(it, shell.number)
        equal((running["tier"], running["identity"]), (seen["tier"], seen["identity"]))


@both
def test_a_process_of_the_user_is_shown_and_what_runs_it_is_what_the_file_is(it):
    path = copy(it, "/bin/cat", "copier")
    with Waiting(it, path) as process:
        seen = report(it, process.number)
        equal((seen["pid"], seen["program"]), (int(process.number), path))
        equal(seen["identity"], report(it, path)["identity"])
    done = it.run("chatelaine", "whoami", process.number, check=1)
    equal((done.out, done.err.splitlines(True)[0]), ("", refused))


@both
def test_relative_paths_and_links_lead_to_the_file(it):
    path = copy(it, "/bin/true", "program")
    os.symlink("program", os.path.join(os.path.dirname(path), "link"))
    for name, folder in [("./program", "own"), ("./link", "own"), ("../own/link", "own"), ("own/program", "")]:
        done = it.run("chatelaine", "whoami", name, "--json", check=0, cwd=os.path.join(it.scratch, folder))
        equal(json.loads(done.out)["program"], path)


@both
def test_a_file_that_is_no_program_of_the_user_is_refused(it):
    it.status()
    for words in [["/dev/null"], ["/proc"], [str(2 ** 31 - 1)]]:
        done = it.run("chatelaine", "whoami", *words, check=1)
        equal((done.out, done.err.splitlines(True)[0]), ("", refused))
    done = it.run("chatelaine", "whoami", "no-such-program", check=1)
    contains(done.err, 'error: cannot find the program "no-such-program": ', "hint: ")
    equal(it.run("chatelaine", "whoami", "0").returncode, 64)


@ordinary
def test_other_users_processes_and_files_are_as_if_they_were_not_there(it):
    if not is_root:
        pytest.skip("needs a second user")
    hidden = os.path.join(it.programs.scratch, "hidden")
    shutil.copyfile("/bin/true", hidden)
    os.chmod(hidden, 0o700)
    foreign = copy(it, "/bin/true", "foreign")
    os.chown(foreign, ordinary_user + 1, ordinary_user + 1)
    for words in [["1"], [str(os.getpid())], [hidden], [foreign]]:
        done = it.run("chatelaine", "whoami", *words, check=1)
        equal((done.out, done.err.splitlines(True)[0]), ("", refused))


@both
def test_another_program_may_ask_about_itself_and_about_files_of_programs_and_about_no_process(it):
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
