# SPDX-License-Identifier: Apache-2.0
"""`chatelaine grants` with the real service, without a way to prompt."""

import json
import os
import sqlite3

from passcode import given
from support.instance import wait_until
from support.sentences import both, contains, equal, python


def grants(it, *words, check=0):
    return it.run("chatelaine", "grants", *words, check=check)


@both
def test_there_are_none_and_that_is_said(it):
    equal(grants(it, "list").out, "")
    equal(json.loads(grants(it, "list", "--json").out), [])
    equal(grants(it, "revoke", "--all").out, "Revoked 0 grants.\n")


def test_a_missing_grant_cannot_be_revoked(it):
    done = grants(it, "revoke", "1", check=1)
    equal(done.out, "")
    contains(done.err, "error: no grant has this number\n", "hint: `chatelaine grants list`")
    done = grants(it, "revoke", "--program", "/usr/bin/mail", check=1)
    contains(done.err, 'error: no program "/usr/bin/mail" has a remembered grant or an approval\n')


@both
def test_what_a_person_would_have_to_allow_is_refused_at_once_and_not_remembered(it):
    it.status()
    code = """
import sys
from support.wire import Client
client = Client(sys.argv[1])
print(client.add({"svce": "mail", "acct": "ann"}, b"secret").status)
"""
    equal(python(it, code).strip(), "0")
    done = it.run("chatelaine", "get", "mail", "--user", "ann", check=4)
    equal(done.out, "")
    contains(done.err, "belongs to another program")
    equal(json.loads(grants(it, "list", "--json").out), [])
    lines = [json.loads(line) for line in open(os.path.join(it.data, "audit.log"), encoding="utf-8")]
    equal([line["granted-by"] for line in lines if line["action"] == "add"], ["own-group"])
    equal([line["granted-by"] for line in lines if line["action"] == "read-attributes"], ["administration"])


@both
def test_the_mode_for_bridges_is_ask_and_status_and_doctor_warn_about_another(it):
    bridges = lambda: json.loads(it.run("chatelaine", "bridges", "--json", check=0).out)
    equal(bridges(), {"mode": "ask", "clients": [], "approvals": []})
    contains(it.run("chatelaine", "settings", "set", "bridges", "closed", check=64).err, "use ask, learn or open")
    # Without a passcode it takes an approval, which nothing can show here.
    done = it.run("chatelaine", "settings", "set", "bridges", "learn", check=4, start_new_session=True)
    contains(done.err, "without a passcode, an approval given here cannot be trusted", "passcode set")
    equal(bridges()["mode"], "ask")
    given(it, "passcode", "set", passcode_fd="hunter2", check=0)
    given(it, "settings", "set", "bridges", "learn", passcode_fd="hunter2", check=0)
    equal(bridges(), {"mode": "learn", "clients": [], "approvals": []})
    contains(" ".join(it.run("chatelaine", "status", check=0).out.split()), "bridges learn: every program")
    contains(" ".join(it.run("chatelaine", "doctor").out.split()), "warning bridges the mode for bridges is learn")


def test_a_row_that_another_program_wrote_into_the_database_is_no_grant_and_the_status_tells_of_it(it):
    it.set("name", "secret")
    it.stop_detached()
    database = sqlite3.connect(it.database)
    database.execute("INSERT INTO grants (item, bytes) SELECT item, randomblob(120) FROM genp")
    database.commit()
    database.close()
    equal(json.loads(grants(it, "list", "--json").out), [])
    wait_until(lambda: it.status()["contents"] != "not-looked-at", what="the look at the rows")
    status = it.status()
    equal((status["contents"], status["rowsMore"]), ("changed", 1))
    equal(grants(it, "revoke", "--all").out, "Revoked 1 grant.\n")


@both
def test_another_program_neither_sees_nor_takes_back_any(it):
    it.status()
    code = """
import struct, sys
from support.wire import Client
client = Client(sys.argv[1])
print([client.request(0x1A, what).reason for what in (
    b"\\1" + struct.pack(">Q", 0), b"\\2" + struct.pack(">Q", 1), b"\\3", b"\\4\\1")])
"""
    equal(python(it, code).strip(), "[14, 14, 14, 14]")
