# SPDX-License-Identifier: Apache-2.0
"""A program with keychains that are files, as Apple's documentation shows it."""

import os

from support.instance import examples_folder
from support.sentences import equal


def test_a_program_after_apples_documentation_keeps_a_password_in_a_keychain_file_of_its_own(it):
    """A program after Apple's documentation keeps a password in a keychain file of its own, and leaves nothing behind."""
    built = os.path.join(examples_folder(), "KeychainFiles")
    if not os.path.exists(built):
        raise AssertionError("build the example first: swift build --package-path Examples -c release")
    it.start()
    done = it.run(it.programs.copy(built, os.path.join(it.programs.folder, "KeychainFiles")), check=0)
    equal(done.out, "read: somethingSecret\nread: somethingElse\nlocked: not read\nread: somethingElse\n")
    equal(done.err, "")
    files = [name for _, _, names in os.walk(it.directories["data"]) for name in names]
    equal([name for name in files if "example" in name], [])
