# SPDX-License-Identifier: Apache-2.0
"""Development folders: unsigned programs below a folder that the user trusts keep their items over rebuilds, and no others do."""

import contextlib
import json
import os
import shutil

import pytest

from policy import etc, running
from support.caller import Caller, compile_caller
from support.instance import digest, is_root
from support.sentences import all_services, both, contains, equal, lacks, python
from support.system import ann
from support.wire import MISSING_ENTITLEMENT, NOT_FOUND

SECRET = b"correct horse"
PASSCODE = "hünter2"


def folder(it, name, mode=0o755):
    path = os.path.join(it.scratch, name)
    os.makedirs(path, exist_ok=True)
    it.own(path, mode)
    return path


def build(it, path, number=0):
    """A build of the program at this path: each number is another file content."""
    program = compile_caller(it, os.path.basename(path) + f".build-{number}")
    with open(program, "ab") as file:
        file.write(bytes(number))
    # As a linker does: a running program keeps its file.
    new = path + ".new"
    shutil.copyfile(program, new)
    it.own(new, 0o755)
    os.replace(new, path)
    return path


@contextlib.contextmanager
def connected(it, path):
    with Caller(it, path) as caller:
        yield caller.connect()


def store(it, path, secret=SECRET):
    with connected(it, path) as client:
        equal(client.add({"svce": "mail", "acct": "ann"}, secret).status, 0)


def read(it, path):
    """The secret that the program finds; None for nothing."""
    with connected(it, path) as client:
        answer = client.copy({"svce": "mail"})
        assert answer.status in (0, NOT_FOUND), answer.status
        return answer.items[0][2] if answer.status == 0 else None


def trust(it, path, check=0):
    return it.run("chatelaine", "dev", "trust", path, check=check)


def trusted(it):
    return [entry["folder"] for entry in json.loads(it.run("chatelaine", "dev", "list", "--json", check=0).out)]


def groups(it, path):
    return json.loads(it.run("chatelaine", "whoami", path, "--json", check=0).out)["groups"]


@all_services
def test_a_program_below_a_trusted_folder_finds_its_items_after_a_rebuild_and_loses_them_when_it_is_revoked(it):
    it.start()
    place = folder(it, "mail")
    debug, release = (os.path.join(folder(it, f"mail/{name}"), "Mail") for name in ("debug", "release"))
    build(it, debug)
    store(it, debug)
    # Without trust, a rebuilt program is another program.
    build(it, debug, 1)
    equal(read(it, debug), None)

    trust(it, place)
    equal(trusted(it), [place])
    group = f"development:{place}/Mail"
    equal(groups(it, debug), [group, f"unsigned:{digest(debug)}"])
    store(it, debug)
    for number in (2, 3):
        build(it, debug, number)
        equal(read(it, debug), SECRET)
    equal(read(it, build(it, release, 4)), SECRET)

    it.run("chatelaine", "dev", "revoke", place, check=0)
    equal((trusted(it), read(it, debug), groups(it, debug)), ([], None, [f"unsigned:{digest(debug)}"]))
    trust(it, place)
    equal(read(it, debug), SECRET)


@all_services
def test_programs_elsewhere_and_links_into_the_folder_do_not_find_the_items(it):
    it.start()
    place = folder(it, "mail")
    program = build(it, os.path.join(place, "Mail"))
    trust(it, place)
    store(it, program)
    outside = build(it, os.path.join(folder(it, "mail2"), "Mail"), 1)
    equal(read(it, outside), None)
    equal(read(it, build(it, os.path.join(place, "Other"), 2)), None)
    # The link is in the folder, the file that runs is not.
    link = os.path.join(place, "sub")
    os.symlink(os.path.dirname(outside), link)
    equal(read(it, os.path.join(link, "Mail")), None)
    os.unlink(program)
    os.symlink(outside, program)
    equal(read(it, program), None)
    # The other way round the file in the folder runs.
    os.unlink(program)
    build(it, program, 3)
    entry = os.path.join(it.scratch, "entry")
    os.symlink(program, entry)
    equal(read(it, entry), SECRET)
    # A program that was moved out of the folder, and another one in its place while it runs.
    moved = os.path.join(it.scratch, "Mail")
    with connected(it, program) as client:
        os.rename(program, moved)
        equal(client.copy({"svce": "mail"}).status, 0)
    equal(read(it, moved), None)


@all_services
def test_a_folder_that_other_users_can_change_gives_no_group(it):
    it.start()
    place = folder(it, "work")
    inner = folder(it, "work/mail")
    program = build(it, os.path.join(inner, "Mail"))
    trust(it, place)
    trust(it, inner)
    store(it, program)
    equal(read(it, program), SECRET)
    for path, mode in [(place, 0o777), (place, 0o1777), (inner, 0o775), (program, 0o775)]:
        before = os.stat(path).st_mode & 0o7777
        os.chmod(path, mode)
        assert f"development:{place}/Mail" not in groups(it, program), path
        if path != place:
            equal(read(it, program), None)
        os.chmod(path, before)
        equal(read(it, program), SECRET)


@both
def test_only_a_folder_of_the_users_own_is_trusted(it):
    it.start()
    place = folder(it, "mail")
    os.symlink(place, os.path.join(it.scratch, "link"))
    refused = [folder(it, "open", 0o777), folder(it, "open/inner"), folder(it, "group", 0o775), "/tmp", "/"]
    # Root's own folders are the root user's own.
    refused += [] if it.user is None and is_root else ["/usr"]
    for path in refused:
        done = trust(it, path, check=None)
        assert done.returncode != 0, path
        contains(done.err, "it is the root" if path == "/" else "must belong to you")
    done = trust(it, os.path.join(it.scratch, "none"), check=None)
    contains(done.err, "No such file or directory")
    equal(trusted(it), [])
    # A link is resolved, and a relative path.
    it.run("chatelaine", "dev", "trust", "link", check=0, cwd=it.scratch)
    equal(trusted(it), [place])
    for words in (["status"], ["grants", "list"], ["dev"]):
        contains(it.run("chatelaine", *words, check=0).out, place)
    program = build(it, os.path.join(place, "Mail"))
    contains(it.run("chatelaine", "whoami", program, check=0).out, f"development:{place}/Mail (default)", "any of your programs can write")
    store(it, program)
    contains(it.run("chatelaine", "list", check=0).out, f"{place}/Mail (development)")


def test_a_folder_of_another_user_is_not_trusted_and_one_that_becomes_anothers_no_longer_counts(it):
    if not is_root:
        pytest.skip("needs root, to give a folder to another user")
    it.start()
    place = folder(it, "mail")
    program = build(it, os.path.join(place, "Mail"))
    trust(it, place)
    store(it, program)
    os.chown(place, ann, ann)
    equal(read(it, program), None)
    it.run("chatelaine", "dev", "revoke", place, check=0)
    contains(trust(it, place, check=4).err, "must belong to you")
    os.chown(place, 0, 0)
    os.chown(program, ann, ann)
    trust(it, place)
    equal(read(it, program), None)


@both
def test_trust_takes_the_passcode_and_is_no_other_programs_to_give(it):
    it.start()
    place = folder(it, "mail")
    program = build(it, os.path.join(place, "Mail"))
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    it.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input=PASSCODE, check=0)
    done = it.run("chatelaine", "dev", "trust", place, "--passcode-fd", "0", input="wrong", check=4)
    contains(done.err, "wrong")
    equal(trusted(it), [])
    it.run("chatelaine", "dev", "trust", place, "--passcode-fd", "0", input=PASSCODE, check=0)
    store(it, program)
    # A copy of the command is a program like others, also below the folder.
    copy = it.programs.copy(it.program("chatelaine"), os.path.join(place, "chatelaine"))
    it.own(copy, 0o755)
    for words in (["list"], ["revoke", place]):
        contains(it.run(copy, "dev", *words).err, "administration tool")
    # No passcode is needed for less.
    it.run("chatelaine", "dev", "revoke", place, check=0)
    equal(read(it, program), None)


@both
def test_stricter_settings_take_the_group_away(it):
    it.start()
    place = folder(it, "mail")
    program = build(it, os.path.join(place, "Mail"))
    trust(it, place)
    store(it, program)
    it.run("chatelaine", "settings", "set", "require-entitlements", "on", check=0)
    with connected(it, program) as client:
        equal(client.copy({"svce": "mail"}).status, MISSING_ENTITLEMENT)
    it.run("chatelaine", "settings", "set", "require-entitlements", "off", check=0)
    equal(read(it, program), SECRET)


def test_the_machines_policy_forbids_development_folders(it):
    with etc(it) as made:
        made.write("development = off\n")
        with running(it, made) as (service, user):
            place = folder(user, "mail")
            done = trust(user, place, check=4)
            contains(done.err, "the policy of this machine does not allow this")
            equal(trusted(user), [])
            lacks(user.run("chatelaine", "status", check=0).out, place)


@both
def test_a_revoked_folder_that_another_program_puts_back_into_the_database_does_not_count(it):
    it.start()
    place = folder(it, "mail")
    program = build(it, os.path.join(place, "Mail"))
    trust(it, place)
    store(it, program)
    it.run("chatelaine", "dev", "revoke", place, check=0)
    it.stop()
    python(it, f"""
import sqlite3
with sqlite3.connect({it.database!r}) as database:
    database.execute("INSERT INTO settings (name, value) VALUES (?, 1)", ("development-folder:" + {place!r},))
""")
    it.start()
    equal((read(it, program), trusted(it)), (None, []))
    contains(it.run("chatelaine", "status", check=0).out, "CHANGED from outside")
    contains(trust(it, place, check=None).err, "no development folder counts")
    it.run("chatelaine", "status", "--accept-contents", check=0)
    equal((read(it, program), trusted(it)), (None, []))
