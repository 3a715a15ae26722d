# SPDX-License-Identifier: Apache-2.0
"""`chatelaine doctor` with the real programs: its findings, and secrets that it moves out of files and back."""

import json
import os
import pty
import signal
import subprocess

import pytest

from support.disk import build
from support.instance import mode, read_text
from support.sentences import both, contains, equal

netrc = "# mine\nmachine example.org login ann password s3cret-of-ann\n"
docker = '{\n\t"auths": {\n\t\t"ghcr.io": {\n\t\t\t"auth": "YW5uOnMzY3JldC1vZi1hbm4="\n\t\t}\n\t},\n\t"psFormat": "x"\n}'


def write(it, name, text, bits=0o600):
    path = os.path.join(it.directories["home"], name)
    for folder in [os.path.dirname(path)]:
        if not os.path.isdir(folder):
            os.mkdir(folder)
            it.own(folder)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    it.own(path, bits)
    return path


def findings(it):
    done = it.run("chatelaine", "doctor", "--json")
    report = json.loads(done.out)
    equal(done.returncode, 7 if report["worst"] in ("warning", "failure") else 0)
    return report["findings"]


def of(it, check):
    return [entry for entry in findings(it) if entry["check"] == check]


@both
def test_each_finding_is_a_line_the_service_is_of_the_same_version_and_its_folders_are_in_order(it):
    done = it.run("chatelaine", "doctor")
    contains(done.out, f"ok       folders      only you can access {it.data} and its files\n")
    assert done.returncode in (0, 7), done.err
    for line in done.out.splitlines():
        assert line.split()[0] in ("ok", "note", "warning", "failure"), line
    seen = findings(it)
    checks = {entry["check"] for entry in seen}
    for check in ["programs", "service", "identity", "passcode", "kernel", "swap", "core-dumps", "tracing", "prompters", "disk"]:
        assert check in checks, f"nothing is said of {check}"
    equal({entry["severity"] for entry in seen if entry["check"] in ("folders", "service")}, {"ok"})
    assert not [entry for entry in seen if entry["check"] == "files"], seen


@both
def test_a_key_that_others_could_read_is_found_and_is_in_order_when_the_advice_was_taken(it):
    it.set("x", "y")
    key = os.path.join(it.data, "device.key")
    os.chmod(key, 0o644)
    equal([(entry["severity"], entry["advice"]) for entry in of(it, "files")], [("warning", f"chmod go= {key}")])
    subprocess.run(["chmod", "go=", key], check=True)
    equal(of(it, "files"), [])


@both
def test_secrets_go_into_the_keychain_all_else_in_the_files_stays_and_undoing_brings_back_every_byte(it):
    paths = [write(it, ".netrc", netrc, 0o640), write(it, ".docker/config.json", docker)]
    owners = [(os.stat(path).st_uid, os.stat(path).st_gid) for path in paths]
    looked = it.run("chatelaine", "doctor", check=7)
    done = it.run("chatelaine", "doctor", "--move", "--yes", check=0)
    for printed in [looked, done]:
        assert "s3cret" not in printed.out + printed.err and "YW5u" not in printed.out + printed.err
    equal(read_text(paths[0]), "# mine\nmachine example.org login ann\n")
    equal(json.loads(read_text(paths[1])), {"auths": {"ghcr.io": {}}, "psFormat": "x"})
    equal([mode(path) for path in paths], [0o640, 0o600])
    get = it.run("chatelaine", "get", "-n", "--server", "example.org", "-u", "ann", check=0)
    equal(get.out, "s3cret-of-ann")
    equal(it.run("chatelaine", "get", "-n", "--url", "https://ghcr.io", "-u", "ann", check=0).out, "s3cret-of-ann")
    for path, text in zip(paths, [netrc, docker]):
        it.run("chatelaine", "doctor", "--undo", path, check=0)
        equal(read_text(path), text)
    equal([mode(path) for path in paths], [0o640, 0o600])
    equal([(os.stat(path).st_uid, os.stat(path).st_gid) for path in paths], owners)
    # Nothing in the clear is left beside the files.
    equal(sorted(name for name in os.listdir(it.directories["home"]) if "chatelaine" in name), [])
    it.run("chatelaine", "doctor", "--undo", paths[0], check=3)


@both
def test_a_file_that_was_changed_since_the_move_is_not_undone(it):
    path = write(it, ".netrc", netrc)
    it.run("chatelaine", "doctor", "--move", "--yes", check=0)
    write(it, ".netrc", "machine other\n")
    contains(it.run("chatelaine", "doctor", "--undo", path, check=1).err, "was changed after", "chatelaine get --user")
    equal(read_text(path), "machine other\n")
    [old] = [item for item in it.list() if item["name"] == "doctor:" + os.path.realpath(path)]
    equal(it.run("chatelaine", "get", "-n", "-u", old["user"], old["name"], check=0).out, netrc)


@both
def test_a_symbolic_link_and_a_file_in_another_form_stay_as_they_are(it):
    target = write(it, "dotfiles-netrc", netrc)
    os.symlink(target, os.path.join(it.directories["home"], ".netrc"))
    broken = write(it, ".docker/config.json", '{"auths": ')
    done = it.run("chatelaine", "doctor", "--move", "--yes", check=6)
    contains(done.err, "symbolic link", "config.json was not checked: line 1")
    equal((read_text(target), read_text(broken)), (netrc, '{"auths": '))
    equal(it.list(), [])


def whole(it, path):
    """What the file holds after a kill: the old text, or the new one, whose secret is in the keychain. It is the old one again
    afterwards."""
    text = read_text(path)
    assert text in (netrc, "# mine\nmachine example.org login ann\n"), text
    if text != netrc:
        equal(it.run("chatelaine", "get", "-n", "--server", "example.org", "-u", "ann", check=0).out, "s3cret-of-ann")
        equal(it.run("chatelaine", "doctor", "--undo", path).returncode, 0)
        equal(read_text(path), netrc)
    return text


def test_a_kill_in_place_of_each_change_leaves_the_file_whole_old_or_new_and_its_secret_in_one_of_both_places(it):
    path = write(it, ".netrc", netrc)
    it.run("chatelaine", "status", check=0)
    mark = os.path.join(it.scratch, "kill")
    environment = dict(
        it.environment, LD_PRELOAD=build(it.scratch), DISK_LOG_ROOT=it.directories["home"], DISK_KILL=mark)
    statuses, texts = [], []
    while 0 not in statuses:
        with open(mark, "w", encoding="ascii") as file:
            file.write(str(len(statuses) + 1))
        statuses.append(it.run("chatelaine", "doctor", "--move", "--yes", env=environment).returncode)
        texts.append(whole(it, path))
        # Each time the keychain is as it was before: few old files of the same second are kept.
        for item in it.list():
            place = [item["name"]] if item["name"].startswith("doctor:") else ["--server", "example.org"]
            it.run("chatelaine", "remove", *place, "-u", item["user"], check=0)
    # A new file is made, written, synced and renamed.
    assert len(statuses) > 4 and set(statuses[:-1]) == {-signal.SIGKILL}, statuses
    equal((texts[0], texts[-1] == netrc), (netrc, False))
    assert texts == sorted(texts, key=lambda text: text != netrc), "the new text was there, and went again"


@pytest.mark.long
def test_a_kill_at_any_moment_leaves_the_file_whole_old_or_new_and_its_secret_in_one_of_both_places(it):
    path = write(it, ".netrc", netrc)
    it.run("chatelaine", "status", check=0)
    for delay in range(40):
        process = it.popen("chatelaine", "doctor", "--move", "--yes", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=delay / 1000)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        whole(it, path)


def test_on_a_terminal_each_secret_is_asked_for_and_anything_but_yes_leaves_it(it):
    path = write(it, ".netrc", netrc)
    for answer, left in [(b"n\n", netrc), (b"y\n", "# mine\nmachine example.org login ann\n")]:
        own, other = pty.openpty()
        process = it.popen("chatelaine", "doctor", "--move", stdin=other, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.close(other)
        os.write(own, answer)
        process.communicate(timeout=60)
        os.close(own)
        equal((process.returncode, read_text(path)), (0, left))
