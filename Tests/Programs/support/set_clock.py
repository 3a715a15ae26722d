# SPDX-License-Identifier: Apache-2.0
"""The clock of a service, which a test sets: for the service alone, because other programs need the machine's."""

import os
import struct
import subprocess

import pytest


class Clock:
    """The time that a service sees which is started with the environment of this clock. At first it is the machine's."""

    def __init__(self, it):
        library = os.path.join(it.scratch, "set_clock.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "set_clock.c")
        try:
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, source], check=True)
        except FileNotFoundError:
            pytest.skip("there is no C compiler")
        os.chmod(library, 0o755)
        self.path = os.path.join(it.scratch, "clock")
        with open(self.path, "wb") as file:
            file.write(bytes(16))
        os.chmod(self.path, 0o644)
        self.environment = {"LD_PRELOAD": library, "SET_CLOCK": self.path}
        self._added = [0, 0]

    def set(self, seconds):
        """Sets the time of day so far from the right one."""
        self._added[0] = seconds
        self._write()

    def sleep(self, seconds):
        """The machine sleeps for so long."""
        self._added = [number + seconds for number in self._added]
        self._write()

    def _write(self):
        with open(self.path, "r+b", buffering=0) as file:
            file.write(struct.pack("=qq", *self._added))
