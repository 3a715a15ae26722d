# SPDX-License-Identifier: Apache-2.0
"""Programs in the ways of writing for Apple's Keychain Services, in both language modes of Swift."""

import os

from support.sentences import both, cases, contains, equal

modes = {"Swift 6": "PasswordIdioms", "Swift 5": "PasswordIdiomsSwift5"}


def program(it, mode):
    return it.programs.example(modes[mode])


@both
@cases("mode", list(modes))
def test_a_program_in_keeps_passwords_in_every_way_that_apples_interface_knows(it, mode):
    it.start()
    done = it.run(program(it, mode), check=0)
    lines = done.out.splitlines()
    contains(done.out, "ok: a [String: Any] with keys cast to String\n", "ok: many threads at once\n")
    equal(lines.pop(), f"{len(lines)} ways of keeping a password work")
    equal([line for line in lines if not line.startswith("ok: ")], [])
    equal(done.err, "")
    # It cleaned up.
    equal(it.list(), [])


@cases("mode", list(modes))
def test_a_program_in_says_what_it_was_refused_when_there_is_no_keychain(it, mode):
    # Where its service would have to be, there is a file.
    os.rmdir(it.directories["runtime"])
    with open(it.directories["runtime"], "w", encoding="utf-8"):
        pass
    done = it.run(program(it, mode), check=1)
    equal(done.out, "")
    contains(done.err, "error: a [String: Any] with keys cast to String: ", "No keychain is available")
