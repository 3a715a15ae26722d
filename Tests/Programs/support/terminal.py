# SPDX-License-Identifier: Apache-2.0
"""A terminal with a program on it, and a simulated user who types."""

import fcntl
import os
import pty
import select
import signal
import termios
import time

from .instance import wait_until


class Terminal:
    def __init__(self, it, *words, **environment):
        self.shown = ""
        self.status = None
        self.main, self.other = pty.openpty()

        def take_terminal():
            # A shell that runs these tests in the background ignores the keys' signals.
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        if it.user:
            os.fchown(self.other, it.user, it.user)
        self.program = it.popen(
            *words, env={**it.environment, "TERM": "dumb", **environment}, stdin=self.other, stdout=self.other,
            stderr=self.other, preexec_fn=take_terminal)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait()
        os.close(self.main)
        os.close(self.other)

    def _read(self, seconds):
        if select.select([self.main], [], [], seconds)[0]:
            self.shown += os.read(self.main, 65536).decode(errors="replace")
            return True
        return False

    def expect(self, text, seconds=60):
        """Waits until the text is shown."""
        deadline = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < deadline, f"{text!r} was not shown, but {self.shown!r}"
            self._read(0.1)

    def shows(self, text):
        """Whether it was shown by now."""
        self._read(0)
        return text in self.shown

    def echoes(self):
        return bool(termios.tcgetattr(self.other)[3] & termios.ECHO)

    def expect_silence(self):
        """Waits until typed characters are not shown."""
        wait_until(lambda: not self.echoes(), what="switching the echo off")

    def type(self, text):
        os.write(self.main, text.encode())

    def signal(self, name):
        self.program.send_signal(getattr(signal, name))

    def end(self, seconds=60):
        """The exit status; all that was shown is in `shown`."""
        wait_until(lambda: (self._read(0.01), self.program.poll() is not None)[1], seconds, "the program's end")
        while self._read(0):
            pass
        return self.program.returncode
