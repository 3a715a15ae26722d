# SPDX-License-Identifier: Apache-2.0
"""`chatelaine` and `security` as people and scripts use them, against the real service."""

import json
import os
import re
import shutil
import subprocess

import pytest

from support.instance import read_text, root_of_repository
from support.sentences import both, cases, contains, equal, lacks
from support.terminal import Terminal

golden = os.path.join(os.path.dirname(os.path.abspath(__file__)), "support", "golden")


def like_golden(it, text, name):
    """Compares byte for byte, but for paths, times and references. UPDATE_GOLDEN=1 writes the file instead."""
    if isinstance(text, bytes):
        text = text.decode()
    text = text.replace(it.scratch, "SCRATCH").replace(it.programs.folder, "PROGRAMS")
    text = re.sub(r'0x3\d(?:3\d){13}5A00  "\d{14}Z\\000"', r'0xTIME  "TIME\\000"', text)
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", text)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?", "TIME", text)
    text = re.sub(r'"Z2VucA?[A-Za-z0-9+/]*=*"', '"REFERENCE"', text)
    text = re.sub(r"unsigned:[0-9a-f]{64}", "unsigned:HASH", text)
    text = re.sub(r'("version": )"\d+\.\d+\.\d+"', r'\1"VERSION"', text)
    path = os.path.join(golden, name)
    if os.environ.get("UPDATE_GOLDEN"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    equal(text, read_text(path))


# MARK: chatelaine


@both
def test_a_secret_is_stored_shown_replaced_and_removed(it):
    equal(it.set("github", "first", "--user", "octo").out, 'Stored "github" (user octo).\n')
    equal(it.run("chatelaine", "get", "github", "--user", "octo", check=0).out, "first\n")
    equal(it.set("github", "second", "--user", "octo").out, 'Replaced "github" (user octo).\n')
    equal(it.get("github", "--user", "octo"), b"second")
    equal(it.run("chatelaine", "remove", "github", "--user", "octo", check=0).out, 'Removed "github" (user octo).\n')
    done = it.run("chatelaine", "get", "github", "--user", "octo", check=3)
    equal(done.out, "")
    equal(done.err, 'error: there is no item "github" (user octo)\nhint: `chatelaine list` shows the items\n')


def test_the_users_of_a_name_are_named_when_another_one_was_asked_for(it):
    it.set("github", "x", "--user", "octo")
    it.set("github", "x", "--user", "cat")
    contains(it.run("chatelaine", "get", "github", check=3).err, "hint: choose a user with --user: cat, octo\n")


@cases("what", ["all bytes", "a mebibyte", "newlines", "not UTF-8", "NUL"])
def test_any_bytes_come_back_as_they_were(it, what):
    secret = {"all bytes": bytes(range(256)), "a mebibyte": os.urandom(1 << 20), "newlines": b"\n\na\n\nb\n\n",
              "not UTF-8": b"\xff\xfe\x80", "NUL": b"\0"}[what]
    it.set("name", secret + b"\n")
    equal(it.get("name"), secret)
    equal(it.run("chatelaine", "get", "name", check=0).stdout, secret + b"\n")
    shown = json.loads(it.run("chatelaine", "get", "name", "--json", check=0).out)
    if isinstance(shown["secret"], dict):
        import base64
        equal(base64.b64decode(shown["secret"]["base64"]), secret)
    else:
        equal(shown["secret"].encode(), secret)


def test_one_newline_at_the_end_of_the_input_does_not_belong_to_the_secret_a_second_one_does(it):
    for given, kept in [(b"a", b"a"), (b"a\n", b"a"), (b"a\n\n", b"a\n"), (b"a\r\n", b"a\r"), (b" a ", b" a ")]:
        it.set("name", given)
        equal(it.get("name"), kept)


def test_an_empty_secret_is_refused_unless_it_is_wanted(it):
    for given in [b"", b"\n"]:
        done = it.run("chatelaine", "set", "name", input=given, check=1)
        equal(done.err, "error: the secret is empty\nhint: nothing was stored; add --allow-empty to store an empty secret\n")
    equal(it.list(), [])
    it.set("name", "", "--allow-empty")
    equal(it.get("name"), b"")


def test_names_of_any_language_with_spaces_quotes_and_control_characters_are_kept_and_shown_harmlessly(it):
    names = ["ünï côde", "日本語", "with space", '"quoted"', "-dash", "a/b", "line\nbreak", "esc\x1b[31m"]
    for n, name in enumerate(names):
        it.run("chatelaine", "set", "--", name, input=str(n), check=0)
        equal(it.run("chatelaine", "get", "--", name, check=0).out, f"{n}\n")
    table = it.run("chatelaine", "list", check=0).out
    lacks(table, "\x1b", "line\nbreak")
    equal(len(table.splitlines()), 9)
    contains(json.dumps([item["name"] for item in it.list()]), "esc\\u001b[31m", "line\\nbreak")


@cases("words", [
    "set", "get", "nonsense", "get a b", "set name secret", "list --unknown", "set a --user", "get --user u"])
def test_a_wrong_command_line_ends_with_64_and_a_hint_and_starts_no_service(it, words):
    done = it.run("chatelaine", *words.split(), check=64)
    equal(done.out, "")
    contains(done.err, "error: ", "hint: ")
    equal(os.listdir(it.directories["data"]), [])


def test_an_empty_name_is_refused_with_64(it):
    contains(it.run("chatelaine", "set", "", input="x", check=64).err, "error: NAME must not be empty")
    equal(it.run("chatelaine", "get", "").returncode, 64)


@cases("command", ["set", "get", "list", "status", "remove"])
def test_json_of_all_commands_is_as_it_was(it, command):
    it.set("github", "secret", "--user", "octo", "--comment", "a note")
    it.set("zulu", b"\xff\0")
    words = {"set": ["set", "new"], "get": ["get", "github", "--user", "octo"], "list": ["list"], "status": ["status"],
             "remove": ["remove", "zulu"]}[command]
    out = it.run("chatelaine", *words, "--json", input="secret", check=0).stdout
    json.loads(out)
    out = re.sub(rb'("(?:keys in memfd_secret)[^"]*?: )[^"]*', rb"\1DEPENDS", out)
    # The look at the contents may be over, or not.
    out = re.sub(rb'("contents": )"(?:as-left|not-looked-at)"', rb'\1"CONTENTS"', out)
    like_golden(it, out, f"{command}.json")


def test_the_table_of_list_is_as_it_was_in_order_without_colours_in_a_pipe(it):
    for name in ["zulu", "alpha", "mike"]:
        it.set(name, "secret", "--user", "ann" if name == "mike" else "")
    out = it.run("chatelaine", "list", check=0).stdout
    like_golden(it, out, "list.txt")
    equal(it.run("chatelaine", "list", "MIK", check=0).out.count("\n"), 2)


@cases("command", ["", "set", "get", "list", "remove", "status", "generate", "strength"])
def test_help_is_shown_for_each_command_on_standard_output(it, command):
    out = it.run("chatelaine", "help", *command.split(), check=0).out
    contains(out, f"USAGE: chatelaine {command}".strip())
    equal(it.run("chatelaine", *command.split(), "--help", check=0).out, out)
    equal(os.listdir(it.directories["data"]), [])


def test_output_to_a_full_device_is_an_error_and_not_a_crash(it):
    it.set("name", "secret")
    with open("/dev/full", "wb") as full:
        client = it.popen("chatelaine", "get", "name", stdout=full, stderr=subprocess.PIPE)
        error = client.communicate(timeout=60)[1].decode()
    equal(client.returncode, 1)
    contains(error, "error: ")
    lacks(error, "secret", "Fatal")


def test_output_to_a_pipe_without_a_reader_ends_without_noise(it):
    it.set("name", os.urandom(1 << 20))
    done = it.run("/bin/bash", "-c", 'chatelaine get name | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}"', check=0)
    assert done.out.strip() in ("0", "1", "141"), done.out
    lacks(done.err, "Fatal", "Crash")


def test_closed_standard_streams_do_no_harm(it):
    it.set("name", "secret")
    it.run("/bin/bash", "-c", "chatelaine get name <&- 2>&-", check=0)
    done = it.run("/bin/bash", "-c", "chatelaine get name >&-; echo $?")
    lacks(done.out, "secret")
    it.run("/bin/bash", "-c", "exec chatelaine set name <&-", check=1)
    equal(it.get("name"), b"secret")


# MARK: Passwords of the web, export and import


apple = """Title,URL,Username,Password,Notes,OTPAuth
Example,https://example.org/login,ann,"p,""w",a note,
Router,,admin,s3cret,,otpauth://totp/Router?secret=ABC
"""


def test_a_password_of_the_web_is_stored_shown_and_removed_by_its_url_or_its_server(it):
    it.run("chatelaine", "set", "--url", "https://Example.org/", "-u", "ann", input="web", check=0)
    equal(it.run("chatelaine", "get", "--url", "https://example.org:443", "-u", "ann", check=0).out, "web\n")
    equal(it.run("chatelaine", "get", "--server", "EXAMPLE.org", "-u", "ann", check=0).out, "web\n")
    equal(security(it, "find-internet-password", "-s", "example.org", "-r", "htps", "-w").out, "web\n")
    it.run("chatelaine", "set", "--url", "https://example.org:8443", "-u", "ann", input="other", check=0)
    contains(it.run("chatelaine", "remove", "--server", "example.org", "-u", "ann", check=1).err,
             "choose one with --url: https://example.org, https://example.org:8443\n")
    it.run("chatelaine", "remove", "--url", "https://example.org", "-u", "ann", check=0)
    equal([item["name"] for item in it.list()], ["https://example.org:8443"])


def test_import_reports_first_stores_once_and_overwrites_only_when_told_to(it):
    def read(text, *words, check=0):
        return it.run("chatelaine", "import", *words, input=text, check=check)
    contains(read(apple, "--dry-run").out, "3 to add", "nothing was changed")
    equal(it.list(), [])
    equal(read(apple).out, "3 added, 0 replaced, 0 already stored, 0 in conflict, 0 invalid\n")
    equal(read(apple).out, "0 added, 0 replaced, 3 already stored, 0 in conflict, 0 invalid\n")
    changed = apple.replace("s3cret", "new")
    contains(read(changed, check=6).out, 'line 3: conflict: "Router" (user admin): stored with a different secret\n')
    equal(it.get("Router", "-u", "admin"), b"s3cret")
    contains(read(changed, "--replace").out, "0 added, 1 replaced, 2 already stored")
    equal(it.get("Router", "-u", "admin"), b"new")
    lacks(json.dumps(it.list()), "ABC")


def test_import_reads_pipes(it):
    it.run("/bin/bash", "-c", 'chatelaine import <(printf %s "$1")', "bash", apple, check=0)
    equal(len(it.list()), 3)
    contains(it.run("chatelaine", "import", "/dev/stdin", input=apple, check=0).out, "3 already stored")


def test_a_bad_file_stores_nothing_and_the_error_names_the_line_and_no_secret(it):
    for text, line in [(apple + '"hidden', 4), (apple.encode() + b"\xffhidden\n", 4), (apple + "hidden,row\n", 4)]:
        done = it.run("chatelaine", "import", input=text, check=1)
        contains(done.out + done.err, f"line {line}: ", "error: ")
        lacks(done.out + done.err, "hidden")
        equal(it.list(), [])


@cases("form", ["json", "apple", "chrome"])
def test_export_writes_that_import_reads_again_in_another_keychain(it, form):
    it.run("chatelaine", "import", input=apple.replace(",otpauth://totp/Router?secret=ABC", ","), check=0)
    path = os.path.join(it.directories["home"], "passwords")
    done = it.run("chatelaine", "export", path, "--format", form, check=0)
    contains(done.err, "Exported 2 passwords to ", "Any process that can read the file can read the passwords.\n")
    equal(os.stat(path).st_mode & 0o777, 0o600)
    contains(it.run("chatelaine", "export", path, check=1).err, "File exists", "--force")
    equal(it.run("chatelaine", "import", path, check=0).out,
          "0 added, 0 replaced, 2 already stored, 0 in conflict, 0 invalid\n")
    for words in [["--url", "https://example.org/login", "-u", "ann"], ["Router", "-u", "admin"]]:
        it.run("chatelaine", "remove", *words, check=0)
    equal(it.run("chatelaine", "import", path, check=0).out,
          "2 added, 0 replaced, 0 already stored, 0 in conflict, 0 invalid\n")
    equal(it.run("chatelaine", "get", "--url", "https://example.org/login", "-u", "ann", check=0).out, 'p,"w\n')


def test_every_attribute_of_both_classes_comes_back_from_json_as_it_was(it):
    common = {"account": "zoë\u0301", "label": {"base64": "AP8="}, "comment": "a\nb", "description": "kind", "creator": 1,
              "type": -7, "isInvisible": 1, "isNegative": 0, "scriptCode": 5, "alias": "alias", "hasCustomIcon": 0,
              "isProtected": {"base64": ""}, "syncViewHint": "view"}
    items = [
        {"class": "genp", "attributes": {**common, "service": {"base64": "c2VydmljZQ=="}, "generic": 9,
                                         "synchronizable": True, "accessible": "ck"}, "secret": "text"},
        {"class": "genp", "attributes": {"service": "s", "synchronizable": False, "accessible": "cku",
                                         "accessControl": {"accessible": "cku", "flags": 0}}, "secret": {"base64": "/wA="}},
        {"class": "inet", "attributes": {**common, "server": "example.org", "securityDomain": "d", "protocol": "htps",
                                         "authenticationType": "form", "port": 8443, "path": "/p",
                                         "synchronizable": False, "accessible": "dku"}, "secret": ""},
    ]
    document = {"format": "chatelaine-passwords", "version": 1, "items": items}
    it.run("chatelaine", "import", input=json.dumps(document), check=0)
    exported = json.loads(it.run("chatelaine", "export", check=0).out)
    equal((exported["format"], exported["version"]), ("chatelaine-passwords", 1))
    for item in exported["items"]:
        for name in ["accessGroup", "creationDate", "modificationDate"]:
            assert item["attributes"].pop(name)
        # An item that is stored without one has this account.
        if item["attributes"].get("account") == "":
            del item["attributes"]["account"]
    text = lambda item: json.dumps(item, sort_keys=True)
    equal(sorted(map(text, exported["items"])), sorted(map(text, items)))
    equal(it.run("chatelaine", "import", input=json.dumps(document), check=0).out,
          "0 added, 0 replaced, 3 already stored, 0 in conflict, 0 invalid\n")


def test_items_of_other_programs_are_counted_by_an_export_and_never_in_it(it):
    it.set("mine", "visible")
    # In another place the same file is any program.
    other = it.programs.copy(it.program("chatelaine"), os.path.join(it.scratch, "other"))
    it.run(other, "set", "foreign", input="hidden", check=0)
    done = it.run("chatelaine", "export", check=6)
    contains(done.err, "error: the export is incomplete: 1 belong to other programs\n")
    contains(done.out, "visible")
    lacks(done.out, "hidden", "foreign")
    equal(it.run("chatelaine", "export", "--own", check=0).out, done.out)


def test_export_shows_nothing_on_a_terminal_unless_it_is_asked_to(it):
    it.set("name", "s3cret")
    with Terminal(it, "chatelaine", "export") as terminal:
        equal(terminal.end(), 64)
        contains(terminal.shown, "the passwords would be shown on the terminal")
        lacks(terminal.shown, "s3cret")
    with Terminal(it, "chatelaine", "export", "--to-terminal") as terminal:
        equal(terminal.end(), 0)
        contains(terminal.shown, "s3cret")


# MARK: On a terminal


@both
def test_on_a_terminal_a_secret_is_asked_for_twice_and_not_shown(it):
    with Terminal(it, "chatelaine", "set", "name", "--user", "ann") as terminal:
        terminal.expect('Secret for "name" (user ann): ')
        terminal.expect_silence()
        terminal.type("s3cret\n")
        terminal.expect("Once more: ")
        terminal.expect_silence()
        terminal.type("s3cret\n")
        equal(terminal.end(), 0)
        contains(terminal.shown, 'Stored "name" (user ann).')
        lacks(terminal.shown, "s3cret")
        assert terminal.echoes(), "the terminal shows nothing any more"
    equal(it.get("name", "--user", "ann"), b"s3cret")


def test_who_types_a_weak_secret_is_told_so_and_offered_another_one_and_it_is_stored_as_it_is(it):
    with Terminal(it, "chatelaine", "set", "name") as terminal:
        for question in ["Secret for", "Once more: "]:
            terminal.expect(question)
            terminal.expect_silence()
            terminal.type("letmein\n")
        equal(terminal.end(), 0)
        contains(terminal.shown, "Strength: very weak, ", "hint: add another word or two", "such as ")
        lacks(terminal.shown, "letmein")
    equal(it.get("name"), b"letmein")


def test_the_strength_of_a_typed_password_is_told_and_the_password_is_not_shown(it):
    with Terminal(it, "chatelaine", "strength") as terminal:
        terminal.expect("Password: ")
        terminal.expect_silence()
        terminal.type("letmein\n")
        equal(terminal.end(), 0)
        contains(terminal.shown, "Strength: very weak, ", "one of the 100 most used passwords")
        lacks(terminal.shown, "letmein")
        assert terminal.echoes(), "the terminal shows nothing any more"


def test_a_generated_password_goes_through_a_pipe_into_the_keychain_and_needs_none_to_be_made(it):
    password = it.run("chatelaine", "generate", "--memorable", check=0).stdout
    equal(len(password), 29)
    equal(os.listdir(it.directories["data"]), [])
    it.run("chatelaine", "set", "name", input=password, check=0)
    equal(it.get("name"), password.rstrip(b"\n"))


def test_two_entries_that_differ_store_nothing(it):
    with Terminal(it, "chatelaine", "set", "name") as terminal:
        terminal.expect("Secret for")
        terminal.expect_silence()
        terminal.type("one\n")
        terminal.expect("Once more: ")
        terminal.expect_silence()
        terminal.type("two\n")
        equal(terminal.end(), 1)
        contains(terminal.shown, "the two entries differ", "nothing was stored")
        assert terminal.echoes()
    equal(it.list(), [])


@cases("how", ["Ctrl-C", "Ctrl-\\", "Ctrl-D", "SIGTERM", "SIGHUP"])
def test_at_the_prompt_gives_the_terminal_back_and_stores_nothing(it, how):
    with Terminal(it, "chatelaine", "set", "name") as terminal:
        terminal.expect("Secret for")
        terminal.expect_silence()
        keys = {"Ctrl-C": "half\x03", "Ctrl-\\": "half\x1c", "Ctrl-D": "\x04"}
        if how in keys:
            terminal.type(keys[how])
        else:
            terminal.signal(how)
        assert terminal.end() != 0
        assert terminal.echoes(), "the terminal shows nothing any more"
        lacks(terminal.shown, "half")
    equal(it.list(), [])


def test_a_secret_with_spaces_and_other_scripts_can_be_typed_and_backspace_corrects_it(it):
    with Terminal(it, "chatelaine", "set", "name") as terminal:
        for question in ["Secret for", "Once more: "]:
            terminal.expect(question)
            terminal.expect_silence()
            terminal.type(" pässword x\x7fy \n")
        equal(terminal.end(), 0)
    equal(it.get("name"), " pässword y ".encode())


def test_security_add_generic_password_w_asks_twice_on_the_terminal(it):
    with Terminal(it, "security", "add-generic-password", "-a", "a", "-s", "s", "-w") as terminal:
        terminal.expect("password data for new item: ")
        terminal.expect_silence()
        terminal.type("p\n")
        terminal.expect("retype password for new item: ")
        terminal.expect_silence()
        terminal.type("p\n")
        equal(terminal.end(), 0)
    equal(it.run("security", "find-generic-password", "-s", "s", "-w", check=0).out, "p\n")


def test_headings_and_errors_are_set_off_on_a_terminal_and_not_with_no_color_or_on_a_dumb_one(it):
    it.set("name", "x")
    for words, more, styled in [
        (["list"], {"TERM": "xterm"}, True), (["get", "none"], {"TERM": "xterm"}, True),
        (["list"], {"TERM": "xterm", "NO_COLOR": "1"}, False), (["list"], {"TERM": "dumb"}, False),
    ]:
        with Terminal(it, "chatelaine", *words, **more) as terminal:
            terminal.end()
            equal((words, more, "\x1b[1" in terminal.shown), (words, more, styled))


# MARK: security


def security(it, *words, check=0, input=b""):
    return it.run("security", *words, check=check, input=input)


def test_c150_a_missing_item_exits_with_44_and_apples_message(it):
    done = security(it, "find-generic-password", "-s", "none", check=44)
    equal(done.out, "")
    equal(done.err, "security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.\n")


def test_c151_a_second_addition_exits_with_45_with_u_it_exits_with_0_and_the_data_is_new(it):
    add = ["add-generic-password", "-a", "a", "-s", "s"]
    security(it, *add, "-w", "p")
    done = security(it, *add, "-w", "q", check=45)
    equal(done.err, "security: SecKeychainItemCreateFromContent (<default>): "
                    "The specified item already exists in the keychain.\n")
    equal(security(it, *add, "-w", "q", "login.keychain", check=45).err,
          "security: SecKeychainItemCreateFromContent (login.keychain): "
          "The specified item already exists in the keychain.\n")
    equal(security(it, "find-generic-password", "-s", "s", "-w").out, "p\n")
    security(it, *add, "-w", "q", "-U")
    equal(security(it, "find-generic-password", "-s", "s", "-w").out, "q\n")


def test_c152_w_prints_the_password_and_a_newline_or_hexadecimal_digits(it):
    security(it, "add-generic-password", "-a", "a", "-s", "s", "-w", "p")
    security(it, "add-generic-password", "-a", "a", "-s", "x", "-X", "00ff")
    equal(security(it, "find-generic-password", "-a", "a", "-s", "s", "-w").out, "p\n")
    equal(security(it, "find-generic-password", "-a", "a", "-s", "x", "-w").out, "00ff\n")


def test_c153_the_listing_is_apples_byte_for_byte_and_g_adds_the_password_on_standard_error(it):
    security(it, "add-generic-password", "-a", "ann", "-s", "service", "-w", "p", "-c", "note", "-C", "aapl",
             "-D", "a kind", "-G", "generic value", "-j", "a comment", "-l", "a label")
    done = security(it, "find-generic-password", "-s", "service", "-g")
    equal(done.err, 'password: "p"\n')
    like_golden(it, done.stdout, "listing-full.txt")
    security(it, "add-generic-password", "-a", "zoë", "-s", "plain", "-X", "00ff70")
    done = security(it, "find-generic-password", "-s", "plain", "-g")
    equal(done.err, 'password: 0x00FF70  "\\000\\377p"\n')
    like_golden(it, done.stdout, "listing-plain.txt")


def test_c154_delete_without_criteria_is_wrong_usage_with_a_match_it_lists_the_item_and_deletes_it(it):
    security(it, "add-generic-password", "-a", "a", "-s", "s", "-w", "p")
    done = security(it, "delete-generic-password", check=2)
    equal(done.out, "")
    contains(done.err, "Usage: delete-generic-password ")
    listing = security(it, "find-generic-password", "-s", "s").out
    done = security(it, "delete-generic-password", "-s", "s")
    equal((done.out, done.err), (listing, "password has been deleted.\n"))
    equal(security(it, "delete-generic-password", "-s", "s", check=44).out, "")


def test_c151_for_internet_passwords_a_second_addition_exits_with_45(it):
    """C151 for internet passwords: a second addition exits with 45; with -U it exits with 0 and the data is new."""
    add = ["add-internet-password", "-a", "a", "-s", "example.org", "-r", "htps"]
    security(it, *add, "-w", "p")
    done = security(it, *add, "-w", "q", check=45)
    equal(done.err, "security: SecKeychainAddInternetPassword <NULL>: "
                    "The specified item already exists in the keychain.\n")
    security(it, *add, "-P", "8443", "-w", "other port")
    security(it, *add, "-w", "q", "-U")
    find = ["find-internet-password", "-s", "example.org", "-r", "htps", "-w"]
    equal(security(it, *find, "-P", "0").out, "q\n")
    equal(security(it, *find, "-P", "8443").out, "other port\n")
    equal(len(it.list()), 2)


def test_c150_c152_to_c154_for_internet_passwords_found_items_are_listed_shown_and_deleted_as_on_a_mac(it):
    done = security(it, "find-internet-password", "-s", "none", check=44)
    equal(done.err, "security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.\n")
    security(it, "add-internet-password", "-a", "ann", "-s", "example.org", "-w", "p", "-c", "note", "-C", "aapl",
             "-d", "a domain", "-D", "a kind", "-j", "a comment", "-l", "a label", "-p", "/path", "-P", "8443",
             "-r", "htps", "-t", "form")
    done = security(it, "find-internet-password", "-s", "example.org", "-g")
    equal(done.err, 'password: "p"\n')
    like_golden(it, done.stdout, "listing-internet-full.txt")
    security(it, "add-internet-password", "-a", "zoë", "-s", "plain", "-X", "00ff")
    like_golden(it, security(it, "find-internet-password", "-s", "plain").stdout, "listing-internet-plain.txt")
    equal(security(it, "find-internet-password", "-a", "zoë", "-w").out, "00ff\n")
    equal(security(it, "delete-internet-password", check=2).out, "")
    listing = security(it, "find-internet-password", "-s", "plain").out
    done = security(it, "delete-internet-password", "-s", "plain")
    equal((done.out, done.err), (listing, "password has been deleted.\n"))
    security(it, "find-internet-password", "-s", "plain", check=44)


def test_dump_keychain_lists_every_item_with_d_and_the_passwords_that_it_may_read(it):
    equal(security(it, "dump-keychain").out, "")
    security(it, "add-internet-password", "-a", "a", "-s", "h", "-w", "web")
    security(it, "add-generic-password", "-a", "a", "-s", "s", "-w", "plain")
    like_golden(it, security(it, "dump-keychain", "-a", "-d").stdout, "dump.txt")
    lacks(security(it, "dump-keychain").out, "data:", "plain")
    path = os.path.join(it.directories["home"], "dump")
    equal(security(it, "dump-keychain", "-d", "-o", path).out, "")
    equal(read_text(path), security(it, "dump-keychain", "-d").out)
    equal(os.stat(path).st_mode & 0o777, 0o600)
    equal(security(it, "dump-keychain", "-r", check=1).err,
          "security: dump-keychain: the encrypted data of items never leaves the service\n")


def test_c155_default_keychain_prints_one_line_four_spaces_and_a_quoted_path(it):
    for command in ["default-keychain", "login-keychain", "list-keychains"]:
        equal(security(it, command).out, f'    "{it.database}"\n')


@cases("words", [
    "unlock-keychain -p wrong k", "show-keychain-info k", "set-keychain-settings k", "delete-keychain k"])
def test_a_keychain_that_is_not_there_is_said_to_be_missing_by_exit_status_50(it, words):
    done = security(it, *words.split(), check=50)
    equal(done.out, "")
    contains(done.err, "The specified keychain could not be found.")


@cases("words, alternative", [
    ("cms -D", "openssl cms"), ("execute-with-privileges /bin/sh", "pkexec"), ("add-trusted-cert c.pem", "trust anchor")])
def test_commands_that_make_no_sense_here_say_what_there_is_in_their_place_and_exit_with_1(it, words, alternative):
    done = security(it, *words.split(), check=1)
    equal(done.out, "")
    contains(done.err, f"security: {words.split()[0]}: ", alternative)


def openssl(it, *words):
    return it.run("openssl", *words, check=0).stdout


def test_certificates_that_openssl_wrote_are_stored_found_and_printed_as_they_were(it):
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl")
    key, der, pem = (os.path.join(it.scratch, name) for name in ("key.pem", "c.der", "c.pem"))
    openssl(it, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-keyout", key,
            "-out", pem, "-days", "30", "-subj", "/O=Example/CN=Ann Example", "-addext",
            "subjectAltName=email:ann@example.com")
    openssl(it, "x509", "-in", pem, "-outform", "DER", "-out", der)
    digits = openssl(it, "x509", "-in", pem, "-noout", "-fingerprint", "-sha1").decode().split("=")[1]
    digits = digits.strip().replace(":", "")
    security(it, "add-certificates", der)
    equal(security(it, "add-certificates", "-k", "login.keychain", pem, check=1).err,
          f"{pem}: already in login.keychain\n")
    equal(security(it, "find-certificate", "-c", "ann", "-p").out, read_text(pem))
    contains(security(it, "find-certificate", "-Z", "-e", "ann@example.com").out, f"SHA-1 hash: {digits}\nkeychain: ")
    security(it, "find-certificate", "-c", "nobody", check=44)
    shown = json.loads(it.run("chatelaine", "certificates", "show", "Ann Example", "--json", check=0).out)
    equal((shown["sha1"], shown["validity"], shown["identity"]), (digits.lower(), "valid", False))
    contains(it.run("chatelaine", "certificates", check=0).out, "Ann Example")
    contains(security(it, "find-identity", "-v").out, "     0 valid identities found\n")
    security(it, "delete-certificate", "-Z", digits)
    security(it, "find-certificate", check=44)


def test_a_pair_of_keys_is_made_listed_and_removed_and_its_public_half_is_one_for_openssl(it):
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl")
    security(it, "create-keypair", "-a", "ecdsa", "-s", "384", "mine")
    equal([key["kind"] for key in json.loads(it.run("chatelaine", "keys", "--json", check=0).out)],
          ["private key, elliptic curve, 384 bits", "public key, elliptic curve, 384 bits"])
    contains(security(it, "find-key", "-t", "private", "-l", "mine").out, "class: 0x00000010 \n")
    security(it, "find-key", "-t", "symmetric", check=1)
    contains(it.run("chatelaine", "keys", "remove", "mine", check=1).err, "--private or --public")
    public = it.run("chatelaine", "keys", "show", "mine", "--private", "--pem", check=0).out
    equal(it.run("chatelaine", "keys", "show", "mine", "--public", "--pem", check=0).out, public)
    path = os.path.join(it.scratch, "public.pem")
    with open(path, "w", encoding="ascii") as file:
        file.write(public)
    contains(openssl(it, "pkey", "-pubin", "-in", path, "-noout", "-text").decode(), "Public-Key: (384 bit)")
    it.run("chatelaine", "keys", "remove", "mine", "--private", check=0)
    equal([key["kind"] for key in json.loads(it.run("chatelaine", "keys", "--json", check=0).out)],
          ["public key, elliptic curve, 384 bits"])


def test_c159_error_prints_number_and_message_and_exits_with_1_always(it):
    out = security(it, "error", "-25300", "0xFFFF9D2C", "0", check=1).out
    lines = out.splitlines()
    equal(lines[0], "Error: 0xFFFF9D2C -25300 The specified item could not be found in the keychain.")
    equal(lines[1], lines[0])
    contains(lines[2], "Error: 0x00000000 0 ")


def test_c160_an_unknown_command_exits_with_1_no_command_prints_the_usage_and_exits_with_2(it):
    equal(security(it, "frobnicate", check=1).err, 'security: unknown command "frobnicate"\n')
    done = security(it, check=2)
    equal(done.err, "")
    like_golden(it, done.stdout, "usage.txt")
    contains(done.out, "Usage: security [-h] [-i]", "add-generic-password")


def test_help_prints_the_table_of_commands_and_commands_may_be_shortened(it):
    out = security(it, "help").out
    contains(out, "    find-generic-password ")
    contains(security(it, "help", "find-generic-p").out, "Usage: find-generic-password ")
    equal(security(it, "find-g", "-s", "none", check=44).out, "")


def test_interactive_mode_runs_a_line_at_a_time_reports_failures_and_ends_with_the_last_result(it):
    done = security(it, "-i", input=b"add-generic-password -a 'a b' -s s -w \"p \\\" q\"\n"
                    b"find-generic-password -s none\nfind-generic-password -s s -w\n")
    equal(done.out, 'p " q\n')
    equal(done.err, "security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.\n"
                    "find-generic-password: returned -25300\n")
    done = security(it, "-qi", input=b"find-generic-password -s none\n", check=44)
    lacks(done.err, "returned")


def test_without_a_terminal_w_at_the_end_takes_two_lines_of_standard_input(it):
    done = it.run("setsid", "--wait", it.program("security"), "add-generic-password", "-a", "a", "-s", "s", "-w",
                  input="p\np\n", check=0)
    contains(done.err, "password data for new item: ", "retype password for new item: ")
    equal(security(it, "find-generic-password", "-s", "s", "-w").out, "p\n")
    done = it.run("setsid", "--wait", it.program("security"), "add-generic-password", "-a", "b", "-s", "s", "-w",
                  input="p\nq\np\nq\np\nq\n", check=1)
    contains(done.err, "passwords don't match")


def test_both_names_see_the_same_items(it):
    security(it, "add-generic-password", "-a", "a", "-s", "s", "-w", "p")
    equal(it.get("s", "--user", "a"), b"p")
    it.set("name", "secret", "--user", "u")
    equal(it.run("chatelaine", "security", "find-generic-password", "-s", "name", "-w", check=0).out, "secret\n")


def test_there_is_no_other_keychain_and_that_is_exit_status_50(it):
    done = security(it, "find-generic-password", "-s", "s", "/nowhere/other.keychain", check=50)
    contains(done.err, "security: ")


# MARK: The files installed beside it


def test_the_completion_script_for_bash_loads_and_completes_chatelaine(it):
    script = it.run("chatelaine", "--generate-completion-script", "bash", check=0).stdout
    path = os.path.join(it.scratch, "completion")
    with open(path, "wb") as file:
        file.write(script)
    it.run("/bin/bash", "-n", path, check=0)
    done = it.run("/bin/bash", "--norc", "-c", f"source '{path}' && complete -p chatelaine", check=0)
    contains(done.out, "complete ", " chatelaine")
    equal(done.err, "")
    done = it.run("/bin/bash", "--norc", "-c", f"""
        source '{path}'
        function=$(complete -p chatelaine | sed -n 's/.*-F \\([^ ]*\\).*/\\1/p')
        COMP_WORDS=(chatelaine rem) COMP_CWORD=1 COMP_LINE='chatelaine rem' COMP_POINT=14
        "$function" chatelaine rem chatelaine
        printf '%s\\n' "${{COMPREPLY[@]}}"
        """, check=0)
    equal(done.out.split(), ["remove"])


@cases("shell", ["zsh", "fish"])
def test_the_completion_scripts_for_load(it, shell):
    script = it.run("chatelaine", "--generate-completion-script", shell, check=0).stdout
    assert script
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    path = os.path.join(it.scratch, "completion")
    with open(path, "wb") as file:
        file.write(script)
    it.run(shell, "-n", path, check=0)


@cases("page", [
    "chatelaine.1", "chatelaine-codesign.1", "chatelaine-enforce.8", "chatelaine-portal.8", "chatelaine-secrets.8",
    "chatelaine-secrets-import.8", "chatelaine-security.1", "chatelaine-ssh-agent.1", "chatelained.8"])
def test_the_manual_page_renders_without_warnings(it, page):
    path = os.path.join(root_of_repository, "Documentation/man", page)
    if not shutil.which("groff"):
        pytest.skip("groff is not installed")
    done = subprocess.run(["groff", "-mdoc", "-Tutf8", "-ww", path], capture_output=True, text=True)
    equal((done.returncode, done.stderr), (0, ""))
    # Bold and underlined letters are overstruck.
    contains(re.sub(".\b", "", done.stdout), "NAME", "SYNOPSIS", "DESCRIPTION")
