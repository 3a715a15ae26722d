# SPDX-License-Identifier: Apache-2.0
"""The figures of the service's work with the real programs: `chatelaine status --verbose` and `--metrics`, the latter read by
Prometheus' own parser."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time

import pytest

from support.instance import wait_until
from support.sentences import both, contains, equal, lacks
from support.wire import ADMINISTER, MISSING_ENTITLEMENT, NOT_FOUND, Client

READ_FIGURES = 27

parse = """
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
families = text_string_to_metric_families(sys.stdin.read())
print(json.dumps({f.name: {"type": f.type, "unit": f.unit, "samples": [[s.name, s.labels, s.value] for s in f.samples]} for f in families}))
"""


def parsed(text):
    """Returns the families that Prometheus' own reader of OpenMetrics finds; it rejects any violation of a rule."""
    done = subprocess.run(["/usr/bin/python3", "-c", parse], input=text.encode(), capture_output=True)
    if b"No module named" in done.stderr:
        pytest.skip("there is no prometheus_client")
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def value(families, family, sample=None, **labels):
    found = [
        number for name, own, number in families[family]["samples"]
        if name == (sample or family) and labels.items() <= own.items()
    ]
    equal(len(found), 1)
    return found[0]


def figures(it):
    return json.loads(it.run("chatelaine", "status", "--verbose", "--json", check=0).out)["figures"]


def requests(seen, kind):
    return next((entry for entry in seen["requests"] if entry["kind"] == kind), None)


def sizes(seen):
    return {entry["kind"]: (entry["files"], entry["bytes"]) for entry in seen["sizes"]}


@both
def test_figures_follow_the_work_and_files_are_as_large_as_the_file_system_says(it):
    begin = time.monotonic()
    it.start()
    for name in ["one", "two"]:
        it.set(name, "secret")
    before = figures(it)
    for _ in range(5):
        it.get("one")
    it.run("chatelaine", "get", "nothing", "--exact", check=3)
    after = figures(it)
    equal(after["items"], {"genp": 2, "inet": 0, "cert": 0, "keys": 0})
    equal(after["unreadable"], 0)
    assert requests(before, "add")["served"] == 2, before["requests"]
    known = sum(requests(before, kind)["served"] for kind in ("lookup", "list") if requests(before, kind))
    now = sum(requests(after, kind)["served"] for kind in ("lookup", "list") if requests(after, kind))
    assert now >= known + 5, (known, now)
    for entry in after["requests"]:
        count = sum(entry[how] for how in ("served", "notFound", "refused", "abandoned"))
        equal(sum(bucket["count"] for bucket in entry["histogram"]), count)
        # They came one after another.
        assert entry["slowestNanoseconds"] <= entry["nanoseconds"] <= 1e9 * (time.monotonic() - begin), entry
    equal(sizes(after)["database"], (1, os.stat(it.database).st_size))
    equal(sizes(after)["write-ahead-log"], (1, os.stat(it.database + "-wal").st_size))
    equal(sizes(after)["audit-log"], (1, os.stat(os.path.join(it.data, "audit.log")).st_size))
    snapshots = os.path.join(it.data, "snapshots")
    files = [os.stat(os.path.join(snapshots, name)).st_size for name in os.listdir(snapshots)]
    equal(sizes(after)["snapshots"], (len(files), sum(files)))
    caches = {entry["kind"]: entry for entry in after["caches"]}
    assert caches["programs"]["hits"] + caches["programs"]["misses"] >= 0 and caches["programs"]["bound"] == 256
    assert caches["lookup-pages"]["hits"] > 0 and caches["lookup-pages"]["size"] <= caches["lookup-pages"]["bound"]
    assert [entry for entry in after["refusals"] if entry["status"] == NOT_FOUND], after["refusals"]


@both
def test_figures_begin_anew_with_the_service_and_the_time_it_is_open_goes_on(it):
    it.start()
    it.set("one", "secret")
    wait_until(lambda: figures(it)["uptimeSeconds"] >= 1, what="a second")
    equal(it.stop(), 0)
    begin = time.monotonic()
    it.start()
    seen = figures(it)
    equal((requests(seen, "add"), seen["items"]["genp"]), (None, 1))
    # Time that the first service was open does not count.
    assert seen["uptimeSeconds"] <= time.monotonic() - begin, seen["uptimeSeconds"]


def test_connections_that_are_held_are_counted_and_the_most_of_them_stays(it):
    it.start()
    def connections():
        return {entry["kind"]: entry for entry in figures(it)["queues"]}["connections"]

    held = [Client(it.socket_path) for _ in range(5)]
    # The service may not have noticed yet that earlier connections have ended.
    wait_until(lambda: connections()["now"] == 6, what="six connections")
    equal(connections()["bound"], 256)
    for client in held:
        client.close()
    wait_until(lambda: connections()["now"] == 1, what="their end")
    assert connections()["most"] >= 6


def test_other_programs_of_the_user_are_refused_and_that_is_in_the_audit_log(it):
    it.start()
    client = Client(it.socket_path)
    equal(client.request(ADMINISTER, bytes([READ_FIGURES])).status, MISSING_ENTITLEMENT)
    client.close()
    last = json.loads(it.run("chatelaine", "log", "--json", check=0).out.splitlines()[-1])
    equal((last["action"], last["outcome"], last["status"]), ("read-figures", "refused", MISSING_ENTITLEMENT))


@both
def test_metrics_are_what_openmetrics_allows_and_say_what_the_figures_say(it):
    it.start()
    it.set("VERYSECRETNAME", "VERYSECRETVALUE", "--user", "VERYSECRETUSER")
    it.get("VERYSECRETNAME", "--user", "VERYSECRETUSER")
    it.run("chatelaine", "get", "nothing", "--exact", check=3)
    it.run("security", "create-keychain", "-p", "sesame", "VERYSECRETFILE.keychain", check=0)
    text = it.run("chatelaine", "status", "--metrics", check=0).out
    lacks(text, "VERYSECRET", it.scratch, it.directories["home"])
    assert text.endswith("# EOF\n"), text[-20:]
    families = parsed(text)
    seen = figures(it)
    equal(value(families, "chatelaine_items", **{"class": "genp"}), seen["items"]["genp"])
    equal(value(families, "chatelaine_requests", "chatelaine_requests_total", kind="add", outcome="served"), 1)
    equal(value(families, "chatelaine_file_size_bytes", file="database"), sizes(seen)["database"][1])
    equal(value(families, "chatelaine_files", file="open-keychain-files"), 1)
    equal(value(families, "chatelaine_lock_state", chatelaine_lock_state="no-passcode"), 1)
    equal(value(families, "chatelaine_refusals", "chatelaine_refusals_total", status=str(NOT_FOUND)) > 0, True)
    duration = families["chatelaine_request_duration_seconds"]
    equal((duration["type"], duration["unit"]), ("histogram", "seconds"))
    equal(
        value(families, "chatelaine_request_duration_seconds", "chatelaine_request_duration_seconds_count", kind="add"),
        1)
    for name, family in families.items():
        assert family["samples"], f"{name} has no sample"


@both
def test_an_empty_keychain_has_metrics_too(it):
    families = parsed(it.run("chatelaine", "status", "--metrics", check=0).out)
    equal(value(families, "chatelaine_items", **{"class": "genp"}), 0)


def test_who_connects_to_the_socket_of_the_unit_gets_the_metrics_and_the_end_and_need_not_say_anything(it):
    activate = shutil.which("systemd-socket-activate")
    if not activate:
        pytest.skip("there is no systemd-socket-activate")
    it.start()
    path = os.path.join(it.scratch, "metrics")
    # As the unit: each connection is the standard output of a process of its own.
    names = ["PATH", "HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"]
    settings = [f"--setenv={name}={it.environment[name]}" for name in names]
    listener = it.popen(
        activate, "--listen", path, "--accept", "--inetd", *settings, it.program("chatelaine"), "status", "--metrics",
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def connected():
        # The socket exists a moment before the program listens.
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(60)
        try:
            connection.connect(path)
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
            return None
        return connection

    try:
        for _ in range(2):
            with wait_until(connected, what="its socket") as connection:
                text = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
            contains(text, "chatelaine_info", "# EOF\n")
            parsed(text)
    finally:
        listener.send_signal(signal.SIGTERM)
        listener.wait(timeout=60)


@both
def test_lines_for_people_fit_a_terminal(it):
    it.start()
    it.set("one", "secret")
    it.get("one")
    text = it.run("chatelaine", "status", "--verbose", check=0).out
    contains(text, "\nITEMS ", "\nFILES ", "\nQUEUE ", "\nCACHE ", "\nREQUESTS ")
    tables = text[text.index("\nITEMS"):]
    for line in tables.splitlines():
        assert len(line) <= 80, line
