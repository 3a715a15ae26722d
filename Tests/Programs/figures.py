#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The figures of the service's work with the real programs: `chatelaine status --verbose` and `--metrics`, the latter read by
Prometheus' own parser."""

import json
import os
import shutil
import signal
import socket
import subprocess

from support.instance import wait_until
from support.sentences import LeftOut, both, contains, equal, lacks, run, test
from support.wire import ADMINISTER, MISSING_ENTITLEMENT, NOT_FOUND, Client

READ_FIGURES = 27

parse = """
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
families = text_string_to_metric_families(sys.stdin.read())
print(json.dumps({f.name: {"type": f.type, "unit": f.unit, "samples": [[s.name, s.labels, s.value] for s in f.samples]} for f in families}))
"""


def parsed(text):
    """The families that Prometheus' own reader of OpenMetrics finds; it refuses what breaks a rule."""
    done = subprocess.run(["/usr/bin/python3", "-c", parse], input=text.encode(), capture_output=True)
    if b"No module named" in done.stderr:
        raise LeftOut("there is no prometheus_client")
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


@test("figures follow what is done, and files are as large as the file system says", users=both)
def _(it):
    it.start()
    for name in ["one", "two"]:
        it.set(name, "secret")
    before = figures(it)
    for _ in range(5):
        it.get("one")
    it.run("chatelaine", "get", "nothing", check=3)
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
        assert entry["slowestNanoseconds"] <= entry["nanoseconds"] < 60e9, entry
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


@test("figures begin anew with the service, and the time it is open goes on", users=both)
def _(it):
    it.start()
    it.set("one", "secret")
    wait_until(lambda: figures(it)["uptimeSeconds"] >= 1, what="a second")
    equal(it.stop(), 0)
    it.start()
    seen = figures(it)
    equal((requests(seen, "add"), seen["items"]["genp"]), (None, 1))
    assert seen["uptimeSeconds"] < 60, seen["uptimeSeconds"]


@test("connections that are held are counted, and the most of them stays")
def _(it):
    it.start()
    held = [Client(it.socket_path) for _ in range(5)]
    queue = {entry["kind"]: entry for entry in figures(it)["queues"]}["connections"]
    equal((queue["now"], queue["bound"]), (6, 256))
    for client in held:
        client.close()
    wait_until(lambda: {e["kind"]: e for e in figures(it)["queues"]}["connections"]["now"] == 1, what="their end")
    assert {e["kind"]: e for e in figures(it)["queues"]}["connections"]["most"] >= 6


@test("other programs of the user are refused, and that is in the audit log")
def _(it):
    it.start()
    client = Client(it.socket_path)
    equal(client.request(ADMINISTER, bytes([READ_FIGURES])).status, MISSING_ENTITLEMENT)
    client.close()
    last = json.loads(it.run("chatelaine", "log", "--json", check=0).out.splitlines()[-1])
    equal((last["action"], last["outcome"], last["status"]), ("read-figures", "refused", MISSING_ENTITLEMENT))


@test("metrics are what OpenMetrics allows, and say what the figures say", users=both)
def _(it):
    it.start()
    it.set("VERYSECRETNAME", "VERYSECRETVALUE", "--user", "VERYSECRETUSER")
    it.get("VERYSECRETNAME", "--user", "VERYSECRETUSER")
    it.run("chatelaine", "get", "nothing", check=3)
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


@test("an empty keychain has metrics, too", users=both)
def _(it):
    families = parsed(it.run("chatelaine", "status", "--metrics", check=0).out)
    equal(value(families, "chatelaine_items", **{"class": "genp"}), 0)


@test("who connects to the socket of the unit gets the metrics and the end, and need not say anything")
def _(it):
    activate = shutil.which("systemd-socket-activate")
    if not activate:
        raise LeftOut("there is no systemd-socket-activate")
    it.start()
    path = os.path.join(it.scratch, "metrics")
    # As the unit: each connection is the standard output of a process of its own.
    names = ["PATH", "HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"]
    settings = [f"--setenv={name}={it.environment[name]}" for name in names]
    listener = it.popen(
        activate, "--listen", path, "--accept", "--inetd", *settings, it.program("chatelaine"), "status", "--metrics",
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def connected():
        # Its name is there a moment before anybody listens.
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(20)
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
        listener.wait(timeout=20)


@test("lines for people fit a terminal", users=both)
def _(it):
    it.start()
    it.set("one", "secret")
    it.get("one")
    text = it.run("chatelaine", "status", "--verbose", check=0).out
    contains(text, "\nITEMS ", "\nFILES ", "\nAT ONCE ", "\nIN MEMORY ", "\nREQUESTS ")
    tables = text[text.index("\nITEMS"):]
    for line in tables.splitlines():
        assert len(line) <= 80, line


run()
