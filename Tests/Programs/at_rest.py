# SPDX-License-Identifier: Apache-2.0
"""The content of the files: no value that was ever stored, in any form; and the result when other programs write them."""

import base64
import contextlib
import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import threading

import pytest

from support.instance import read_text, root_of_repository, wait_until
from support.owner import LOCK, PASSCODE, VERIFY, administer, change_passcode, secret, start_with_passcode, unlock
from support.sentences import cases, contains, equal, own_services
from support.wire import ATTRIBUTES, DATA, NOT_FOUND, Client, Closed, lookup

sys.path.insert(0, os.path.join(root_of_repository, "TestVectors"))
import verify  # noqa: E402


# MARK: Nothing readable

def forms(value):
    """The ways in which a value might be written down."""
    if isinstance(value, int):
        yield from forms(str(value))
        for order in "<>":
            yield struct.pack(order + "q", value)
        # As SQLite stores it: without the leading zeros.
        yield value.to_bytes((value.bit_length() + 8) // 8, "big", signed=True)
        return
    if isinstance(value, str):
        for encoding in ["utf-16-le", "utf-16-be"]:
            yield value.encode(encoding)
        value = value.encode()
    yield value
    yield value.hex().encode()
    yield value.hex().upper().encode()
    # Base64 in all three positions, without the groups that neighbours share.
    for shift in range(3):
        yield base64.b64encode(bytes(shift) + value)[4 if shift else 0 : -4]


def all_forms(values):
    return {form: value for value in values for form in forms(value)}


@contextlib.contextmanager
def folders_of_its_own(it):
    """Has the instance's programs run in a mount namespace in which the common temporary folders are folders of the instance, so
    that no other program leaves files there. Their current folder, where core files are left, is one of the instance, too."""
    made = {name: os.path.join(it.scratch, name) for name in ("tmp", "var-tmp", "shm", "work")}
    for path in made.values():
        os.mkdir(path)
        it.own(path, 0o1777)
    # The programs and the instance are below /tmp, too, and keep their place.
    place = os.path.join(made["tmp"], os.path.relpath(it.programs.scratch, "/tmp"))
    os.mkdir(place)
    script = """
mount --bind "$1" "$2" && mount --bind "$4" /var/tmp && mount --bind "$5" /dev/shm && mount --rbind "$3" /tmp && echo ready && exec cat
"""
    holder = it.popen(
        "unshare", "--mount", "--propagation", "private", "/bin/sh", "-c", script, "sh", it.programs.scratch, place, made["tmp"],
        made["var-tmp"], made["shm"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        if holder.stdout.readline() != b"ready\n":
            pytest.skip("no mount namespaces here: " + holder.stderr.read().decode().strip())
        it.enter = ["nsenter", f"--mount=/proc/{holder.pid}/ns/mnt", f"--wdns={made['work']}"]
        yield made
    finally:
        it.enter = []
        holder.kill()
        holder.wait()
        for stream in (holder.stdin, holder.stdout, holder.stderr):
            stream.close()


def files(it):
    """Every file of the instance."""
    for place, _, names in os.walk(it.scratch):
        for name in names:
            path = os.path.join(place, name)
            if os.path.isfile(path) and not os.path.islink(path):
                # A file that is deleted meanwhile holds nothing any more.
                with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
                    yield path, file.read()


def lacks_all(it, values, *expected):
    """Fails where a file has a value in any form. The expected files must be among those that were looked through."""
    wanted = all_forms(values)
    assert min(map(len, wanted)) >= 8
    seen = set()
    for path, content in files(it):
        # The programs themselves hold none of it, and take longest.
        if path.startswith(os.path.join(it.scratch, "bin")):
            continue
        seen.add(os.path.basename(path))
        # Most forms do not even begin anywhere in the file, and that is seen fast.
        begins = {content[place : place + 8] for place in range(len(content))}
        for form, value in wanted.items():
            assert form[:8] not in begins or form not in content, f"{path} holds {value!r} as {form!r}"
    for name in expected:
        assert name in seen, f"{name} was not there; there were {sorted(seen)}"


def unique(words):
    return words + os.urandom(8).hex()


def fill(client, count):
    """Items with values of all types in all attributes; all these values."""
    values = []
    for number in range(count):
        texts = {key: unique(key) for key in ["svce", "acct", "labl", "desc", "icmt"]}
        if number % 3 == 0:
            texts = {key: unique("Ärger mit Ünicode ") for key in texts}
        pairs = {unique("pair "): unique("of value ") for _ in range(number % 4)}
        data = {"gena": os.urandom(24), "prot": os.urandom(20)}
        numbers = {key: int.from_bytes(os.urandom(7), "big") | 1 << 55 for key in ["crtr", "type", "scrp"]}
        secret = os.urandom(20) + b" " + unique("secret ").encode() * (200 if number % 5 == 0 else 1)
        equal(client.add({**texts, **data, **numbers, "sync": number % 2, "lkup": lookup(pairs)}, secret).status, 0)
        values += [*texts.values(), *pairs, *pairs.values(), *data.values(), *numbers.values(), secret[:20], secret[21:44]]
        if number % 4 == 0:
            changes = {"labl": unique("changed "), "gena": os.urandom(24)}
            later = {unique("pair "): unique("later ")}
            equal(client.update({"acct": texts["acct"], "sync": number % 2}, {**changes, "lkup": lookup(later)},
                                unique("later ").encode()).status, 0)
            values += [*changes.values(), *later, *later.values()]
        equal(client.copy({"acct": texts["acct"], "sync": number % 2}, returning=DATA | ATTRIBUTES).status
              if number % 2 == 0 else 0, 0)
        if number % 7 == 0:
            client.delete({"acct": texts["acct"]})
        # A value that was only requested.
        asked = unique("asked for ")
        equal(client.copy({"svce": asked}).status, NOT_FOUND)
        values.append(asked)
    return values


def test_the_search_for_values_finds_them_in_every_form_in_which_they_might_be_written(it):
    value = unique("a value ")
    number = 1 << 55 | 12345
    for written in [value.encode(), value.encode("utf-16-le"), value.encode().hex().encode(),
                    base64.b64encode(b"x" + value.encode()), base64.b64encode(b"xy" + value.encode() + b"z"),
                    base64.b64encode(value.encode()), str(number).encode(), struct.pack("<q", number)]:
        path = os.path.join(it.scratch, "file")
        with open(path, "wb") as file:
            file.write(b"before " + written + b" after")
        try:
            lacks_all(it, [value, number], "file")
        except AssertionError:
            continue
        raise AssertionError(f"{written!r} was overlooked")


def test_the_search_for_values_finds_them_in_the_folders_in_which_all_programs_leave_files(it):
    value = unique("a value ")
    with folders_of_its_own(it) as made:
        for folder in ["/tmp", "/var/tmp", "/dev/shm", "."]:
            script = 'printf %s "$1" >"$2" && test "$(cat "$2")" = "$1"'
            it.run("/bin/sh", "-c", script, "sh", value, os.path.join(folder, "left"), check=0)
            with pytest.raises(AssertionError, match="left holds"):
                lacks_all(it, [value])
            it.run("rm", os.path.join(folder, "left"), check=0)
        lacks_all(it, [value])
        equal([os.listdir(made[name]) for name in ("var-tmp", "shm", "work")], [[], [], []])
        # The instance is where it was.
        it.start()
        assert os.path.exists(it.database)


def test_no_file_holds_a_value_that_was_stored_nor_a_passcode_while_the_service_runs_after_it_was_killed(it):
    """No file holds a value that was stored, nor a passcode: while the service runs, after it was killed, and after its end."""
    with folders_of_its_own(it):
        look_for_values(it)


def look_for_values(it):
    passcode, other = unique("the passcode ").encode(), unique("the other ").encode()
    start_with_passcode(it, passcode)
    with Client(it.socket_path) as client:
        values = fill(client, 60) + [passcode, other]
        equal(change_passcode(client, passcode, other), 0)
        assert administer(client, VERIFY, secret(PASSCODE, passcode)) != 0
        equal(administer(client, LOCK), 0)
        equal(unlock(client, other), 0)
        for name in range(3):
            # The command itself: the files that it leaves in its home and in temporary folders.
            it.run("chatelaine", "set", unique("name "), "--user", unique("user "), input=values[0], check=0)
        lacks_all(it, values, "keychain.db", "keychain.db-wal", "audit.log", "chatelained.log")
    it.daemon.send_signal(signal.SIGKILL)
    it.daemon.wait()
    it.daemon = None
    lacks_all(it, values, "keychain.db", "keychain.db-wal", "audit.log")
    it.start()
    with Client(it.socket_path) as client:
        equal(unlock(client, other), 0)
        values += fill(client, 20)
    equal(it.stop(), 0)
    lacks_all(it, values, "keychain.db", "audit.log")
    equal([name for name in os.listdir(it.data) if "journal" in name or "-wal" in name], [])


# MARK: Files that another program wrote

def edit(it, *statements, parameters=()):
    connection = sqlite3.connect(it.database, timeout=60)
    for statement in statements:
        connection.execute(statement, parameters)
    connection.commit()
    connection.close()


def row(it, number):
    connection = sqlite3.connect(it.database, timeout=60)
    cursor = connection.execute("SELECT * FROM genp WHERE id = ?", (number,))
    found = dict(zip([column[0] for column in cursor.description], cursor.fetchone()))
    connection.close()
    return found


def put_back(it, kept):
    edit(it, f"INSERT OR REPLACE INTO genp ({', '.join(kept)}) VALUES ({', '.join('?' * len(kept))})",
         parameters=tuple(kept.values()))


def contents(it):
    """Returns the status of the contents after the service has checked them."""
    def look():
        status = it.status()
        return None if status["contents"] == "not-looked-at" else status
    return wait_until(look, what="the look at the contents")


def restart(it):
    equal(it.stop(), 0)
    it.start()


def three_items(it):
    it.start()
    with Client(it.socket_path) as client:
        for name in ["one", "two", "three"]:
            equal(client.add({"svce": "s", "acct": name, "labl": name}, name.encode()).status, 0)


def found(client):
    return [data.decode() for _, _, data in client.copy({"svce": "s"}, limit=100).items]


@own_services
@cases("column", ["item_key", "attributes", "data"])
def test_a_row_with_a_changed_byte_of_is_unreadable_and_counted_and_the_others_stay(it, column):
    three_items(it)
    kept = row(it, 2)
    with Client(it.socket_path) as client:
        for place in range(len(kept[column])):
            changed = bytearray(kept[column])
            changed[place] ^= 1 << place % 8
            put_back(it, {**kept, column: bytes(changed)})
            answer = client.copy({"svce": "s"}, limit=100, returning=DATA | ATTRIBUTES)
            equal([data.decode() for _, _, data in answer.items], ["one", "three"])
        equal(it.status()["unreadable"], 1)
        put_back(it, kept)
        equal(found(client), ["one", "two", "three"])
        equal(it.status()["unreadable"], 0)


@own_services
@cases("column", ["item", "version", "accessibility", "sync", "tomb", "agrp", "acct", "svce", "vwht", "labl", "item_key",
             "attributes", "data"])
def test_a_row_whose_is_anothers_or_no_rows_gives_nothing_away_and_is_reported(it, column):
    three_items(it)
    kept, other = row(it, 2), row(it, 3)
    others = [other[column]]
    if isinstance(kept[column], int):
        others = [kept[column] + 1, kept[column] ^ 1, -5]
    elif kept[column] == other[column] or column in ("item", "acct"):
        # Two rows with one identifier, or with the same unique attributes, there cannot be.
        others = [os.urandom(16), b"\0"]
    for value in others:
        edit(it, "DELETE FROM genp WHERE id = 2")
        put_back(it, {**kept, column: value})
        with Client(it.socket_path) as client:
            for wanted in [{"svce": "s"}, {}, {"acct": "two"}, {"labl": "two"}]:
                answer = client.copy(wanted, limit=100, returning=DATA | ATTRIBUTES)
                # A label only helps the search: the item itself is unchanged.
                seen = [data for _, _, data in answer.items]
                assert column == "labl" or b"two" not in seen, f"{value!r} gave {answer.items!r}"
            assert {"one", "three"} <= set(found(client))
        restart(it)
        seen = contents(it)
        # Data that the sealed parts are not bound to is bound by the seal of all rows.
        assert seen["unreadable"] == 1 or seen["contents"] == "changed", seen
        edit(it, "DELETE FROM genp WHERE id = 2")
        put_back(it, kept)
        restart(it)
        equal([contents(it)[name] for name in ["unreadable", "contents"]], [0, "as-left"])


@own_services
def test_rows_that_exchanged_their_contents_but_not_their_names_open_neither_and_the_third_stays(it):
    three_items(it)
    one, two = row(it, 1), row(it, 2)
    parts = ["item_key", "attributes", "data"]
    for exchanged in [parts, ["item_key", "data"], ["attributes"], ["data"], ["acct", "labl"]]:
        edit(it, "DELETE FROM genp WHERE id < 3")
        put_back(it, {**one, **{name: two[name] for name in exchanged}})
        put_back(it, {**two, **{name: one[name] for name in exchanged}})
        with Client(it.socket_path) as client:
            equal([data for _, _, data in client.copy({"svce": "s"}, limit=9, returning=DATA | ATTRIBUTES).items], [b"three"])
        equal(it.status()["unreadable"], 2)


@own_services
def test_pairs_that_were_exchanged_in_the_index_lead_to_no_other_item_and_are_corrected_at_the_next_start(it):
    it.start()
    with Client(it.socket_path) as client:
        for name in ["one", "two", "three"]:
            equal(client.add({"svce": "s", "acct": name, "lkup": lookup({"kind": "test", "name": name})}, name.encode()).status, 0)

        def by_pairs(pairs):
            return [data.decode() for _, _, data in client.copy({"lkup": lookup(pairs)}, limit=9).items]

        equal(by_pairs({"kind": "test"}), ["one", "two", "three"])
        equal(by_pairs({"kind": "test", "name": "two"}), ["two"])
        equal(by_pairs({"kind": "other", "name": "two"}), [])
        edit(it, "UPDATE lookup SET id = id + 100 WHERE id < 3", "UPDATE lookup SET id = 103 - id WHERE id > 100")
        equal(by_pairs({"name": "one"}) + by_pairs({"name": "two"}), [])
        equal(client.delete({"lkup": lookup({"name": "one"})}).status, NOT_FOUND)
        equal(by_pairs({"kind": "test"}), ["one", "two", "three"])
    restart(it)
    equal(contents(it)["contents"], "as-left")
    with Client(it.socket_path) as client:
        for name in ["one", "two", "three"]:
            equal([data.decode() for _, _, data in client.copy({"lkup": lookup({"name": name})}, limit=9).items], [name])


def test_pairs_of_locked_items_that_were_removed_from_the_index_are_corrected_after_an_unlock(it):
    passcode = b"the passcode"
    start_with_passcode(it, passcode)
    pairs = {"lkup": lookup({"name": "one"})}
    with Client(it.socket_path) as client:
        equal(client.add({"svce": "s", "acct": "one", **pairs}, b"one").status, 0)
    equal(it.stop(), 0)
    edit(it, "DELETE FROM lookup")
    it.start()
    seen = contents(it)
    equal((seen["contents"], seen["rowsMore"]), ("changed", -1))
    with Client(it.socket_path) as client:
        equal(unlock(client, passcode), 0)
        wait_until(lambda: it.status()["contents"] == "as-left", what="the correction of the index")
        equal([data for _, _, data in client.copy(pairs).items], [b"one"])


def test_a_row_from_another_keychain_opens_in_none_with_the_same_device_key_neither(it):
    three_items(it)
    foreign = row(it, 2)
    equal(it.stop(), 0)
    # A new keychain with the same device key. Beside snapshots none is made.
    os.rename(it.database, it.database + ".first")
    shutil.rmtree(os.path.join(it.data, "snapshots"))
    it.start()
    it.set("own", "own secret")
    equal(contents(it)["contents"], "as-left")
    put_back(it, {**foreign, "id": 77})
    with Client(it.socket_path) as client:
        equal(found(client) if client.copy({"svce": "s"}).status == 0 else [], [])
    restart(it)
    seen = contents(it)
    equal((seen["contents"], seen["rowsMore"]), ("changed", 1))
    # In the place of one of its own: found by its group and its name, and set aside.
    own = row(it, 1)
    put_back(it, {**foreign, "id": 78, **{name: own[name] for name in ["agrp", "svce"]}})
    assert it.run("chatelaine", "get", "own", "--user", "two").returncode != 0
    equal(it.get("own"), b"own secret")


@cases("statement", [
    "CREATE TRIGGER kept BEFORE DELETE ON genp BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TRIGGER copied AFTER INSERT ON genp BEGIN UPDATE genp SET unreadable = 0; END",
    "CREATE TABLE another (id)", "CREATE VIEW seen AS SELECT * FROM genp"])
def test_a_database_with_more_in_its_schema_than_the_service_made_is_refused_and_left_as_it_is(it, statement):
    """Such as a trigger, by which a deletion of the service would keep the row."""
    three_items(it)
    equal(it.stop(), 0)
    edit(it, statement)
    with open(it.database, "rb") as file:
        before = file.read()
    contains(it.start_in_vain().err, "error: ", it.database)
    with open(it.database, "rb") as file:
        assert file.read() == before, "the service wrote to the database"


@own_services
def test_an_older_version_of_a_row_that_was_put_back_is_reported_until_the_owner_accepts_it(it):
    """An older version of a row that was put back is reported until the owner accepts it, and everything stays readable."""
    three_items(it)
    kept = row(it, 2)
    with Client(it.socket_path) as client:
        equal(client.update({"acct": "two"}, {}, b"newer").status, 0)
    put_back(it, kept)
    for _ in range(2):
        restart(it)
        seen = contents(it)
        equal((seen["contents"], seen["rowsMore"], seen["unreadable"]), ("changed", 0, 0))
        contains(it.run("chatelaine", "status", check=0).out, "CHANGED from outside: rows have another version")
        with Client(it.socket_path) as client:
            equal(found(client), ["one", "two", "three"])
            # Neither reading nor writing repairs it, and only the owner's tool can.
            equal(client.add({"svce": "s2", "acct": os.urandom(4).hex()}, b"x").status, 0)
            equal(administer(client, 20), -34018)
    contains(read_text(it.log), "the database was changed from outside")
    accepted = it.run("chatelaine", "status", "--json", "--accept-contents", check=0).out
    contains(accepted, '"contents": "as-left"')
    restart(it)
    equal(contents(it)["contents"], "as-left")
    contains(read_text(os.path.join(it.data, "audit.log")), '"accept-contents"')


def test_where_a_passcode_is_set_changed_contents_are_accepted_with_it_alone_and_grants_are_gone(it):
    three_items(it)
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    it.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input="1234", check=0)
    kept = row(it, 2)
    with Client(it.socket_path) as client:
        equal(client.update({"acct": "two"}, {}, b"newer").status, 0)
    put_back(it, kept)
    restart(it)
    equal(contents(it)["contents"], "changed")
    # Any program can run the command.
    for options, given in [([], ""), (["--passcode-fd", "0"], "4321")]:
        assert it.run("chatelaine", "status", "--accept-contents", *options, input=given).returncode != 0
        equal(contents(it)["contents"], "changed")
    it.run("chatelaine", "status", "--accept-contents", "--passcode-fd", "0", input="1234", check=0)
    equal(contents(it)["contents"], "as-left")
    equal(it.run("chatelaine", "grants", "list", "--json", check=0).out.split(), ["[]"])


@own_services
def test_rows_that_were_taken_away_or_brought_back_are_counted(it):
    three_items(it)
    kept = row(it, 2)
    with Client(it.socket_path) as client:
        equal(client.delete({"acct": "two"}).status, 0)
    put_back(it, kept)
    restart(it)
    equal([contents(it)[name] for name in ["contents", "rowsMore"]], ["changed", 1])
    contains(it.run("chatelaine", "status", check=0).out, "CHANGED from outside: 1 extra row")
    edit(it, "DELETE FROM genp WHERE id < 4")
    restart(it)
    equal([contents(it)[name] for name in ["contents", "rowsMore"]], ["changed", -2])
    contains(it.run("chatelaine", "status", check=0).out, "CHANGED from outside: 2 rows are missing")


@cases("statement", ["{}".format(statement) for statement in [
          "DELETE FROM seal", "UPDATE seal SET bytes = zeroblob(69)", "UPDATE seal SET bytes = x''"]])
def test_a_seal_that_is_damaged_or_missing_is_reported_and_nothing_is_refused_because_of_it(it, statement):
    three_items(it)
    edit(it, statement)
    restart(it)
    equal(contents(it)["contents"], "seal-damaged")
    with Client(it.socket_path) as client:
        equal(client.add({"svce": "s", "acct": "four"}, b"four").status, 0)
        equal(found(client), ["one", "two", "three", "four"])
    it.run("chatelaine", "status", "--accept-contents", check=0)
    restart(it)
    equal(contents(it)["contents"], "as-left")


def test_an_older_keybag_that_was_put_back_is_reported(it):
    """An older keybag that was put back is reported, because the passcode of that time could open it again."""
    passcode, other = b"the first one", b"the second one"
    start_with_passcode(it, passcode)
    connection = sqlite3.connect(it.database, timeout=60)
    (kept,) = connection.execute("SELECT bytes FROM keybag").fetchone()
    connection.close()
    with Client(it.socket_path) as client:
        equal(change_passcode(client, passcode, other), 0)
    equal(it.stop(), 0)
    edit(it, "UPDATE keybag SET bytes = ?", parameters=(kept,))
    it.start()
    equal(contents(it)["contents"], "changed")


# In the order that Documentation/Formats/database.md names.
head = ["id", "item", "version", "accessibility", "sync", "tomb", "agrp", "item_key"]
common = ["icmt", "desc", "crtr", "type", "vwht", "tkid", "invi", "nega", "scrp", "alis", "cusi", "prot", "accc", "cdat", "mdat"]
columns = {
    "genp": head + ["gena", "labl", "acct", "svce"] + common
    + [f"{name}_folded" for name in ["gena", "labl", "acct", "svce", "icmt", "desc"]],
    "inet": head + ["labl", "acct", "srvr", "sdmn", "path", "port", "ptcl", "atyp"] + common
    + [f"{name}_folded" for name in ["labl", "acct", "srvr", "icmt", "desc"]],
}


def test_the_seal_is_what_its_description_says(it):
    it.start()
    with Client(it.socket_path) as client:
        fill(client, 20)
    it.run("chatelaine", "set", "--url", "https://example.org:444/path", "--user", "Änn", input="x", check=0)
    equal(it.stop(), 0)
    with open(os.path.join(it.data, "device.key"), "rb") as file:
        device_key = verify.open_device_key(file.read())
    connection = sqlite3.connect(it.database)
    (keybag,), (sealed,) = (connection.execute(f"SELECT bytes FROM {table}").fetchone() for table in ["keybag", "seal"])
    key = verify.contents_key("code", device_key, keybag)
    codes = [verify.row_code(key, 0, [keybag])]
    for number, (table, names) in enumerate(columns.items(), start=1):
        for found in connection.execute(f"SELECT {', '.join(names)}, substr(attributes, 1, 14) FROM {table}"):
            codes.append(verify.row_code(key, number, found))
    pairs = [verify.row_code(key, 18, found) for found in connection.execute("SELECT id, agrp, digest FROM lookup")]
    assert pairs
    codes += pairs
    connection.close()
    total = 0
    for code in codes:
        total ^= int.from_bytes(code, "big")
    equal(verify.open_contents_seal(sealed, device_key, keybag), (len(codes), total.to_bytes(32, "big")))


def test_a_service_that_is_killed_in_the_middle_of_changes_finds_its_contents_as_it_left_them(it):
    it.start()
    for number in range(8):
        started = threading.Event()

        def change():
            try:
                with Client(it.socket_path) as client:
                    for step in range(100_000):
                        values = {"svce": "s", "acct": f"{number} {step}", "sync": step % 2}
                        client.add(values, b"x")
                        client.update({"acct": values["acct"]}, {"labl": "changed"})
                        client.delete({"acct": f"{number} {step - 3}"})
                        if step == 20 + 7 * number:
                            started.set()
            except Closed:
                pass

        thread = threading.Thread(target=change)
        thread.start()
        assert started.wait(60)
        it.daemon.send_signal(signal.SIGKILL)
        it.daemon.wait()
        thread.join()
        it.start()
        equal(contents(it)["contents"], "as-left")
