#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs in the ways of writing for Apple's Keychain Services, in both language modes of Swift."""

import os

from support.instance import examples_folder
from support.sentences import both, contains, equal, run, test

modes = {"Swift 6": "PasswordIdioms", "Swift 5": "PasswordIdiomsSwift5"}


def program(it, mode):
    """A copy that every user may run."""
    built = os.path.join(examples_folder(), modes[mode])
    if not os.path.exists(built):
        raise AssertionError("build the example first: swift build --package-path Examples -c release")
    return it.programs.copy(built, os.path.join(it.programs.folder, modes[mode]))


@test("a program in {} keeps passwords in every way that Apple's interface knows", cases=list(modes), users=both)
def _(it, mode):
    it.start()
    done = it.run(program(it, mode), check=0)
    lines = done.out.splitlines()
    contains(done.out, "ok: a [String: Any] with keys cast to String\n", "ok: many threads at once\n")
    equal(lines.pop(), f"{len(lines)} ways of keeping a password work")
    equal([line for line in lines if not line.startswith("ok: ")], [])
    equal(done.err, "")
    # It cleaned up.
    equal(it.list(), [])


@test("a program in {} says what it was refused when there is no keychain", cases=list(modes))
def _(it, mode):
    # Where its service would have to be, there is a file.
    os.rmdir(it.directories["runtime"])
    with open(it.directories["runtime"], "w", encoding="utf-8"):
        pass
    done = it.run(program(it, mode), check=1)
    equal(done.out, "")
    contains(done.err, "error: a [String: Any] with keys cast to String: ", "No keychain is available")


run()
