# SPDX-License-Identifier: Apache-2.0
"""File keychains with the real programs: typed passwords, damaged files, two keychains at once, and a service that is killed."""

import contextlib
import json
import os
import re
import shutil
import sqlite3
import struct

import pytest

from passcode import given
from support.caller import root_owned_folder
from support.instance import Instance, is_root, mode, read_text
from support.killing import killed_at, needs_root
from support.sentences import both, contains, equal, lacks, ordinary
from support.terminal import Terminal
from support.wire import (
    ADD, ATTRIBUTES, COPY, DELETE, DUPLICATE, EXPLAIN, INTERACTION_NOT_ALLOWED, KEY, NOT_FOUND, UPDATE, Client, attributes, block, optional,
    query)


def security(it, *words, check=0, input=b""):
    return it.run("security", *words, check=check, input=input)


def folder(it):
    return os.path.join(it.data, "keychains")


def path(it, name):
    return os.path.join(folder(it), name + "-db")


def make(it, name, password="sesame"):
    security(it, "create-keychain", "-p", password, name)


def state(it, name):
    return {entry["path"]: entry for entry in keychains(it)}.get(path(it, name), {}).get("state")


def keychains(it):
    return json.loads(it.run("chatelaine", "keychains", "--json", check=0).out)


def with_password(it, *words, password, option="--password-fd", check=0, input=b""):
    read, write = os.pipe()
    os.write(write, password.encode())
    os.close(write)
    try:
        return it.run("chatelaine", *words, option, str(read), check=check, input=input, pass_fds=[read])
    finally:
        os.close(read)


def typed(it, words, answers, status=0):
    """Answers each question of a program on a terminal; nothing that is typed is shown."""
    with Terminal(it, *words) as terminal:
        for question, answer in answers:
            terminal.expect(question)
            terminal.expect_silence()
            terminal.shown = ""
            terminal.type(answer + "\n")
        equal(terminal.end(), status)
        # A warning suggests a password of random words, and the answers are words.
        shown = re.sub(r"(?<=such as )\S+", "", terminal.shown)
        for _, answer in answers:
            lacks(shown, answer)
        return shown


# MARK: security


@both
def test_a_keychain_is_made_used_locked_unlocked_and_deleted_as_in_a_script_for_macos(it):
    make(it, "build.keychain")
    equal(mode(path(it, "build.keychain")), 0o600)
    security(it, "list-keychains", "-d", "user", "-s", "build.keychain")
    security(it, "default-keychain", "-s", "build.keychain")
    security(it, "set-keychain-settings", "-lut", "21600", "build.keychain")
    equal(security(it, "show-keychain-info", "build.keychain").err,
          'Keychain "build.keychain" lock-on-sleep timeout=21600s\n')
    security(it, "add-generic-password", "-a", "a", "-s", "s", "-w", "p")
    equal(security(it, "find-generic-password", "-a", "a", "-s", "s", "-w").out, "p\n")
    contains(security(it, "find-generic-password", "-s", "s").out,
             f'keychain: "{path(it, "build.keychain")}"\nversion: 512\n')
    equal(security(it, "find-generic-password", "-s", "none", check=44).err,
          "security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.\n")
    security(it, "lock-keychain", "build.keychain")
    equal(security(it, "find-generic-password", "-s", "s", "-w", check=51).out, "")
    security(it, "unlock-keychain", "-p", "wrong", "build.keychain", check=51)
    security(it, "unlock-keychain", "-p", "sesame", "build.keychain")
    equal(security(it, "find-generic-password", "-s", "s", "-w").out, "p\n")
    # The output that a script reads can be written back.
    paths = security(it, "list-keychains").out.replace('"', "").split()
    security(it, "list-keychains", "-s", *paths)
    equal(security(it, "list-keychains").out.replace('"', "").split(), paths)
    security(it, "delete-keychain", "build.keychain")
    equal(os.path.exists(path(it, "build.keychain")), False)
    equal(security(it, "list-keychains").out, f'    "{it.database}"\n')


def test_passwords_are_asked_for_on_the_terminal_and_none_is_shown(it):
    first, again = "password for new keychain: ", "retype password for new keychain: "
    contains(typed(it, ["security", "create-keychain", "k"],
                   [(first, "horse"), (again, "hose")] + [(first, "staple"), (again, "staple")]), "")
    typed(it, ["security", "lock-keychain", "k"], [])
    contains(typed(it, ["security", "unlock-keychain", "k"], [("password to unlock k: ", "horse")], 51),
             "security: SecKeychainUnlock k: ")
    typed(it, ["security", "unlock-keychain", "k"], [("password to unlock k: ", "staple")])
    equal(state(it, "k"), "unlocked")
    old, new, retype = "Old Password: ", "New Password: ", "Retype New Password: "
    contains(typed(it, ["security", "set-keychain-password", "k"],
                   [(old, "staple"), (new, "cart"), (retype, "card")], 1), "try again")
    typed(it, ["security", "set-keychain-password", "k"], [(old, "horse"), (new, "cart"), (retype, "cart")], 51)
    typed(it, ["security", "set-keychain-password", "k"], [(old, "staple"), (new, "cart"), (retype, "cart")])
    first, again = "password data for new item: ", "retype password for new item: "
    typed(it, ["security", "add-generic-password", "-a", "a", "-s", "s", "k", "-w"], [], 0)
    typed(it, ["security", "add-generic-password", "-U", "-a", "a", "-s", "s", "-w"],
          [(first, "hidden"), (again, "hidden")])


def test_the_three_entries_of_a_new_password_are_all_and_nothing_is_made_then(it):
    questions = ["password for new keychain: ", "retype password for new keychain: "]
    answers = [(question, str(number)) for number in range(3) for question in questions]
    answers = [(question, f"entry{number}") for number, (question, _) in enumerate(answers)]
    typed(it, ["security", "create-keychain", "k"], answers, 1)
    equal(keychains(it), [])


def test_c156_to_c158_a_wrong_password_exits_with_51_and_settings_are_shown_as_on_a_mac(it):
    make(it, "k")
    equal(security(it, "show-keychain-info", "k").err, 'Keychain "k" lock-on-sleep timeout=300s\n')
    security(it, "set-keychain-settings", "k")
    equal(security(it, "show-keychain-info", "k").err, 'Keychain "k" no-timeout\n')
    security(it, "lock-keychain", "k")
    contains(security(it, "unlock-keychain", "-p", "wrong", "k", check=51).err, "security: SecKeychainUnlock k: ")


def identity(it, common_name="Ann Example"):
    """A file of PKCS #12 that openssl wrote, with the passphrase p12."""
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl")
    key, pem, file = (os.path.join(it.scratch, name) for name in ("key.pem", "c.pem", "identity.p12"))
    it.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-keyout", key,
           "-out", pem, "-days", "30", "-subj", f"/O=Example/CN={common_name}", check=0)
    it.run("openssl", "pkcs12", "-export", "-inkey", key, "-in", pem, "-out", file, "-passout", "pass:p12", check=0)
    return file


def access(it, name):
    return security(it, "dump-keychain", "-a", name).out


def test_a_build_servers_keychain_is_made_as_githubs_documentation_shows_it_for_macos(it):
    # "Installing an Apple certificate on macOS runners for Xcode development", docs.github.com; the same lines.
    file = identity(it)
    place = os.path.join(it.scratch, "app-signing.keychain-db")
    security(it, "create-keychain", "-p", "pw", place)
    security(it, "set-keychain-settings", "-lut", "21600", place)
    security(it, "unlock-keychain", "-p", "pw", place)
    equal(security(it, "import", file, "-P", "p12", "-A", "-t", "cert", "-f", "pkcs12", "-k", place).out,
          "1 identity imported.\n")
    lists = security(it, "set-key-partition-list", "-S", "apple-tool:,apple:", "-k", "pw", place)
    contains(lists.out, f'keychain: "{place}"\nversion: 512\nclass: 0x00000010 \n')
    security(it, "list-keychain", "-d", "user", "-s", place)
    contains(security(it, "find-identity", "-v", "-p", "basic").out, '"Ann Example"', "1 valid identities found")
    contains(access(it, place), "description: apple-tool:, apple:\n", "        applications: <null>\n")
    security(it, "delete-keychain", place)
    equal(os.path.exists(place), False)


def test_a_partition_list_is_changed_with_the_keychains_password_which_is_asked_for_where_it_is_not_given(it):
    make(it, "k")
    security(it, "add-generic-password", "-a", "a", "-s", "s", "-w", "p", "k")
    words = ["set-generic-password-partition-list", "-s", "s", "-S", "apple:,teamid:ABC"]
    wrong = security(it, *words, "-k", "wrong", "k", check=1)
    contains(wrong.err, "security: SecKeychainItemSetAccessWithPassword: ")
    lacks(access(it, "k"), "teamid:ABC")
    question = "password to unlock k: "
    typed(it, ["security", *words, "k"], [(question, "sesame")])
    contains(access(it, "k"), "description: apple:, teamid:ABC\n")
    # The command is no longer in the list, and no prompt is possible.
    security(it, "find-generic-password", "-s", "s", "-w", "k", check=51)
    security(it, words[0], "-s", "s", "-S", "apple-tool:", "-k", "sesame", "k")
    equal(security(it, "find-generic-password", "-s", "s", "-w", "k").out, "p\n")
    lacks(it.run("chatelaine", "log", check=0).out, "sesame")
    contains(it.run("chatelaine", "log", "--json", check=0).out, "set-partition-list")


@both
def test_a_program_that_T_or_A_trusts_reads_without_a_prompt_until_its_file_changes(it):
    make(it, "k")
    security(it, "list-keychains", "-d", "user", "-s", "k")
    program = it.programs.copy(it.programs.example("PasswordKeeper"), os.path.join(it.scratch, "keeper"))
    it.own(program, 0o755)
    environment = {**it.environment, "CHATELAINE_PLAIN_CALLS": "all"}

    def read(service, status=0):
        return it.run(program, "get", service, "a", env=environment, check=status)

    for service, words in {"own": [], "none": ["-T", ""], "named": ["-T", program], "open": ["-A"]}.items():
        security(it, "add-generic-password", "-a", "a", "-s", service, "-w", "p", *words, "k")
    equal(read("named").out, "p\n")
    equal(read("open").out, "p\n")
    for service in ("own", "none"):
        equal(read(service, status=1).out, "")
    # A changed file is another program. The bytes after the end of an ELF file are not loaded.
    with open(program, "rb") as file:
        content = file.read()
    os.remove(program)
    with open(program, "wb") as file:
        file.write(content + b"changed")
    it.own(program, 0o755)
    equal(read("named", status=1).out, "")
    equal(read("open").out, "p\n")


# As root, because the service tells other users nothing about files of root below /tmp, where the tests have the programs.
@pytest.mark.users("root")
def test_trusting_the_command_or_a_general_client_by_T_says_that_every_program_can_read_the_item(it):
    make(it, "k")
    keeper = it.programs.copy(it.programs.example("PasswordKeeper"), os.path.join(it.scratch, "keeper"))
    it.own(keeper, 0o755)
    with root_owned_folder() as installed:
        general = it.programs.copy(keeper, os.path.join(installed, "secret-tool"))
        programs = {
            it.program("security"): True, it.program("chatelaine"): True, general: True, keeper: False, "": False}
        for number, (program, warns) in enumerate(programs.items()):
            done = security(it, "add-generic-password", "-a", "a", "-s", f"s{number}", "-w", "p", "-T", program, "k")
            equal(f"-T names {program}, which each of your programs can run" in done.err, warns)
    # -A says by itself that it is for all programs, and without an option nothing is named.
    for words in (["-A"], []):
        equal(security(it, "add-generic-password", "-a", "a", "-s", f"other{len(words)}", "-w", "p", *words, "k").err, "")


@pytest.mark.users("ordinary")
def test_trusting_a_program_that_the_service_does_not_inspect_says_why(it):
    if not is_root:
        pytest.skip("only root can make a file of root")
    make(it, "k")
    # Of root, but below the scratch folder, where another user could replace it.
    keeper = it.programs.copy(it.programs.example("PasswordKeeper"), os.path.join(it.scratch, "keeper"))
    done = security(it, "add-generic-password", "-a", "a", "-s", "s", "-w", "p", "-T", keeper, "k", check=206)
    contains(done.err, "the process or program does not exist, or belongs to another user", "only root can write")


def test_a_weak_password_that_is_typed_is_warned_of_and_taken_a_password_from_a_script_is_not_commented_on(it):
    first, again = "password for new keychain: ", "retype password for new keychain: "
    shown = typed(it, ["security", "create-keychain", "k"], [(first, "qwerty"), (again, "qwerty")])
    contains(shown, "warning: that password is very weak", "one of the 10 most used passwords", "such as ")
    equal(state(it, "k"), "unlocked")
    equal(security(it, "create-keychain", "-p", "qwerty", "l").err, "")


# MARK: Items and files that are not what they were


@both
def test_c147_an_item_that_was_changed_behind_the_service_exits_with_40_is_deleted_and_stored_again(it):
    make(it, "k")
    for account in ("ann", "bob"):
        security(it, "add-generic-password", "-a", account, "-s", "s", "-w", account, "k")
    it.stop_detached()
    with sqlite3.connect(path(it, "k")) as database:
        database.execute("UPDATE genp SET data = (SELECT data FROM genp WHERE id = 2) WHERE id = 1")
    database.close()
    for name in ("k-db-wal", "k-db-shm"):
        place = os.path.join(folder(it), name)
        if os.path.exists(place):
            it.own(place, 0o600)
    security(it, "unlock-keychain", "-p", "sesame", "k")
    for _ in range(2):
        equal(security(it, "find-generic-password", "-a", "ann", "-s", "s", "-w", "k", check=40).out, "")
    equal(security(it, "find-generic-password", "-a", "bob", "-s", "s", "-w", "k").out, "bob\n")
    security(it, "delete-generic-password", "-a", "ann", "-s", "s", "k")
    security(it, "add-generic-password", "-a", "ann", "-s", "s", "-w", "new", "k")
    equal(security(it, "find-generic-password", "-a", "ann", "-s", "s", "-w", "k").out, "new\n")


def test_c148_a_keychain_of_macos_is_told_to_be_one_with_what_to_do_on_the_mac_and_stays_as_it_is(it):
    make(it, "k")
    content = b"kych" + bytes([0, 1, 0, 0, 0, 0, 0, 16]) + bytes(400)
    with open(path(it, "mac"), "wb") as file:
        file.write(content)
    it.own(path(it, "mac"), 0o600)
    for words in (["unlock-keychain", "-p", "x", "mac"], ["show-keychain-info", "mac"],
                  ["find-generic-password", "-s", "s", "mac"]):
        contains(security(it, *words, check=49).err, "a keychain of macOS", "security export")
    contains(it.run("chatelaine", "keychains", "unlock", "mac", check=1).err, "a keychain of macOS", "security export")
    with open(path(it, "mac"), "rb") as file:
        equal(file.read(), content)


# MARK: chatelaine


@both
def test_chatelaine_keychains_makes_lists_locks_unlocks_and_deletes(it):
    made = with_password(it, "keychains", "create", "work", password="sesame\n")
    equal(made.out, f"Created {path(it, 'work')}.\n")
    equal(keychains(it), [{"path": path(it, "work"), "state": "unlocked", "idleLockSeconds": 300, "lockOnSleep": True, "damaged": False,
                           "default": False, "searched": False}])
    it.run("chatelaine", "set", "github", "--keychain", "work", input="secret", check=0)
    equal(it.run("chatelaine", "get", "github", "--keychain", "work", check=0).out, "secret\n")
    it.run("chatelaine", "get", "github", check=3)
    it.run("chatelaine", "keychains", "lock", "work", check=0)
    contains(it.run("chatelaine", "list", "--keychain", "work", check=0).out, "github")
    it.run("chatelaine", "get", "github", "--keychain", "work", check=4)
    equal(with_password(it, "get", "github", "--keychain", "work", password="sesame", option="--passcode-fd").out,
          "secret\n")
    it.run("chatelaine", "keychains", "lock", "--all", check=0)
    done = with_password(it, "keychains", "unlock", "work", password="wrong", check=4)
    contains(done.err, "error: the password of the keychain is wrong\n")
    with_password(it, "keychains", "unlock", "work", password="sesame")
    equal(state(it, "work"), "unlocked")
    it.run("chatelaine", "remove", "github", "--keychain", "work", check=0)
    contains(it.run("chatelaine", "keychains", "delete", "work", check=64).err, "which has no items", "--yes")
    equal(state(it, "work"), "unlocked")
    it.run("chatelaine", "keychains", "delete", "work", "--yes", check=0)
    equal(keychains(it), [])


def test_chatelaine_keychains_asks_for_passwords_on_the_terminal(it):
    new = "New password of the keychain: "
    typed(it, ["chatelaine", "keychains", "create", "work"], [(new, "horse"), ("Once more: ", "hose")], 1)
    equal(keychains(it), [])
    typed(it, ["chatelaine", "keychains", "create", "work"], [(new, "horse"), ("Once more: ", "horse")])
    typed(it, ["chatelaine", "keychains", "password", "work"],
          [("Password of the keychain: ", "horse"), (new, "staple"), ("Once more: ", "staple")])
    it.run("chatelaine", "keychains", "lock", "work", check=0)
    typed(it, ["chatelaine", "keychains", "unlock", "work"], 3 * [("Password of the keychain: ", "horse")], 4)
    typed(it, ["chatelaine", "keychains", "unlock", "work"], [("Password of the keychain: ", "staple")])


def test_a_password_is_in_no_argument_list_and_in_no_log(it):
    make(it, "k", password="correct horse")
    with_password(it, "keychains", "unlock", "k", password="correct horse")
    lacks(it.run("chatelaine", "log", check=0).out, "correct horse")
    for place, _, names in os.walk(it.data):
        for name in names:
            # A file that is deleted meanwhile holds nothing any more.
            with contextlib.suppress(FileNotFoundError), open(os.path.join(place, name), "rb") as file:
                assert b"correct horse" not in file.read(), name


@both
def test_the_log_names_a_keychain_file_without_characters_that_change_the_direction_of_writing(it):
    it.start()
    it.run("security", "create-keychain", "-p", "sesame", "a\u202eb", check=0)
    log = read_text(it.log)
    contains(log, "a?b-db: ")
    assert "\u202e" not in log, log


def test_an_identity_is_copied_with_its_key_and_who_may_use_it(it):
    """An identity is copied with its key and who may use it; a key that must not leave is named and stays."""
    make(it, "from")
    make(it, "to")
    security(it, "import", identity(it), "-k", "from", "-P", "p12", "-T", "group://TEAM.org.example")
    security(it, "set-key-partition-list", "-S", "apple-tool:,apple:", "-k", "sesame", "from")
    # A key that does not trust the command would need an approval.
    done = it.run("chatelaine", "keychains", "copy", "--from", "from", "--to", "to", check=6)
    equal(done.out, "Copied 1 item.\n")
    contains(done.err, '"Imported Private Key": ')
    security(it, "delete-keychain", "from")
    make(it, "from")
    security(it, "import", identity(it), "-k", "from", "-P", "p12", "-A")
    security(it, "create-keypair", "-a", "ecdsa", "-k", "from", "pair")
    security(it, "import", identity(it, "Bob Example"), "-k", "from", "-P", "p12", "-x")
    security(it, "delete-keychain", "to")
    make(it, "to")
    done = it.run("chatelaine", "keychains", "copy", "--from", "from", "--to", "to", check=6)
    equal(done.out, "Copied 5 items.\n")
    contains(done.err, '"Imported Private Key": the private key never leaves the keychain service, which uses it for the program\n',
             "1 of 6 items were not copied")
    contains(security(it, "find-identity", "-v", "to").out, '"Ann Example"', "1 valid identities found")
    contains(access(it, "to"), "authorizations (7): decrypt derive encrypt export_clear export_wrapped mac sign\n")


@both
def test_chatelaine_plain_calls_all_has_a_programs_plain_calls_reach_keychain_files(it):
    """CHATELAINE_PLAIN_CALLS=all has a program's plain calls reach keychain files, and without it they do not."""
    make(it, "k")
    security(it, "default-keychain", "-s", "k")
    security(it, "list-keychains", "-d", "user", "-s", "k")
    program = it.programs.example("SharedGroup")

    def ask(verb, value=None):
        """The status of the call."""
        environment = it.environment if value is None else {**it.environment, "CHATELAINE_PLAIN_CALLS": value}
        return int(it.run(program, verb, "mail", env=environment, check=0).out.splitlines()[0].partition(" ")[2])

    def is_in_file(it):
        return "mail" in it.run("chatelaine", "list", "--keychain", "k", check=0).out

    equal(ask("add", "all"), 0)
    equal((is_in_file(it), len(it.list())), (True, 0))
    equal(ask("add", "all"), DUPLICATE)
    # Not for those who do not choose it, nor for another value.
    for value in (None, "", "ALL", "1"):
        equal(ask("find", value), NOT_FOUND)
        equal(ask("delete", value), NOT_FOUND)
    equal(ask("add"), 0)
    equal(ask("add"), DUPLICATE)
    equal((is_in_file(it), len(it.list())), (True, 1))
    equal(ask("delete"), 0)
    equal((is_in_file(it), len(it.list())), (True, 0))
    equal(ask("delete", "all"), 0)
    equal((is_in_file(it), len(it.list())), (False, 0))


def test_root_changes_the_lists_of_all_users_which_they_see_behind_their_own_and_cannot_change(it):
    if not is_root:
        pytest.skip("only root may")
    # The place is the same for all: the service and its programs run where that is a folder of this test.
    etc = os.path.join(it.scratch, "etc")
    os.mkdir(etc)
    # On memory, because an overlay cannot have its changes on another overlay. The machine's own settings are removed
    # here.
    script = """
mount --make-rprivate /
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work"
mount -t overlay -o "lowerdir=/etc,upperdir=$1/upper,workdir=$1/work" overlay /etc
rm -rf /etc/chatelaine
"""
    commands = """
for name in one two three; do security create-keychain -p x $name; done
security list-keychains -d user -s two
security list-keychains -d system -s one
security default-keychain -d system -s one
security list-keychains -d common -s three
for domain in user system common; do echo "$domain"; security list-keychains -d $domain; done
echo default; security default-keychain -d system
echo all; security list-keychains
cat /etc/chatelaine/keychains
stat -c %a /etc/chatelaine/keychains
kill $(cat "$XDG_DATA_HOME/chatelaine/store.lock")
"""
    probe = it.run("unshare", "--mount", "sh", "-ec", script, "sh", etc)
    if probe.returncode:
        pytest.skip("mounting is not allowed here: " + probe.err.strip())
    done = it.run("unshare", "--mount", "sh", "-ec", script + commands, "sh", etc, check=0)
    own, one, two, three = (f'    "{place}"\n' for place in [it.database, *(path(it, name) for name in ("one", "two", "three"))])
    equal(done.out, f"user\n{own}{two}system\n{one}common\n{three}default\n{one}all\n{own}{two}{three}"
          f"chatelaine keychain lists 1\ndefault {path(it, 'one')}\nsearch {path(it, 'one')}\ncommon {path(it, 'three')}\n644\n")


# MARK: Files that are none


@both
def test_a_damaged_a_missing_and_a_foreign_file_are_told_apart_and_left_as_they_are(it):
    make(it, "k")
    security(it, "add-generic-password", "-a", "a", "-s", "s", "-w", "p", "k")
    it.stop_detached()
    other = Instance(it.programs, it.user)
    try:
        make(other, "foreign")
        other.stop_detached()
        shutil.copy(path(other, "foreign"), path(it, "foreign"))
        it.own(path(it, "foreign"), 0o600)
    finally:
        other.remove()
    with open(path(it, "k"), "r+b") as file:
        file.write(b"\0" * 64)
    contents = {}
    for name in ("k", "foreign"):
        with open(path(it, name), "rb") as file:
            contents[name] = file.read()
        for words in (["unlock-keychain", "-p", "sesame"], ["lock-keychain"], ["show-keychain-info"]):
            security(it, *words, name, check=49)
        contains(it.run("chatelaine", "keychains", "unlock", name, check=1).err, "is not a keychain")
        equal(state(it, name), "unusable")
    security(it, "unlock-keychain", "-p", "sesame", "none", check=50)
    security(it, "find-generic-password", "-s", "s", "none", check=50)
    for name, content in contents.items():
        with open(path(it, name), "rb") as file:
            equal(file.read(), content)


@ordinary
def test_a_folder_that_cannot_be_written_to_gives_an_error_and_nothing_is_half_made(it):
    if not it.user:
        pytest.skip("only root can play an ordinary user")
    place = os.path.join(it.scratch, "read-only")
    os.mkdir(place)
    it.own(place, 0o500)
    done = security(it, "create-keychain", "-p", "x", os.path.join(place, "k"), check=195)
    contains(done.err, "security: SecKeychainCreate ")
    equal(os.listdir(place), [])


@ordinary
def test_a_file_that_only_may_be_read_is_listed_and_searched_as_far_as_that_goes_and_never_changed(it):
    if not it.user:
        pytest.skip("only root can play an ordinary user")
    place = os.path.join(it.scratch, "place")
    os.mkdir(place)
    it.own(place)
    name = os.path.join(place, "k")
    make(it, name)
    security(it, "add-generic-password", "-a", "a", "-s", "s", "-w", "p", name)
    it.stop_detached()
    with open(name, "rb") as file:
        before = file.read()
    it.own(name, 0o400)
    it.own(place, 0o500)
    done = it.run("security", "add-generic-password", "-a", "b", "-s", "s", "-w", "p", name)
    assert done.returncode != 0, "an item was added to a file that may only be read"
    with open(name, "rb") as file:
        equal(file.read(), before)
    it.own(place)


# MARK: At once, and killed


def test_of_programs_that_set_the_search_list_at_once_one_wins_and_the_list_is_whole(it):
    names = [f"k{number}" for number in range(6)]
    forward, backward = names, names[::-1]
    it.start()
    running = [it.popen("security", "list-keychains", "-s", *(forward if number % 2 else backward))
               for number in range(12)]
    equal([program.wait(timeout=60) for program in running], [0] * 12)
    searched = json.loads(it.run("chatelaine", "keychains", "search-list", "--json", check=0).out)["searchList"]
    assert searched in ([path(it, name) for name in forward], [path(it, name) for name in backward]), searched


def killed_points(it, points, change, check):
    """Kills the service at each of these system calls of a change, and checks the remaining files."""
    killed = 0
    for number, (call, count) in enumerate(points):
        _, was_killed = killed_at(it, call, count, lambda it: change(it, number))
        killed += was_killed
        # A program whose request may be repeated starts another service.
        it.end_services()
        it.start()
        check(it, number)
        equal(it.stop(), 0)
    assert killed * 2 >= len(points), f"the service was killed at {killed} of {len(points)} places only"


def outcome(done):
    """None when the service was gone."""
    return 0 if done.returncode == 0 else None


def test_a_keychain_whose_making_is_killed_is_there_and_opens_or_is_not_there(it):
    needs_root()
    it.start()
    make(it, "before")
    equal(it.stop(), 0)

    def check(it, number):
        name = f"k{number}"
        assert state(it, name) in (None, "locked"), state(it, name)
        if state(it, name):
            security(it, "unlock-keychain", "-p", "x", name)
        else:
            make(it, name, password="x")
        equal(security(it, "unlock-keychain", "-p", "sesame", "before").err, "")

    killed_points(it, [("fdatasync", 1), ("fdatasync", 3), ("fsync", 1), ("pwrite64", 9)],
                  lambda it, number: outcome(it.run("security", "create-keychain", "-p", "x", f"k{number}")), check)


def test_a_keychain_whose_change_of_password_is_killed_opens_with_the_old_one_or_the_new_one(it):
    needs_root()
    it.start()
    make(it, "k", password="p0")
    security(it, "add-generic-password", "-a", "a", "-s", "s", "-w", "p", "k")
    equal(it.stop(), 0)
    password = ["p0"]

    def check(it, number):
        statuses = [it.run("security", "unlock-keychain", "-p", word, "k").returncode
                    for word in (password[0], f"p{number + 1}")]
        # The first unlock leaves the keychain unlocked; a wrong password is still rejected.
        assert sorted(statuses) == [0, 51], statuses
        if statuses[1] == 0:
            password[0] = f"p{number + 1}"
        equal(security(it, "find-generic-password", "-s", "s", "-w", "k").out, "p\n")

    killed_points(it, [("fdatasync", 1), ("pwrite64", 2), ("pwrite64", 4)],
                  lambda it, number: outcome(
                      it.run("security", "set-keychain-password", "-o", password[0], "-p", f"p{number + 1}", "k")),
                  check)


# MARK: Copies


@both
def test_a_keychain_is_copied_deleted_and_restored_with_its_password(it):
    """A keychain is copied, deleted and restored, with its password, its items and its place on the search list."""
    make(it, "k")
    security(it, "set-keychain-settings", "-t", "60", "k")
    security(it, "add-generic-password", "-a", "a", "-s", "s", "-w", "p", "k")
    security(it, "lock-keychain", "k")
    copy = os.path.join(it.scratch, "k.copy")
    it.run("chatelaine", "keychains", "backup", "k", copy, check=0)
    equal(mode(copy), 0o600)
    before = open(copy, "rb").read()
    contains(it.run("chatelaine", "keychains", "backup", "k", copy).err, "already")
    equal(open(copy, "rb").read(), before)
    contains(it.run("chatelaine", "keychains", "restore", "k", "--from", copy).err, "already")
    security(it, "delete-keychain", "k")
    equal(os.listdir(folder(it)), ["lists"] if os.path.exists(os.path.join(folder(it), "lists")) else [])
    it.run("chatelaine", "keychains", "restore", "k", "--from", copy, check=0)
    equal(state(it, "k"), "locked")
    contains(security(it, "list-keychains").out, path(it, "k"))
    security(it, "unlock-keychain", "-p", "sesame", "k")
    equal(security(it, "show-keychain-info", "k").err, 'Keychain "k" timeout=60s\n')
    equal(security(it, "find-generic-password", "-s", "s", "-w", "k").out, "p\n")


def test_a_backup_says_that_keychain_files_are_not_in_it(it):
    it.start()
    it.set("item", "secret")
    file = os.path.join(it.scratch, "backup")
    def told(number):
        return with_password(it, "backup", f"{file}{number}", password="open sesame", option="--passphrase-fd").err
    lacks(told(1), "keychain file")
    make(it, "k")
    contains(told(2), "note: 1 keychain file is not in the backup")


def test_intact_items_of_a_damaged_keychain_are_saved_into_a_new_one_beside_it_and_the_old_one_stays(it):
    it.start()
    make(it, "k")
    for number in range(200):
        security(it, "add-generic-password", "-a", f"a{number}", "-s", "s", "-w", f"p{number}", "k")
    equal(it.stop(), 0)
    snapshots = os.path.join(folder(it), ".k-db.snapshots")
    equal([mode(os.path.join(snapshots, name)) for name in os.listdir(snapshots)], [0o600])
    size = os.path.getsize(path(it, "k"))
    with open(path(it, "k"), "r+b") as file:
        for page in [size // 2048 - 3, size // 2048 // 2]:
            file.seek(page * 2048)
            file.write(bytes(range(256)) * 8)
    damaged = open(path(it, "k"), "rb").read()
    done = with_password(it, "salvage", "--keychain", "k", password="sesame", option="--passcode-fd")
    contains(done.out, "The new keychain is " + path(it, "k.salvaged"), "was not changed")
    equal(open(path(it, "k"), "rb").read(), damaged)
    equal(sorted(name for name in os.listdir(folder(it)) if "salvage" in name), ["k.salvaged-db"])
    it.start()
    security(it, "unlock-keychain", "-p", "sesame", "k.salvaged")
    shown = security(it, "dump-keychain", "k.salvaged").out
    saved = shown.count('"acct"')
    assert 100 <= saved <= 200, done.out
    told = [int(line.split()[0]) for line in done.out.splitlines() if "items were saved" in line or "items come" in line]
    equal(sum(told), saved)
    name = next(f"a{number}" for number in range(200) if f'"a{number}"' in shown)
    equal(security(it, "find-generic-password", "-a", name, "-w", "k.salvaged").out, "p" + name[1:] + "\n")


def leave_strict_mode(it):
    """Without a passcode this takes an approval, which nothing can show here."""
    words = ["settings", "set", "require-enforced-callers", "off"]
    it.run("chatelaine", *words, check=4, start_new_session=True)
    given(it, "passcode", "set", passcode_fd="hunter2", check=0)
    given(it, *words, passcode_fd="hunter2", check=0)


def test_strict_mode_holds_in_keychain_files_too_and_off_again_it_does_not(it):
    it.start()
    make(it, "k")
    it.run("chatelaine", "set", "mail", "--keychain", "k", input=b"secret", check=0)
    for word, status in [("on", 4), ("off", 0)]:
        if word == "on":
            it.run("chatelaine", "settings", "set", "require-enforced-callers", word, check=0)
        else:
            leave_strict_mode(it)
        done = it.run("chatelaine", "get", "mail", "--keychain", "k", start_new_session=True)
        equal((done.returncode, "secret" in done.out), (status, status == 0))
        if status:
            contains(done.err, "strict mode")


STRICT_MODE = 30


def test_in_strict_mode_no_program_of_a_users_own_service_uses_a_keychain_file_without_an_approval(it):
    """A user service has no enforced programs, so each use is refused where no prompt can be shown."""
    it.start()
    make(it, "k")
    it.run("chatelaine", "set", "mail", "--keychain", "k", input=b"secret", check=0)
    mail, new = {"svce": "mail"}, {"svce": "new", "acct": "a"}
    key = {"kcls": 1, "type": 73, "bsiz": 256, "labl": "key"}
    one = struct.pack(">I", 1)
    uses = {
        "add": (ADD, attributes(new) + b"\0" + optional(block(b"planted"))),
        "find": (COPY, query(mail) + one + b"\0"),
        "list": (COPY, query({}) + struct.pack(">I", 0) + bytes([ATTRIBUTES])),
        "change": (UPDATE, query(mail) + attributes({}) + optional(block(b"changed"))),
        "generate": (KEY, b"\4" + attributes(key, 4)),
        "explain": (EXPLAIN, b"\1" + query(mail)),
        "delete": (DELETE, query(mail)),
    }
    it.run("chatelaine", "settings", "set", "require-enforced-callers", "on", check=0)
    with Client(it.socket_path) as client:
        answers = {name: client.in_keychain("k", *use) for name, use in uses.items()}
    equal({name: (answer.status, answer.reason, answer.items) for name, answer in answers.items()},
          {name: (INTERACTION_NOT_ALLOWED, STRICT_MODE, []) for name in uses})
    # The command may do no more than in the data-protection keychain.
    for words in [["list"], ["set", "new"], ["remove", "mail"]]:
        done = it.run("chatelaine", *words, "--keychain", "k", input=b"secret", check=4, start_new_session=True)
        contains(done.err, "strict mode")
    leave_strict_mode(it)
    equal(it.run("chatelaine", "get", "mail", "--keychain", "k", check=0).out, "secret\n")
    with Client(it.socket_path) as client:
        equal({name: client.in_keychain("k", *use).status for name, use in uses.items()}, dict.fromkeys(uses, 0))
