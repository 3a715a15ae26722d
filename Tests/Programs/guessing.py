# SPDX-License-Identifier: Apache-2.0
"""Attackers who guess: each secret has a count of wrong entries, which nothing but the right entry of the same secret sets back."""

import json
import os
import shutil
import signal
import sqlite3

from keychains import with_password
from passcode import attempts, given, set_passcode
from protect import PASSWORD, chatelaine
from support.instance import wait_until
from support.sentences import cases, contains, equal, own_services
from support.system import SystemService, ann, bob, service_user, without_account

TOO_MANY = "too many attempts in a row failed"


def counted(it, kind):
    """Counts in the user's own database: "protectors", "files" or "items"."""
    condition = {"protectors": "length(secret) = 1", "files": "length(secret) = 17 AND secret < x'80'",
                 "items": "length(secret) = 17 AND secret >= x'80' AND secret < x'81'"}[kind]
    database = sqlite3.connect(f"file:{it.database}?mode=ro", uri=True)
    try:
        return [failed for failed, in database.execute(f"SELECT failed FROM guesses WHERE {condition} ORDER BY secret")]
    finally:
        database.close()


# MARK: The passcode


@own_services
def test_a_right_login_password_leaves_the_count_of_the_passcode_as_it_is(it):
    set_passcode(it)
    given(it, "protector", "add", "login-password", login_password_fd="login", passcode_fd="hunter2", check=0)
    for number in range(1, 6):
        given(it, "unlock", passcode_fd=f"guess {number}", check=4)
        given(it, "unlock", login_password_fd="login", check=0)
        equal(counted(it, "protectors"), [number, 0])
    contains(given(it, "unlock", passcode_fd="hunter2", check=4).err, TOO_MANY)
    # Another login password does not set it back either, and the login password itself does not wait.
    given(it, "protector", "add", "login-password", login_password_fd="another", passcode_fd="hunter2", check=4)
    given(it, "unlock", login_password_fd="login", check=0)
    equal(attempts(it)[0], 5)


@own_services
def test_wrong_login_passwords_do_not_keep_the_passcode_out(it):
    set_passcode(it)
    given(it, "protector", "add", "login-password", login_password_fd="login", passcode_fd="hunter2", check=0)
    for number in range(5):
        given(it, "unlock", login_password_fd=f"guess {number}", check=4)
    contains(given(it, "unlock", login_password_fd="login", check=4).err, TOO_MANY)
    given(it, "unlock", passcode_fd="hunter2", check=0)
    equal(counted(it, "protectors"), [0, 5])


# MARK: Keychain files


def unlock(it, password, path):
    return it.run("security", "unlock-keychain", "-p", password, path)


def file_of(it, name):
    return os.path.join(it.data, "keychains", name + "-db")


def make_file(it):
    """A locked keychain file, whole in one file."""
    it.run("security", "create-keychain", "-p", "sesame", "k", check=0)
    it.run("security", "add-generic-password", "-a", "a", "-s", "s", "-w", "secret", "k", check=0)
    it.run("security", "lock-keychain", "k", check=0)


def guess_at_copies(it, copy):
    for number in range(5):
        copy(number)
        done = unlock(it, f"guess {number}", f"copy{number}")
        assert done.returncode != 0, done
    copy(5)
    for name in ("copy5", "copy0", "k"):
        done = unlock(it, "sesame", name)
        assert done.returncode != 0, (name, done)


def test_all_copies_of_a_keychain_file_have_one_count(it):
    it.start()
    make_file(it)
    it.stop()
    it.start()
    guess_at_copies(it, lambda number: shutil.copyfile(file_of(it, "k"), file_of(it, f"copy{number}")))
    equal(counted(it, "files"), [5])
    it.stop(signal.SIGKILL)
    it.start()
    shutil.copyfile(file_of(it, "k"), file_of(it, "fresh"))
    assert unlock(it, "sesame", "fresh").returncode != 0
    # Another file has another count.
    it.run("security", "create-keychain", "-p", "other", "other", check=0)
    it.run("security", "lock-keychain", "other", check=0)
    equal(unlock(it, "other", "other").returncode, 0)
    # After the delay, the right password opens each of them, and sets the count back.
    it.stop()
    database = sqlite3.connect(it.database)
    with database:
        database.execute("UPDATE guesses SET last = last - 3600")
    database.close()
    it.start()
    equal(unlock(it, "sesame", "fresh").returncode, 0)
    equal(counted(it, "files"), [])


def test_a_file_with_another_identifier_does_not_open_with_the_right_password(it):
    it.start()
    make_file(it)
    it.stop()
    database = sqlite3.connect(file_of(it, "k"))
    with database:
        keybag, = database.execute("SELECT bytes FROM keybag").fetchone()
        # Behind the eight bytes of the magic (Documentation/Formats/keybag.md).
        database.execute("UPDATE keybag SET bytes = ?", (keybag[:8] + bytes(16) + keybag[24:],))
    database.close()
    it.start()
    assert unlock(it, "sesame", "k").returncode != 0


def test_a_count_in_the_file_itself_does_not_matter(it):
    it.start()
    make_file(it)
    for number in range(5):
        assert unlock(it, f"guess {number}", "k").returncode != 0
    it.stop()
    database = sqlite3.connect(file_of(it, "k"))
    with database:
        database.execute("UPDATE guesses SET failed = 0")
    database.close()
    it.start()
    assert unlock(it, "sesame", "k").returncode != 0


@own_services
def test_the_passcode_that_a_program_sets_itself_is_no_way_to_guess_the_login_keychains_password(it):
    """A program sets and removes passcodes: each is tried at the login keychain as well, and counted."""
    it.start()
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    name = "login.keychain"
    with_password(it, "keychains", "create", name, password="sesame\n", check=0)
    for guess in [f"guess {number}" for number in range(5)] + ["sesame"]:
        it.run("chatelaine", "keychains", "lock", name, check=0)
        given(it, "passcode", "set", passcode_fd=guess, check=0)
        it.run("chatelaine", "lock", check=0)
        given(it, "unlock", passcode_fd=guess, check=0)
        given(it, "passcode", "remove", passcode_fd=guess, check=0)
    listed = json.loads(it.run("chatelaine", "keychains", "--json", check=0).out)
    equal([(os.path.basename(entry["path"]), entry["state"]) for entry in listed], [("login.keychain-db", "locked")])
    # Its owner did not type a wrong password, and does not wait.
    equal(counted(it, "files"), [])
    equal(unlock(it, "sesame", name).returncode, 0)


# MARK: Items' own passwords


def protect(it, name):
    it.set(name, "the secret")
    chatelaine(it, "protect", name, "--app-password", password=PASSWORD)


@own_services
@cases("way", ["read", "change", "unprotect", "mixed"])
def test_guesses_at_an_items_own_password_are_counted_in_whatever_way_they_are_made(it, way):
    it.start()
    protect(it, "vault")
    protect(it, "other")
    ways = {
        "read": lambda guess: chatelaine(it, "get", "vault", password=guess, check=None),
        "change": lambda guess: chatelaine(it, "set", "vault", password=guess, input=b"planted", check=None),
        "unprotect": lambda guess: chatelaine(it, "protect", "vault", "--none", password=guess, check=None)}
    for number in range(5):
        chosen = list(ways)[number % 3] if way == "mixed" else way
        done = ways[chosen](f"guess {number}")
        equal(done.returncode, 4)
        contains(done.err, "the application password of the item is wrong")
        equal(counted(it, "items"), [number + 1])
    for chosen in ways.values():
        done = chosen(PASSWORD)
        equal(done.returncode, 4)
        contains(done.err, TOO_MANY)
    # A restart forgets nothing, and another item has a count of its own.
    it.stop(signal.SIGKILL)
    it.start()
    contains(chatelaine(it, "get", "vault", password=PASSWORD, check=4).err, TOO_MANY)
    equal(chatelaine(it, "get", "other", password=PASSWORD).out, "the secret\n")
    equal(counted(it, "items"), [5])


def test_the_right_password_sets_the_count_of_its_item_back(it):
    it.start()
    protect(it, "vault")
    for _ in range(3):
        for number in range(4):
            chatelaine(it, "get", "vault", password=f"guess {number}", check=4)
        equal(counted(it, "items"), [4])
        equal(chatelaine(it, "get", "vault", password=PASSWORD).out, "the secret\n")
        equal(counted(it, "items"), [])


def test_guesses_made_at_the_same_time_are_all_counted(it):
    it.start()
    protect(it, "vault")
    readers = []
    for number in range(12):
        read, write = os.pipe()
        os.write(write, f"guess {number}\n".encode())
        os.close(write)
        readers.append(it.popen("chatelaine", "get", "vault", "--app-password-fd", str(read), pass_fds=[read], stderr=-1))
        os.close(read)
    said = [reader.communicate(timeout=120)[1] for reader in readers]
    equal(sum(b"the application password of the item is wrong" in text for text in said), 5)
    equal(sum(TOO_MANY.encode() in text for text in said), 7)
    equal(counted(it, "items"), [5])


def test_an_item_that_is_deleted_and_stored_again_is_another_one_and_nothing_of_the_first_is_left_to_guess(it):
    it.start()
    protect(it, "vault")
    for number in range(5):
        chatelaine(it, "get", "vault", password=f"guess {number}", check=4)
    chatelaine(it, "remove", "vault")
    protect(it, "vault")
    equal(chatelaine(it, "get", "vault", password=PASSWORD).out, "the secret\n")
    # The count of the first stays, in case a backup brings it back.
    equal(counted(it, "items"), [5])


# MARK: The system service


def test_the_system_service_counts_for_each_user_in_the_users_own_database(it):
    with SystemService(it) as service:
        user = service.user(ann)
        try:
            service.start()
            protect(user, "vault")
            for number in range(5):
                contains(chatelaine(user, "get", "vault", password=f"guess {number}", check=4).err, "the application password of the item is wrong")
            contains(chatelaine(user, "get", "vault", password=PASSWORD, check=4).err, TOO_MANY)
            make_file(user)
            for number in range(5):
                assert unlock(user, f"guess {number}", "k").returncode != 0
            assert unlock(user, "sesame", "k").returncode != 0
        finally:
            user.remove()


def test_the_system_service_counts_wrong_passcodes_of_each_user_apart_and_when_it_is_killed_after_each(it):
    with SystemService(it) as service:
        first, second = service.user(ann), service.user(bob)
        try:
            service.start()
            for user in (first, second):
                user.set("name", "s3cret")
                user.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
                given(user, "passcode", "set", passcode_fd="hunter2", check=0)
            for number in range(5):
                given(first, "unlock", passcode_fd=f"guess {number}", check=4)
                service.stop(signal.SIGKILL)
                service.start()
            equal([attempts(user)[0] for user in (first, second)], [5, 0])
            contains(given(first, "unlock", passcode_fd="hunter2", check=4).err, TOO_MANY)
            given(second, "unlock", passcode_fd="hunter2", check=0)
        finally:
            first.remove()
            second.remove()


# MARK: Memory and processor


def peak(pid):
    """Most memory that the process ever had, in bytes."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))


def test_many_keychain_files_unlocked_at_once_take_the_memory_of_one(it):
    it.start()
    make_file(it)
    it.stop()
    for number in range(16):
        shutil.copyfile(file_of(it, "k"), file_of(it, f"copy{number}"))
    it.start()
    equal(unlock(it, "sesame", "k").returncode, 0)
    before = peak(it.daemon.pid)
    running = [it.popen("security", "unlock-keychain", "-p", "sesame", f"copy{number}", stderr=-1) for number in range(16)]
    for client in running:
        _, said = client.communicate(timeout=300)
        equal((client.returncode, said), (0, b""))
    # All at once would take 32 MiB for each file. Open files and one stretching at a higher cost take less than this.
    assert peak(it.daemon.pid) - before < 128 << 20, peak(it.daemon.pid) - before


def test_two_users_who_unlock_many_keychain_files_keep_no_third_waiting(it):
    carol = without_account(bob + 1)
    with SystemService(it) as service:
        service.start(sandboxed=False)
        first, second, third = (service.user(number) for number in (ann, bob, carol))
        for user in (first, second, third):
            make_file(user)
        service.stop()
        for number in (ann, bob):
            folder = os.path.join(service.store(number), "keychains")
            for copy in (os.path.join(folder, f"copy{number}-db") for number in range(24)):
                shutil.copyfile(os.path.join(folder, "k-db"), copy)
                os.chown(copy, service_user, service_user)
                os.chmod(copy, 0o600)
        service.start(sandboxed=False)
        running = [[user.popen("security", "unlock-keychain", "-p", "sesame", f"copy{number}", stderr=-1)
                    for number in range(24)] for user in (first, second)]
        for clients in running:
            wait_until(lambda: any(client.poll() is not None for client in clients), what="the first file's unlocking")
        equal(unlock(third, "sesame", "k").returncode, 0)
        # The files of a user are unlocked one after the other, and the third user was not behind them: the service has
        # a place for each of the first two at any time.
        for clients in running:
            assert any(client.poll() is None for client in clients)
        for client in running[0] + running[1]:
            _, said = client.communicate(timeout=300)
            equal((client.returncode, said), (0, b""))
        for user in (first, second, third):
            user.remove()
