# SPDX-License-Identifier: Apache-2.0
"""A program written for Apple's LocalAuthentication, with items that require owner authentication, without a way to prompt."""

import os

from support.instance import examples_folder
from support.sentences import equal

SUCCESS, CANCELLED, FAILED, NOT_ALLOWED, NOT_FOUND = "0", "-128", "-25293", "-25308", "-25300"


def program(it):
    """A copy that every user may run."""
    built = os.path.join(examples_folder(), "OwnerPresence")
    if not os.path.exists(built):
        raise AssertionError("build the example first: swift build --package-path Examples -c release")
    return it.programs.copy(built, os.path.join(it.programs.folder, "OwnerPresence"))


def asker(it):
    path = program(it)
    return lambda *words: it.run(path, *words, check=0, start_new_session=True).out.strip()


def set_passcode(it):
    it.run(it.program("chatelaine"), "passcode", "set", "--passcode-fd", "0", input="correct horse\n", check=0)


def test_a_password_with_a_password_of_its_own_is_read_with_it_and_with_no_other(it):
    it.start()
    ask = asker(it)
    equal(ask("set", "com.example.mail", "ann", "secret", "passwordFromServer"), SUCCESS)
    equal(ask("get", "com.example.mail", "ann", "passwordFromServer"), f"{SUCCESS} secret")
    equal(ask("get", "com.example.mail", "ann", "PasswordFromServer"), FAILED)
    equal(ask("load", "com.example.mail", "ann"), NOT_ALLOWED)


def test_an_item_for_its_owner_is_not_stored_while_owner_authentication_is_impossible(it):
    it.start()
    ask = asker(it)
    equal(ask("can"), "false -5")
    equal(ask("add", "example.com", "ann", "secret"), FAILED)
    equal(ask("set-for-owner", "com.example.mail", "ann", "secret"), FAILED)
    equal(ask("read", "example.com"), NOT_FOUND)


def test_an_item_for_its_owner_is_stored_without_a_prompt_and_not_read_where_no_prompt_is_possible(it):
    it.start()
    set_passcode(it)
    ask = asker(it)
    equal(ask("can"), "false -1004")
    equal(ask("add", "example.com", "ann", "secret"), SUCCESS)
    equal(ask("set-for-owner", "com.example.mail", "ann", "secret"), SUCCESS)
    equal(ask("read", "example.com"), NOT_ALLOWED)
    equal(ask("load", "com.example.mail", "ann"), NOT_ALLOWED)
    equal(ask("free", "example.com"), "false")
