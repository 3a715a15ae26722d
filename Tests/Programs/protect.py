# SPDX-License-Identifier: Apache-2.0
"""`chatelaine protect` and `auth status` with the real service, without a way to prompt: no terminal, no display."""

import json
import os

from support.prompters import questions
from support.sentences import both, contains, equal, lacks

PASSWORD = "correct horse battery staple"


def chatelaine(it, *words, check=0, password=None, option="--app-password-fd", input=b""):
    """With the password on a descriptor of its own."""
    if password is None:
        return it.run("chatelaine", *words, check=check, input=input)
    read, write = os.pipe()
    os.write(write, password.encode() + b"\n")
    os.close(write)
    try:
        return it.run("chatelaine", *words, option, str(read), check=check, input=input, pass_fds=[read])
    finally:
        os.close(read)


def start_with_passcode(it):
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    chatelaine(it, "passcode", "set", password="1234", option="--passcode-fd")


@both
def test_without_a_passcode_nothing_can_be_shown_so_nothing_is_protected_that_would_ask_for_it(it):
    it.set("bank", "secret")
    equal(json.loads(chatelaine(it, "auth", "status", "--json").out),
          {"passcode": False, "biometry": "not-available", "prompter": None, "unlockByFinger": "off"})
    for option in ("--user-presence", "--passcode", "--biometry", "--current-biometry"):
        done = chatelaine(it, "protect", "bank", option, check=4)
        lacks(done.err, "secret")
    contains(chatelaine(it, "protect", "bank", "--passcode", check=4).err, "no passcode is set")
    equal(chatelaine(it, "get", "bank").out, "secret\n")


@both
def test_a_protected_item_is_refused_at_once_where_no_prompt_is_possible_listed_all_the_same(it):
    """Without a way to prompt, a protected item is refused at once, listed all the same, and can be deleted."""
    start_with_passcode(it)
    it.set("bank", "secret")
    equal(chatelaine(it, "protect", "bank", "--user-presence").out, '"bank" requires the passcode or a fingerprint.\n')
    done = chatelaine(it, "get", "bank", check=4)
    # The request did not enter the queue of prompts, and there it would have had to wait.
    equal(questions(json.loads(chatelaine(it, "status", "--verbose", "--json").out)["figures"]), (0, 0))
    contains(done.err, "requires owner authentication", "hint: ")
    lacks(done.out, "secret")
    contains(chatelaine(it, "list").out, "bank")
    contains(chatelaine(it, "show", "bank").out, "requires    the passcode or a fingerprint")
    # Neither can the protection be taken away, nor the secret be replaced.
    chatelaine(it, "protect", "bank", "--none", check=4)
    chatelaine(it, "set", "bank", check=4, input=b"another")
    chatelaine(it, "remove", "bank")
    chatelaine(it, "get", "bank", check=3)


@both
def test_an_item_with_a_password_of_its_own_opens_with_that_one_alone_after_a_restart_too(it):
    it.set("vault", "the secret")
    chatelaine(it, "protect", "vault", "--app-password", password=PASSWORD)
    for _ in range(2):
        equal(chatelaine(it, "get", "vault", password=PASSWORD).out, "the secret\n")
        done = chatelaine(it, "get", "vault", password=PASSWORD + "!", check=4)
        contains(done.err, "error: the application password of the item is wrong\n")
        chatelaine(it, "get", "vault", check=4)
        it.stop_detached()
    with open(it.database, "rb") as file:
        content = file.read()
    for text in (PASSWORD, "the secret"):
        assert text.encode() not in content
    chatelaine(it, "set", "vault", password=PASSWORD, input=b"another secret")
    equal(chatelaine(it, "get", "vault", password=PASSWORD).out, "another secret\n")
    chatelaine(it, "get", "vault", check=4)
    chatelaine(it, "protect", "vault", "--none", password=PASSWORD)
    equal(chatelaine(it, "get", "vault").out, "another secret\n")


def test_the_log_records_the_owner_authentication_and_nothing_that_was_typed(it):
    start_with_passcode(it)
    it.set("bank", "secret")
    chatelaine(it, "protect", "bank", "--passcode")
    chatelaine(it, "get", "bank", check=4)
    text = chatelaine(it, "log").out
    contains(text, "read-data")
    lacks(text, PASSWORD)
    lacks(text, "1234")
