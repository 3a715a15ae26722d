# SPDX-License-Identifier: Apache-2.0
"""The audit log: its content, its readers, and the detection of every change."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess

import pytest

from support.caller import Caller, compile_caller
from support.instance import is_root, mode, read_text, wait_until
from support.sentences import all_services, both, cases, contains, equal, lacks
from support.set_clock import Clock
from support.system import SystemService, ann, bob, service_user
from support.wire import LOG, MISSING_ENTITLEMENT, NOT_FOUND, Client, Closed


def path(it, number=0):
    return os.path.join(it.data, "audit.log" + (f".{number}" if number else ""))


def seal(it):
    return path(it) + ".seal"


def lines(it, number=0):
    with open(path(it, number), "rb") as file:
        return file.read().splitlines(keepends=True)


def write(it, lines, number=0):
    with open(path(it, number), "wb") as file:
        file.writelines(lines)


def log(it, *words):
    done = it.run("chatelaine", "log", "--json", *words, check=0)
    equal(done.err, "")
    return [json.loads(line) for line in done.out.splitlines()]


def verify(it):
    done = it.run("chatelaine", "log", "verify")
    assert done.returncode in (0, 1), done.err
    return done.returncode, done.out


def filled(it):
    """A keychain with a log of some lines, whose service has ended."""
    it.start()
    for name in ["one", "two", "three"]:
        it.set(name, "secret")
        it.get(name)
    equal(it.stop(), 0)


# MARK: Content


@all_services
def test_the_name_of_a_program_puts_no_control_character_into_the_log_nor_a_line_of_its_own(it):
    it.start()
    it.set("name", "secret")
    # U+009B begins a control sequence, as U+001B and a bracket do.
    name = "\x1b[2J\r\n" + '{"seq":1,"action":"forged"}\n' + "\x7f\x9b2J\u202e"
    with Caller(it, compile_caller(it, name)) as program:
        equal(program.connect().copy({"svce": "name"}).status, NOT_FOUND)
    [line] = [line for line in log(it) if line.get("program", "").endswith("\u202e")]
    contains(line["program"], name)
    lacks([line["action"] for line in log(it)], "forged")
    equal(verify(it)[0], 0)
    shown = it.run("chatelaine", "log", check=0).stdout
    for text in [b"".join(lines(it)), it.run("chatelaine", "log", "--json", check=0).stdout, shown]:
        assert not {*map(ord, text.decode())} & ({*range(32), *range(127, 160)} - {ord("\n")}), text
    # What turns the direction of reading controls no terminal by itself: it stays in the file, and people are shown an escape.
    lacks(shown.decode(), "\u202e")


@both
def test_each_use_of_an_item_is_told_with_the_item_the_program_and_the_time_and_read_again(it):
    it.set("mail", "correct horse", "--user", "ann")
    it.get("mail", "--user", "ann")
    item = json.loads(it.run("chatelaine", "show", "mail", "--user", "ann", "--json", check=0).out)
    own = log(it, "--item", item["identifier"])
    equal(log(it, "--item", item["reference"])[: len(own)], own)
    add, read = own[0], [line for line in own if line["action"] == "read-data"]
    equal((add["action"], add["outcome"], add["items"], add["class"]), ("add", "granted", 1, "genp"))
    equal(add["references"], [item["identifier"]])
    equal(len(read), 1)
    equal(read[0]["program"], it.program("chatelaine"))
    equal(read[0]["uid"], it.user or os.geteuid())
    text = it.run("chatelaine", "log", check=0).out
    contains(text, "TIME", "begin", "granted    read-data", it.program("chatelaine"))
    lacks(text + read_text(path(it)), "correct horse", "ann")
    equal((mode(path(it)), mode(seal(it))), (0o600, 0o600))


def test_an_item_that_another_program_may_not_have_is_named_in_the_refusal(it):
    copy = it.programs.copy(it.program("chatelaine"), os.path.join(it.scratch, "other"))
    it.set("mail", "secret")
    it.run(copy, "set", "own", input="s", check=0)
    item = json.loads(it.run("chatelaine", "show", "own", "--json", check=0).out)
    equal(it.run("chatelaine", "get", "own").returncode, 4)
    line = log(it, "--outcome", "refused", "--action", "read-data")[-1]
    equal((line["reason"], line["items"], line["references"]), ("otherProgramsItem", 1, [item["identifier"]]))
    equal(item["lastUsed"]["program"], copy)
    # An item of another program is not named to the caller, nor the group in the line.
    lacks(json.dumps(line), item["group"])


def test_show_tells_who_used_an_item_last_and_when_the_log_does_not_know_it_says_so(it):
    it.set("mail", "secret")
    text = it.run("chatelaine", "show", "mail", check=0).out
    contains(text, "last used   ", f"by {it.program('chatelaine')} (add)")
    it.get("mail")
    shown = json.loads(it.run("chatelaine", "show", "mail", "--json", check=0).out)
    equal((shown["lastUsed"]["action"], shown["lastUsed"]["program"]), ("read-data", it.program("chatelaine")))
    equal(shown["lastUsed"]["time"], log(it, "--action", "read-data")[-1]["time"])
    it.stop_detached()
    for name in [path(it), seal(it)]:
        os.remove(name)
    contains(it.run("chatelaine", "show", "mail", check=0).out, "last used   not in the audit log")
    equal(json.loads(it.run("chatelaine", "show", "mail", "--json", check=0).out)["lastUsed"], None)


def test_filters_choose_lines_and_a_limit_the_newest_of_them(it):
    it.start()
    for name in ["one", "two", "three"]:
        it.set(name, "secret")
    it.run("chatelaine", "get", "none", "--exact", check=3)
    everything = log(it)
    equal([line["seq"] for line in everything], list(range(1, len(everything) + 1)))
    additions = [line for line in everything if line["action"] == "add"]
    equal(log(it, "--action", "add"), additions)
    equal(log(it, "--action", "add", "--limit", "2"), additions[-2:])
    equal(log(it, "--limit", "0"), [])
    equal(log(it, "--until", "2020-01-01"), [])
    equal(log(it, "--since", "1h", "--action", "add"), additions)
    equal(log(it, "--since", additions[1]["time"], "--until", additions[2]["time"], "--action", "add"), additions[1:2])
    equal(log(it, "--program", "/bin/none"), [])
    equal(log(it, "--program", it.program("chatelaine"), "--action", "add"), additions)
    equal(log(it, "--user", "4000000000"), [])
    equal(log(it, "--user", str(os.geteuid()), "--action", "add"), additions)
    for wrong in [["--since", "soon"], ["--until", "2026-02-30"], ["--item", "x"], ["--outcome", "odd"], ["--user", "me"]]:
        equal(it.run("chatelaine", "log", *wrong).returncode, 64)


def test_another_program_may_neither_read_verify_nor_follow_the_log_and_asking_is_told(it):
    it.start()
    it.set("mail", "secret")
    with Client(it.socket_path) as client:
        for payload in [b"\1" + b"\0" * 7 + b"\1" + b"\0" + b"\xff" * 4, b"\2", b"\3"]:
            answer = client.request(LOG, payload)
            equal((answer.status, answer.reason), (MISSING_ENTITLEMENT, 14))
    refused = log(it, "--outcome", "refused")
    equal([line["action"] for line in refused], ["read-log", "verify-log", "follow-log"])
    # The command looked for an item of that name before it stored one.
    equal([line["action"] for line in log(it, "--outcome", "not-found")], ["read-attributes"])
    copy = it.programs.copy(it.program("chatelaine"), os.path.join(it.scratch, "other"))
    done = it.run(copy, "log")
    equal((done.returncode, done.out), (4, ""))
    contains(done.err, "only the administration tool")


# MARK: Following


def following(it, *words):
    return it.popen("chatelaine", "log", "--follow", *words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def next_line(process, action):
    while True:
        line = process.stdout.readline()
        assert line.endswith(b"\n"), (line, process.stderr.read())
        if action is None or json.loads(line)["action"] == action:
            return json.loads(line)


def test_following_shows_what_was_and_goes_on_with_what_comes_until_it_is_interrupted(it):
    it.start()
    it.set("one", "secret")
    process = following(it, "--json")
    first = next_line(process, "add")
    for name in ["two", "three"]:
        it.set(name, "secret")
        added = next_line(process, "add")
        assert added["seq"] > first["seq"]
        first = added
    process.send_signal(signal.SIGINT)
    rest, error = process.communicate(timeout=60)
    equal((process.returncode, error), (-signal.SIGINT, b""))
    assert all(json.loads(line) for line in rest.splitlines())
    equal(verify(it)[0], 0)


def test_following_with_a_filter_and_a_limit_shows_each_line_once_and_ends_with_the_service(it):
    it.start()
    for name in ["one", "two", "three"]:
        it.set(name, "secret")
    process = following(it, "--json", "--action", "add", "--limit", "1")
    seen = [next_line(process, "add")["seq"]]
    it.set("four", "secret")
    seen.append(next_line(process, None)["seq"])
    equal(seen, sorted(set(seen)))
    equal(it.stop(), 0)
    rest, error = process.communicate(timeout=60)
    equal((process.returncode, rest, error), (0, b"", b""))


def test_following_ends_with_an_error_when_the_service_is_killed_since_lines_may_be_missing(it):
    it.start()
    it.set("one", "secret")
    process = following(it, "--json")
    next_line(process, "add")
    it.stop(signal.SIGKILL)
    _, error = process.communicate(timeout=60)
    equal(process.returncode, 5)
    contains(error.decode(), "error: ")


def test_a_follower_that_does_not_read_delays_no_other_client(it):
    """A follower that does not read blocks no other client, and is dropped with an error instead of missing lines."""
    it.start()
    it.set("one", "secret")
    process = following(it, "--json")
    first = next_line(process, "add")["seq"]
    with Client(it.socket_path) as client:
        for number in range(4000):
            equal(client.copy({"svce": f"none-{number}"}).status, NOT_FOUND)
    out, error = process.communicate(timeout=60)
    equal(process.returncode, 5)
    contains(error.decode(), "error: ")
    told = [json.loads(line)["seq"] for line in out.splitlines()]
    equal(told, list(range(first + 1, first + 1 + len(told))))
    assert len(told) < 4000
    equal(verify(it)[0], 0)


# MARK: Tampering


def changed(content):
    return content[:4] + [content[4].replace(b"granted", b"refused")] + content[5:]


def forged(content):
    line = json.loads(content[-1])
    line["seq"] += 1
    return content + [json.dumps(line, separators=(",", ":")).encode() + b"\n"]


def exchanged(content):
    return content[:3] + [content[4], content[3]] + content[5:]


kinds_of_tampering = [
    ("changed", changed, "line 5 was changed (audit.log:5)"),
    ("taken out", lambda content: content[:3] + content[4:], "line 4 is missing before audit.log:4"),
    ("put in twice", lambda content: content[:5] + content[4:], "line 5 is in the wrong place (audit.log:6)"),
    ("forged", forged, "was changed"),
    ("put in without a number", lambda content: content[:2] + [b'{"action":"add"}\n'] + content[2:],
     "a line was not written by the service (audit.log:3)"),
    ("exchanged", exchanged, "missing before audit.log:4"),
    ("cut off at the end", lambda content: content[:-3], "are missing before audit.log:"),
    ("all gone", lambda content: [], "are missing before audit.log:1"),
]


@cases("name, change, sentence", [(name, change, sentence) for name, change, sentence in kinds_of_tampering])
def test_lines_that_were_while_the_service_was_down_are_found_and_stay_found(it, name, change, sentence):
    filled(it)
    equal(verify(it)[0], 0)
    it.stop_detached()
    write(it, change(lines(it)))
    for _ in range(2):
        status, text = verify(it)
        equal(status, 1)
        contains(text, sentence)
        it.set("later", "secret") if _ == 0 else None
        it.stop_detached()
    data = json.loads(it.run("chatelaine", "log", "verify", "--json", check=1).out)
    assert not data["untouched"] and data["problemCount"] >= 1, data


@cases("name, change", [(name, change) for name, change, _ in kinds_of_tampering])
def test_lines_that_were_while_the_service_runs_are_found(it, name, change):
    filled(it)
    it.start()
    it.set("four", "secret")
    equal(verify(it)[0], 0)
    write(it, change(lines(it)))
    equal(verify(it)[0], 1)
    # It serves on.
    equal(it.get("four"), b"secret")


def test_the_log_of_another_keychain_is_found_with_its_checkpoint_and_without(it):
    filled(it)
    other = type(it)(it.programs)
    filled(other)
    other.stop() if other.daemon else None
    shutil.copy(path(other), path(it))
    equal(verify(it)[0], 1)
    it.stop_detached()
    shutil.copy(path(other), path(it))
    shutil.copy(seal(other), seal(it))
    equal(verify(it)[0], 1)
    other.remove()


@cases("case", ["gone", "forged"])
def test_a_checkpoint_that_is_gone_or_forged_is_found_and_stays_found(it, case):
    filled(it)
    if case == "gone":
        os.remove(seal(it))
    else:
        with open(seal(it), "r+b") as file:
            file.seek(15)
            file.write(b"\1")
    for _ in range(2):
        status, text = verify(it)
        equal(status, 1)
        contains(text, "the service found no checkpoint")
        it.stop_detached()


# MARK: Kills, full disks, other forms


def test_kills_at_any_moment_leave_a_log_that_is_right(it):
    it.start()
    it.set("one", "secret")
    for round in range(5):
        clients = [it.popen("chatelaine", "list", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(6)]
        wait_until(lambda: any(client.poll() is not None for client in clients), what="a client's end")
        it.stop(signal.SIGKILL)
        for client in clients:
            client.wait(timeout=60)
        # A client that found the service gone has started another one.
        it.end_services()
        it.start()
        status, text = verify(it)
        equal((status, text.count("missing")), (0, text.count("which is missing")))


def test_a_line_that_was_written_in_part_is_removed_told_and_no_sign_of_tampering(it):
    it.start()
    it.set("one", "secret")
    it.stop(signal.SIGKILL)
    with open(path(it), "ab") as file:
        file.write(lines(it)[-1][:77])
    status, text = verify(it)
    equal(status, 0)
    contains(text, "the service ended while it wrote the line")
    assert all(json.loads(line) for line in lines(it))


@contextlib.contextmanager
def small_disk(folder, owner=None):
    """A file system of four mebibytes on the folder; yields what fills it up, and what makes room again."""
    if not is_root:
        pytest.skip("mounting needs root")
    os.makedirs(folder, 0o700, exist_ok=True)
    options = "size=4M,mode=0700" + (f",uid={owner},gid={owner}" if owner else "")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(mounted.stderr.strip())
    filler = os.path.join(folder, "filler")

    def fill():
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"\0" * 4096)
            except OSError:
                pass

    try:
        yield fill, lambda: os.remove(filler)
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def wait_for_snapshot(data):
    """Until the day's snapshot is there: one that a full disk ends makes room when it is removed."""
    folder = os.path.join(data, "snapshots")
    wait_until(lambda: os.path.isdir(folder) and any(name.startswith("keychain-") for name in os.listdir(folder)), what="the snapshot")


def unwritten(text):
    """How many lines the log says that it could not write."""
    return sum(int(number) for number in re.findall(r"Before line \d+, (\d+) lines? could not be written", text))


def test_on_a_full_disk_requests_are_answered_and_with_room_the_log_says_how_many_lines_are_missing(it):
    with small_disk(it.data) as (fill, make_room):
        try:
            it.start()
            it.set("one", "secret")
            wait_for_snapshot(it.data)
            fill()
            # The last page of the log has room for a few lines.
            for _ in range(20):
                equal(it.get("one"), b"secret")
            contains(read_text(it.log), "cannot write the audit log: ")
            written = log(it, "--action", "read-data")
            assert all(json.loads(line) for line in lines(it))
            equal(verify(it)[0], 0)
            make_room()
            equal(it.get("one"), b"secret")
            status, text = verify(it)
            equal(status, 0)
            # None is missing that the log does not tell of. Each time, the command looks for the item first.
            told = log(it, "--action", "read-data")
            assert len(written) < 20, len(written)
            lost = unwritten(text)
            assert lost >= 20 - len(written) and len(told) == len(written) + 1, (lost, len(written), len(told))
            equal(it.stop(), 0)
            it.start()
            status, text = verify(it)
            equal((status, unwritten(text)), (0, lost))
        finally:
            if it.daemon:
                it.stop()


def has_open(process, user):
    """Whether the service has the keychain of a user open."""
    files = []
    for number in os.listdir(f"/proc/{process}/fd"):
        # One may be closed meanwhile.
        with contextlib.suppress(OSError):
            files.append(os.readlink(f"/proc/{process}/fd/{number}"))
    return any(f"/users/{user}/" in file for file in files)


def test_on_a_full_disk_the_system_service_closes_no_keychain_whose_log_has_lines_left_to_tell_of(it):
    """A user who fills the disk, has an item read and leaves: the system service closes a keychain that is not used for ten minutes, and
    with it would go the number of lines that are missing."""
    with SystemService(it) as service, small_disk(service.state, service_user) as (fill, make_room):
        clock = Clock(it)
        service.environment.update(clock.environment)
        users = [service.user(number) for number in (ann, bob)]

        def is_closed_after_a_while(user):
            """A connection has the service look at what is due."""
            clock.sleep(601)
            with contextlib.suppress(Closed):
                Client(service.socket_path).close()
            return not has_open(process, user)

        try:
            service.start(sandboxed=False)
            process = service.process.pid
            for user in users:
                user.set("one", "secret")
                wait_for_snapshot(service.store(user.user))
            fill()
            for _ in range(20):
                equal(users[0].get("one"), b"secret")
            contains(read_text(service.log), f"user {ann}: cannot write the audit log: ")
            # Both keychains are due, but for what the log of one has to tell.
            wait_until(lambda: is_closed_after_a_while(bob), what="the end of the other user's keychain")
            for _ in range(20):
                is_closed_after_a_while(ann)
            # If hers were closed, this waited for it.
            users[0].run("chatelaine", "get", "one")
            make_room()
            equal(users[0].get("one"), b"secret")
            status, text = verify(users[0])
            equal(status, 0)
            assert unwritten(text) >= 10, text
            # Then it is closed as any other.
            wait_until(lambda: is_closed_after_a_while(ann), what="the end of the keychain")
            equal(unwritten(verify(users[0])[1]), unwritten(text))
            equal(service.stop(), 0)
        finally:
            for user in users:
                user.remove()
            if service.process:
                service.stop(signal.SIGKILL)


def test_a_log_of_the_form_before_there_was_a_chain_is_set_aside(it):
    it.start()
    it.stop()
    os.remove(seal(it))
    old = [b'{"time":"2026-01-31T23:59:59.999Z","action":"add","outcome":"granted"}\n']
    write(it, old)
    it.set("one", "secret")
    equal(verify(it)[0], 0)
    equal(open(path(it) + ".before", "rb").read(), old[0])


# MARK: Rotation


def test_a_small_log_goes_on_in_other_files_and_only_a_file_that_was_taken_away_is_missed(it):
    it.start()
    it.run("chatelaine", "settings", "set", "audit-log-size", "64KiB", check=0)
    it.run("chatelaine", "settings", "set", "audit-log-files", "3", check=0)
    it.set("one", "secret")
    with Client(it.socket_path) as client:
        number = 0
        while not os.path.exists(path(it, 2)) or lines(it, 2)[0].find(b'"begin"') >= 0:
            client.copy({"svce": f"none-{number}"})
            number += 1
    status, text = verify(it)
    equal(status, 0)
    contains(text, "in 3 files")
    assert not os.path.exists(path(it, 3))
    for number in range(3):
        assert os.path.getsize(path(it, number)) <= 64 * 1024
        equal(mode(path(it, number)), 0o600)
    told = [line["seq"] for line in log(it)]
    equal(told, list(range(told[0], told[0] + len(told))))
    equal([line["seq"] for line in log(it, "--limit", "500")], told[-500:])
    it.stop(signal.SIGKILL)
    equal(verify(it)[0], 0)
    os.remove(path(it, 1))
    status, text = verify(it)
    equal(status, 1)
    contains(text, "are missing before audit.log:1")
