# SPDX-License-Identifier: Apache-2.0
"""Keychains of earlier versions open, whatever happens while they are brought up to date, and those of later ones stay as they are.

The frozen stores are in TestVectors/stores-v1, made by TestVectors/stores.py. CHATELAINE_ROUNDS says at how many moments a migration is cut
off (30; 0: after each thing that the service does to a file). CHATELAINE_SEED says
at which (support/seeds.py)."""

import gzip
import os
import random
import shutil
import sqlite3

from support.disk import Disk, build, records
from support.frozen_stores import ITEMS, USER, secret_of
from support.instance import Instance, digest, root_of_repository, wait_until
from support.seeds import SEED, dice as dice_for, finding, rounds
from support.sentences import cases, contains, equal

ROUNDS = rounds(5)
FROZEN = os.path.join(root_of_repository, "TestVectors/stores-v1")
VERSIONS = [1, 2, 3, 4, 5, 6]
NEWEST = VERSIONS[-1]


def put(it, version):
    """The frozen store in the instance's place."""
    os.makedirs(it.data, 0o700, exist_ok=True)
    with gzip.open(f"{FROZEN}/schema-{version}.db.gz") as file:
        content = file.read()
    for name, data in [("keychain.db", content), ("device.key", open(f"{FROZEN}/schema-{version}.key", "rb").read())]:
        with open(os.path.join(it.data, name), "wb") as file:
            file.write(data)
        os.chmod(file.name, 0o600)


def version_of(path):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return database.execute("PRAGMA user_version").fetchone()[0]
    finally:
        database.close()


def all_there(it):
    for words in ITEMS:
        done = it.run("chatelaine", "get", *words, "--user", USER, "--no-newline", check=0)
        equal(done.stdout, secret_of(words).encode())
    status = wait_until(lambda: it.status()["contents"] != "not-looked-at" and it.status(), what="the look at all rows")
    equal((status["items"], status["unreadable"], status["contents"]), (len(ITEMS), 0, "as-left"))


def test_there_is_a_frozen_store_of_each_version_of_the_schema(it):
    it.start()
    it.stop()
    equal(version_of(it.database), NEWEST)
    equal(sorted(os.listdir(FROZEN)), sorted(f"schema-{v}.{end}" for v in VERSIONS for end in ("db.gz", "key")))


@cases("version", VERSIONS)
def test_a_keychain_of_version_of_the_schema_opens_with_all_its_items_takes_new_ones(it, version):
    """A keychain of version … of the schema opens with all its items, takes new ones, and is brought up to date."""
    put(it, version)
    equal(version_of(it.database), version)
    it.start()
    all_there(it)
    it.set("new", "secret")
    equal(it.stop(), 0)
    equal(version_of(it.database), NEWEST)
    kept = os.path.join(it.data, "snapshots")
    if version < NEWEST:
        # The way back to the older program.
        assert version in [version_of(os.path.join(kept, name)) for name in os.listdir(kept)], "no snapshot of before"
    it.start()
    equal(it.get("new"), b"secret")


def tree(folder):
    ours = ("audit.log", "audit.log.seal", "store.lock", "chatelained.log", "keychain.db-shm", "keychain.db-wal")
    return {os.path.relpath(os.path.join(place, name), folder): digest(os.path.join(place, name))
            for place, _, names in os.walk(folder) for name in names if name not in ours}


def test_a_keychain_of_a_later_version_is_refused_with_a_way_back_and_no_file_of_it_changes(it):
    put(it, NEWEST)
    it.start()
    it.stop()
    with sqlite3.connect(it.database, isolation_level=None) as database:
        database.execute("CREATE TABLE later (id INTEGER PRIMARY KEY)")
        database.execute(f"PRAGMA user_version = {NEWEST + 1}")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    before = tree(it.data)
    for _ in range(2):
        told = it.start_in_vain().err
        contains(told, f"error: {it.database} was made by a newer version of chatelaine; it was not touched",
                 "hint: install that version", "snapshots/")
        equal(tree(it.data), before)


def migrated(it, version):
    """What a service does to the disk while it brings the store up to date, and the disk as it was before."""
    put(it, version)
    root = it.directories["data"]
    disk = Disk.holding(root)
    library, log = build(it.scratch), os.path.join(it.scratch, "disk.log")
    plain, it.environment = it.environment, {**it.environment, "LD_PRELOAD": library, "DISK_LOG": log, "DISK_LOG_ROOT": root}
    it.start()
    all_there(it)
    it.stop()
    it.environment = plain
    equal(version_of(it.database), NEWEST)
    return disk, log


@cases("version", VERSIONS[:-1])
def test_a_migration_from_version_that_is_killed_or_loses_its_power_at_any_step_is_simply_done_again(it, version):
    dice = dice_for("upgrade", version)
    disk, log = migrated(it, version)
    steps = list(records(log))
    # After a kill all written data is left; after a power cut all synced data and some of the rest.
    # The first and the last step are always among them: no change, and all changes.
    last = len(steps) - 1
    moments = range(len(steps)) if not ROUNDS else {0, last, *dice.sample(range(len(steps)), min(ROUNDS, len(steps)))}
    seen = set()
    for place, record in enumerate(steps):
        disk.add(record)
        if place not in moments:
            continue
        other = Instance(it.programs)
        try:
            os.rmdir(other.directories["data"])
            state = dice.getstate()
            disk.cut_power(dice, other.directories["data"])
            seen.add(version_of_cut(other))
            other.start()
            all_there(other)
            other.stop()
            equal(version_of(other.database), NEWEST)
        except Exception as error:
            again, kept = random.Random(), finding(f"upgrade-{SEED}-{version}-{place}")
            again.setstate(state)
            disk.cut_power(again, kept)
            raise AssertionError(
                f"after step {place} of {len(steps)} (CHATELAINE_SEED={SEED}, its disk: {kept}): {error}") from error
        finally:
            other.remove()
    equal(seen, {version, NEWEST})


def version_of_cut(it):
    """Of a copy, which SQLite may mend."""
    copy = os.path.join(it.scratch, "copy")
    os.mkdir(copy)
    for name in ("keychain.db", "keychain.db-wal"):
        if os.path.exists(os.path.join(it.data, name)):
            shutil.copy(os.path.join(it.data, name), copy)
    database = sqlite3.connect(os.path.join(copy, "keychain.db"))
    try:
        equal(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        return database.execute("PRAGMA user_version").fetchone()[0]
    finally:
        database.close()
