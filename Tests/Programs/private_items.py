# SPDX-License-Identifier: Apache-2.0
"""Items that the command stores as private items: every program of the user can run the command, and gets none of them without an
approval. Here no approval is given; prompt.py simulates a user who approves."""

import contextlib
import json
import os

from support.instance import is_root
from support.sentences import cases, contains, equal, lacks
from support.system import SystemService, ann
from support.terminal import Terminal

import pytest

SECRET = b"correct horse"


@contextlib.contextmanager
def program(it, service):
    """A program of the user, without a terminal and a display, which runs the command with `run`."""
    if service == "user":
        it.start()
        yield it
        return
    if not is_root:
        pytest.skip("needs root")
    with SystemService(it) as system:
        system.start(sandboxed=False)
        user = system.user(ann)
        try:
            yield user
        finally:
            user.remove()


def groups(user, name="bank"):
    listed = json.loads(user.run("chatelaine", "list", "--json", check=0).out)
    return sorted(item["group"] for item in listed if item["name"] == name)


services = cases("service", ["user", "system"])


@services
def test_a_program_that_runs_the_command_reads_changes_and_deletes_no_private_item(it, service):
    with program(it, service) as user:
        user.run("chatelaine", "set", "bank", "--private", input=SECRET, check=0)
        equal(groups(user), ["chatelaine.private"])
        attacks = [
            (["chatelaine", "get", "bank"], b""),
            (["chatelaine", "set", "bank"], b"planted"),
            (["chatelaine", "set", "bank", "--shared"], b"planted"),
            (["chatelaine", "set", "bank", "--private"], b"planted"),
            (["chatelaine", "remove", "bank"], b""),
            (["chatelaine", "protect", "bank", "--none"], b""),
            (["chatelaine", "export", "--format", "csv", "--output", os.path.join(it.scratch, "out.csv")], b""),
            (["chatelaine", "import", "--replace"], b"Title,URL,Username,Password\nbank,,,planted\n"),
            (["security", "find-generic-password", "-s", "bank", "-w"], b""),
            (["security", "delete-generic-password", "-s", "bank"], b""),
            (["security", "add-generic-password", "-U", "-s", "bank", "-a", "", "-w", "planted"], b""),
        ]
        for words, given in attacks:
            done = user.run(*words, input=given, start_new_session=True)
            lacks(done.out + done.err, SECRET.decode())
            assert done.returncode != 0 or words[1] == "export", words
        equal(groups(user), ["chatelaine.private"])
        # Nor is there a copy of it that needs no approval.
        user.run("security", "create-keychain", "-p", "sesame", "k", check=0)
        done = user.run("chatelaine", "keychains", "copy", "--to", "k", start_new_session=True)
        equal(done.returncode, 6)
        contains(done.out + done.err, "it is a private item")
        lacks(user.run("security", "dump-keychain", "k", check=0).out, "bank")
        # A shared item of the same name does not take the private one's place.
        added = user.run("security", "add-generic-password", "-s", "bank", "-a", "", "-w", "planted")
        done = user.run("chatelaine", "get", "bank", start_new_session=True)
        equal((added.returncode, done.returncode), (0, 4))
        lacks(done.out, "planted")
        contains(done.err, "private")


@services
def test_the_setting_makes_items_private_that_are_not_marked_as_shared(it, service):
    with program(it, service) as user:
        user.run("chatelaine", "set", "bank", input=SECRET, check=0)
        user.run("chatelaine", "settings", "set", "private-items", "on", check=0)
        user.run("chatelaine", "set", "new", input=SECRET, check=0)
        user.run("chatelaine", "set", "open", "--shared", input=SECRET, check=0)
        equal([groups(user, name) for name in ("bank", "new", "open")],
              [["chatelaine"], ["chatelaine.private"], ["chatelaine"]])
        equal(user.run("chatelaine", "get", "new", start_new_session=True).returncode, 4)
        for name in ("bank", "open"):
            equal(user.run("chatelaine", "get", name, check=0).out.strip(), SECRET.decode())
        # A new secret does not go into a shared item, which any program may have stored.
        user.run("chatelaine", "set", "bank", input=b"another", check=0)
        equal(groups(user), ["chatelaine.private"])
        equal(user.run("chatelaine", "get", "bank", start_new_session=True).returncode, 4)


@services
def test_a_program_finds_out_no_private_secret_by_comparing_it_with_an_import(it, service):
    with program(it, service) as user:
        user.run("chatelaine", "set", "bank", "--private", input=SECRET, check=0)
        for guess in (SECRET.decode(), "wrong"):
            done = user.run("chatelaine", "import", input=f"Title,URL,Username,Password\nbank,,,{guess}\n".encode())
            equal(done.returncode, 6)
            contains(done.out, "stored as a private item", "0 added, 0 replaced, 0 already stored, 1 in conflict")
        equal(groups(user), ["chatelaine.private"])


def test_a_program_that_answers_on_a_terminal_of_its_own_gets_none_without_the_passcode(it):
    it.start()
    it.run("chatelaine", "set", "bank", "--private", input=SECRET, check=0)
    with Terminal(it, "chatelaine", "get", "bank") as terminal:
        equal(terminal.end(), 4)
        lacks(terminal.shown, SECRET.decode())
        contains(terminal.shown, "set a passcode")
