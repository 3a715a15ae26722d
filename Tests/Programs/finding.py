# SPDX-License-Identifier: Apache-2.0
"""Finding, copying, editing and one-time passwords, as people use them on the command line."""

import base64
import json
import os
import signal

from support.instance import read_text, wait_until
from support.sentences import both, cases, contains, equal, lacks
from support.terminal import Terminal

SECRET = "hunter2-clip"
SEED = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

# Programs for a clipboard that is a file. Each one notes its arguments.
TOOLS = {
    "wl-copy": """case " $* " in *" --clear "*) rm -f "$CLIP"; exit 0;; *" --sensitive "*) [ -z "$OLD" ] || exit 1;; esac
cat > "$CLIP.new" && mv "$CLIP.new" "$CLIP"
""",
    "wl-paste": '[ -f "$CLIP" ] || exit 1; cat "$CLIP"\n',
    "xclip": """case " $* " in *" -out "*) [ -s "$CLIP" ] || exit 1; cat "$CLIP"; exit 0;; esac
cat > "$CLIP.new" && mv "$CLIP.new" "$CLIP"
""",
    "xsel": """case " $* " in *" --output "*) cat "$CLIP"; exit 0;; *" --clear "*) rm -f "$CLIP"; exit 0;; esac
cat > "$CLIP.new" && mv "$CLIP.new" "$CLIP"
""",
}


class Clip:
    """A clipboard, and the environment of the programs that use it."""

    def __init__(self, it, *tools, **variables):
        self.it = it
        folder = os.path.join(it.scratch, "tools")
        os.mkdir(folder)
        it.own(folder, 0o755)
        self.path = os.path.join(folder, "clip")
        for name in tools:
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f'#!/bin/sh\necho "{name} $*" >> "$CLIP.log"\n{TOOLS[name]}')
            it.own(path, 0o755)
        # The tools' folder is the only one with programs for a clipboard.
        self.variables = {"CLIP": self.path, "PATH": f"{it.programs.folder}:{folder}:/usr/bin:/bin", **variables}
        self.environment = {**it.environment, **self.variables}

    def put(self, text):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)
        self.it.own(self.path, 0o644)

    def text(self):
        return read_text(self.path) if os.path.exists(self.path) else None

    def log(self):
        return read_text(self.path + ".log")

    def copy(self, *words, check=0):
        return self.it.run("chatelaine", "copy", *words, env=self.environment, check=check)


def keepers(it):
    """The processes that keep this instance's clipboard."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if words[1:2] == [b"clipboard-keeper"] and words[0].startswith(it.programs.folder.encode()):
            found.append(int(name))
    return found


def end_keeper(it):
    """Has the keeper finish at once."""
    for number in keepers(it):
        os.kill(number, signal.SIGTERM)
    wait_until(lambda: not keepers(it), what="the keeper's end")


def web(it, url, secret, *more):
    it.run("chatelaine", "set", "--url", url, *more, input=secret, check=0)


# MARK: Finding


@both
def test_a_word_finds_the_only_item_by_its_title_server_url_user_or_a_part(it):
    web(it, "https://git.example.org/login", "secret", "--user", "octo", "--label", "The Forge")
    it.set("mail", "other", "--user", "ann")
    for word in ["git.example.org", "https://GIT.example.org/other", "the forge", "octo", "forge", "git"]:
        equal(it.run("chatelaine", "get", word, check=0).out, "secret\n")
        equal(it.run("chatelaine", "get", word, "--exact", check=3).out, "")
    equal(it.run("chatelaine", "get", "mail", check=0).out, "other\n")
    contains(it.run("chatelaine", "show", "forge", check=0).out, "https://git.example.org/login")
    contains(it.run("chatelaine", "list", "forge", check=0).out, "TITLE", "The Forge")
    contains(it.run("chatelaine", "explain", "forge", check=0).out, "a part", "the word means it")
    it.run("chatelaine", "remove", "forge", check=3)
    it.run("chatelaine", "remove", "the forge", check=0)
    equal([item["name"] for item in it.list()], ["mail"])


@both
def test_a_part_is_found_after_each_change_and_not_while_the_keychain_is_locked(it):
    web(it, "https://git.example.org/login", "secret", "--user", "octo", "--label", "Café Forge")
    it.set("mail", "other", "--user", "ann")

    def get(word, check=0):
        return it.run("chatelaine", "get", word, start_new_session=True, check=check)

    # The second search reads the texts that the first one kept.
    for _ in range(2):
        for word in ["cafe f", "AFÉ", "xample.o", "ogin", "tps://git"]:
            equal(get(word).out, "secret\n")
    it.run("chatelaine", "rename", "café forge", "Smithy", check=0)
    get("cafe", check=3)
    equal(get("mith").out, "secret\n")
    it.set("blacksmith", "third", "--user", "bob")
    contains(get("mith", check=3).err, "2 items match")
    it.run("chatelaine", "remove", "blacksmith", "--user", "bob", check=0)
    equal(get("mith").out, "secret\n")
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    it.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input="sesame", check=0)
    equal(get("mith").out, "secret\n")
    it.run("chatelaine", "lock", check=0)
    for word in ["mith", "no item"]:
        done = get(word, check=4)
        equal(done.out, "")
        contains(done.err, "locked")
    it.run("chatelaine", "unlock", "--passcode-fd", "0", input="sesame", check=0)
    equal(get("mith").out, "secret\n")


def test_several_matches_are_listed_and_chosen_by_number_on_a_terminal(it):
    web(it, "https://git.example.org", "one", "--user", "octo")
    web(it, "https://git.example.net", "two", "--user", "cat")
    done = it.run("chatelaine", "get", "git", check=3)
    equal(done.out, "")
    contains(done.err, "1  https://git.example.net", "2  https://git.example.org", "but 2 items match", "--user")
    with Terminal(it, "chatelaine", "get", "git") as terminal:
        terminal.expect("Number of the item, 1 to 2: ")
        assert terminal.echoes(), "a number is no secret"
        terminal.type("2\n")
        terminal.expect("one")
        equal(terminal.end(), 0)
        lacks(terminal.shown, "two")


def test_an_exact_item_that_is_locked_or_denied_is_not_replaced_by_another_one(it):
    it.set("forge", "secret", "--private")
    it.set("other", "other", "--label", "Forge")
    equal(it.run("chatelaine", "get", "forge", start_new_session=True).returncode, 4)
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    it.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input="sesame", check=0)
    it.run("chatelaine", "lock", check=0)
    for word in ["forge", "other"]:
        done = it.run("chatelaine", "get", word, start_new_session=True, check=4)
        equal(done.out, "")


# MARK: Copying


@both
def test_a_secret_is_in_the_clipboard_for_a_time_and_never_in_an_argument(it):
    clip = Clip(it, "wl-copy", "wl-paste", WAYLAND_DISPLAY="none")
    it.set("mail", SECRET, "--user", "ann")
    clip.put("earlier")
    equal(clip.copy("mail", "--timeout", "3600").out,
          'Copied "mail" (user ann). The clipboard is restored in 3600 seconds.\n')
    equal(clip.text(), SECRET)
    for number in keepers(it):
        with open(f"/proc/{number}/cmdline", "rb") as file:
            lacks(file.read(), SECRET.encode())
    end_keeper(it)
    equal(clip.text(), "earlier")
    contains(clip.log(), "wl-copy --sensitive --type text/plain")
    lacks(clip.log(), SECRET)


@cases("tools", ["wl-copy wl-paste", "xclip", "xsel"])
def test_the_clipboard_is_restored_after_the_timeout(it, tools):
    display = "WAYLAND_DISPLAY" if "wl-copy" in tools else "DISPLAY"
    clip = Clip(it, *tools.split(), **{display: "none"})
    it.set("mail", SECRET)
    clip.put("earlier")
    clip.copy("mail", "--timeout", "1")
    wait_until(lambda: not keepers(it), what="the keeper's end")
    equal(clip.text(), "earlier")
    lacks(clip.log(), SECRET)


def test_an_old_wl_copy_without_the_hint_is_used_and_an_empty_clipboard_is_cleared(it):
    clip = Clip(it, "wl-copy", "wl-paste", WAYLAND_DISPLAY="none", OLD="1")
    it.set("mail", SECRET)
    clip.copy("mail")
    equal(clip.text(), SECRET)
    end_keeper(it)
    equal(clip.text(), None)


def test_a_text_that_the_user_copied_meanwhile_stays(it):
    clip = Clip(it, "xclip", DISPLAY="none")
    it.set("mail", SECRET)
    clip.put("earlier")
    clip.copy("mail")
    clip.put("mine")
    end_keeper(it)
    equal(clip.text(), "mine")


def test_a_second_secret_does_not_bring_the_first_one_back(it):
    clip = Clip(it, "xclip", DISPLAY="none")
    it.set("one", SECRET)
    it.set("two", "another")
    clip.put("earlier")
    clip.copy("one")
    first = keepers(it)
    clip.copy("two")
    equal(clip.text(), "another")
    assert len(keepers(it)) == 1 and keepers(it) != first, keepers(it)
    end_keeper(it)
    equal(clip.text(), "earlier")


def test_the_clipboard_is_restored_after_its_terminal_is_gone(it):
    clip = Clip(it, "xclip", DISPLAY="none")
    it.set("mail", SECRET)
    clip.put("earlier")
    with Terminal(it, "chatelaine", "copy", "mail", **clip.variables) as terminal:
        terminal.expect("The clipboard is restored in 45 seconds.")
        equal(terminal.end(), 0)
    equal(clip.text(), SECRET)
    equal(len(keepers(it)), 1)
    end_keeper(it)
    equal(clip.text(), "earlier")


def test_without_a_display_the_terminal_gets_the_secret_and_is_cleared(it):
    it.set("mail", SECRET)
    with Terminal(it, "chatelaine", "copy", "mail", "--timeout", "1") as terminal:
        terminal.expect(f"\x1b]52;c;{base64.b64encode(SECRET.encode()).decode()}\x07")
        terminal.expect("\x1b]52;c;!\x07")
        contains(terminal.shown, "The clipboard is cleared in 1 second.")
        lacks(terminal.shown, SECRET)
    wait_until(lambda: not keepers(it), what="the keeper's end")


def test_a_clipboard_that_cannot_be_used_is_told(it):
    it.set("mail", SECRET)
    clip = Clip(it, "xclip", DISPLAY="none")
    with open(os.path.join(os.path.dirname(clip.path), "xclip"), "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\nexit 1\n")
    done = clip.copy("mail", check=1)
    contains(done.err, "could not use the clipboard", "nothing was copied")
    wait_until(lambda: not keepers(it), what="the keeper's end")
    done = it.run("chatelaine", "copy", "mail", check=1, start_new_session=True)
    contains(done.err, "neither a display nor a terminal")


# MARK: Editing and codes


@both
def test_an_item_is_edited_and_renamed_without_its_secret(it):
    it.set("githb", SECRET, "--user", "octo")
    it.run("chatelaine", "set", "githb", "--user", "octo", "--totp", input=SEED, check=0)
    equal(it.run("chatelaine", "rename", "githb", "github", check=0).out, 'Changed "github" (user octo).\n')
    it.run("chatelaine", "edit", "github", "--new-user", "cat", "--label", "Forge", "--comment", "work", check=0)
    equal(it.get("github", "--user", "cat"), SECRET.encode())
    shown = json.loads(it.run("chatelaine", "show", "forge", "--json", check=0).out)
    equal((shown["name"], shown["user"], shown["label"], shown["comment"]), ("github", "cat", "Forge", "work"))
    code = it.run("chatelaine", "code", "github", "--user", "cat", check=0).out
    assert len(code) == 7 and code[:6].isdigit(), code
    it.set("taken", "other", "--user", "cat")
    contains(it.run("chatelaine", "rename", "github", "taken", "--user", "cat", check=1).err,
             'there is already an item "taken" (user cat)')
    web(it, "https://example.org:8443/login", "web", "--user", "ann")
    it.run("chatelaine", "edit", "example.org", "--new-url", "https://www.example.org", check=0)
    equal(it.run("chatelaine", "get", "--url", "https://www.example.org", "--user", "ann", check=0).out, "web\n")


def test_a_form_on_the_terminal_shows_the_texts_and_keeps_those_without_an_answer(it):
    it.set("github", SECRET, "--user", "octo")
    with Terminal(it, "chatelaine", "edit", "github") as terminal:
        for question, answer in [("Name [github]: ", ""), ("Title [github]: ", "Forge"), ("User [octo]: ", ""),
                                 ("Comment: ", "work")]:
            terminal.expect(question)
            terminal.type(answer + "\n")
        terminal.expect('Changed "github" (user octo).')
        equal(terminal.end(), 0)
    [item] = it.list()
    equal((item["name"], item["user"], item["label"], item["comment"]), ("github", "octo", "Forge", "work"))
    equal(it.get("github", "--user", "octo"), SECRET.encode())


def test_imported_seeds_give_codes_and_a_text_that_is_no_seed_is_refused(it):
    it.run("chatelaine", "import", input=(
        "Title,URL,Username,Password,Notes,OTPAuth\n"
        f"Shop,https://shop.example,ann,pw,,otpauth://totp/Shop:ann?secret={SEED}&digits=8&algorithm=SHA256\n"), check=0)
    shown = json.loads(it.run("chatelaine", "code", "shop", "--json", check=0).out)
    assert len(shown["code"]) == 8 and 1 <= shown["secondsLeft"] <= 30, shown
    equal(it.run("chatelaine", "get", "shop", check=0).out, "pw\n")
    done = it.run("chatelaine", "set", "shop", "--totp", input="VERYSECRET1", check=1)
    contains(done.err, "the seed cannot be used")
    lacks(done.err, "VERYSECRET")


@both
def test_a_secret_replaces_no_seed_that_has_its_name_as_service(it):
    it.set("github", "pw", "--user", "octo")
    it.set("github", SEED, "--user", "octo", "--totp")
    stored = it.get("otpauth:github", "--user", "octo")
    done = it.run("chatelaine", "set", "otpauth:github", "--user", "octo", input=SECRET, check=1)
    contains(done.err, 'the secret would replace the seed of "github" (user octo)')
    equal(it.get("otpauth:github", "--user", "octo"), stored)
    rows = f"Title,URL,Username,Password\notpauth:github,,octo,{SECRET}\n"
    done = it.run("chatelaine", "import", "--replace", "--yes", input=rows, check=6)
    contains(done.out, 'conflict: "otpauth:github" (user octo): the secret would replace the seed of "github" (user octo)')
    done = it.run("security", "add-generic-password", "-U", "-s", "otpauth:github", "-a", "octo", "-w", SECRET, check=45)
    contains(done.err, 'security: the secret would replace the seed of "github" (user octo)')
    equal(it.get("otpauth:github", "--user", "octo"), stored)
    # Without the user it is another item.
    it.set("otpauth:github", SECRET)


@both
def test_a_seed_replaces_no_item_that_has_the_name_of_its_service(it):
    it.set("otpauth:github", SECRET)
    it.set("github", "pw")
    done = it.run("chatelaine", "set", "github", "--totp", input=SEED, check=1)
    contains(done.err, 'the seed would replace the item "otpauth:github", which is no seed')
    equal(it.get("otpauth:github"), SECRET.encode())
