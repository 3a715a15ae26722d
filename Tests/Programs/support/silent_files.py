# SPDX-License-Identifier: Apache-2.0
"""A file system of a user's own that stops answering (silent_files.c), with a program on it that connects to the service."""

import os
import subprocess

import pytest

from .instance import is_root
from .sentences import equal

_source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "silent_files.c")


class SilentFiles:
    """The file system of one user, who alone may use it, as fusermount3 mounts it; with `everybody` also all others."""

    def __init__(self, it, user, everybody=False):
        if not is_root:
            pytest.skip("only root may mount a file system for a user")
        if not os.path.exists("/dev/fuse"):
            pytest.skip("this kernel has no FUSE")
        self.it, self.user = it, user
        self.binary = os.path.join(it.scratch, "silent_files")
        self.folder = os.path.join(it.scratch, f"silent-{user}")
        if not os.path.exists(self.binary):
            try:
                subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-static", "-o", self.binary, _source], check=True)
            except FileNotFoundError:
                pytest.skip("there is no C compiler")
        os.mkdir(self.folder, 0o755)
        self.words = [self.binary, self.folder, self.binary, str(user), *(["allow_other"] if everybody else [])]
        self.program = os.path.join(self.folder, "program")
        self.callers = []

    def __enter__(self):
        self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        equal(self.process.stdout.readline(), b"ready\n")
        return self

    def __exit__(self, *_):
        self.end()
        self.end_callers()
        subprocess.run(["umount", "--lazy", self.folder], check=True)

    def end(self):
        """As when the user ends it: each call that waits for it fails."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def end_callers(self):
        """Not while the file system hangs: a process of it ends when the calls that wait for it have ended."""
        for caller in self.callers:
            caller.kill()
            caller.communicate()
        self.callers.clear()

    def hang(self):
        """From now on it answers nothing. No file of it may be opened or closed here, which would wait for ever."""
        self._say("hang")

    def answer(self):
        self._say("answer")

    @property
    def waiting(self):
        """How many calls wait for an answer."""
        return int(self._say("count"))

    def _say(self, word):
        self.process.stdin.write(word.encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def caller(self, socket_path):
        """The program on it, as a process of its user; it is started before the file system hangs."""
        process = self.it.popen(
            self.program, "--connect", socket_path, user=self.user, group=self.user, extra_groups=[], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, cwd="/")
        equal(process.stdout.readline(), b"ready\n")
        self.callers.append(process)
        return process

    @staticmethod
    def connect(caller, count):
        """Makes as many connections, and keeps them; returns how many there were."""
        caller.stdin.write(b"%d\n" % count)
        caller.stdin.flush()
        return int(caller.stdout.readline())
