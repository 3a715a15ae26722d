# SPDX-License-Identifier: Apache-2.0
"""A reader of fingers that scripts play in place of the service's helper, and a person who shows a finger or types the
passcode at once.

For tests that have the service see other fingers at a moment of their choice, often: fprintd takes its time."""

import os

from .wire import block

HELPER = """#!/bin/sh
case $(od -An -j1 -N1 -tx1) in
*51) exec cat {folder}/enrolled ;;
*) exec cat {folder}/match ;;
esac
"""
# Ends by itself when the service is killed.
PROMPTER = """#!/bin/sh
case $(od -An -j8 -N1 -tu1) in
*4) exec cat >/dev/null ;;
*) exec cat {folder}/passcode ;;
esac
"""


def frame(kind, payload):
    return bytes([1, kind, 0, 0]) + len(payload).to_bytes(4, "big") + payload


class PlayedFingers:
    """The folder of helpers for a service."""

    def __init__(self, folder, passcode):
        self.folder = folder
        os.mkdir(folder, 0o755)
        for name, script in [("chatelaine-fingerprint", HELPER), ("chatelaine-prompt-pinentry", PROMPTER)]:
            self._write(name, script.format(folder=folder).encode(), 0o755)
        self._write("match", frame(0x42, b"\1"))
        self._write("passcode", frame(0x40, b"\6" + block(passcode)))
        self.enrol()

    def _write(self, name, contents, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path + ".new", "wb") as file:
            file.write(contents)
        os.chmod(path + ".new", mode)
        os.rename(path + ".new", path)

    def enrol(self, *names):
        """From now on these are the enrolled fingers."""
        listed = b"".join(block(name) for name in sorted(names))
        self._write("enrolled", frame(0x41, b"\0" + block("reader") + b"\1" + len(names).to_bytes(2, "big") + listed))
