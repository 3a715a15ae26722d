# SPDX-License-Identifier: Apache-2.0
"""A program with keychains that are files, as Apple's documentation shows it."""

import os

from support.sentences import equal


def test_a_program_after_apples_documentation_keeps_a_password_in_a_keychain_file_of_its_own(it):
    """A program after Apple's documentation keeps a password in a keychain file of its own, and leaves nothing behind."""
    it.start()
    done = it.run(it.programs.example("KeychainFiles"), check=0)
    equal(done.out, "read: somethingSecret\nread: somethingElse\nlocked: not read\nread: somethingElse\n")
    equal(done.err, "")
    files = [name for _, _, names in os.walk(it.directories["data"]) for name in names]
    equal([name for name in files if "example" in name], [])
