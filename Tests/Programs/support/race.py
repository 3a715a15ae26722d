# SPDX-License-Identifier: Apache-2.0
"""A program that stops before each call that it makes with a path of a folder (race.c), and another user who changes that folder then."""

import contextlib
import os
import signal
import subprocess

from .instance import read_text


def build(folder):
    """The library to preload, compiled into the folder."""
    library = os.path.join(folder, "race.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "race.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, source], check=True)
    os.chmod(library, 0o755)
    return library


@contextlib.contextmanager
def acting_as(user):
    """Has this process touch files with the rights of a user, and no others."""
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(user)
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


class Stopped:
    """How such a program ended."""

    def __init__(self, status, out, err, calls):
        self.status, self.out, self.err, self.calls = status, out, err, calls


def run_stopping(words, library, root, log, at_stop, **environment):
    """Runs a program to its end. Before each of its calls with a path that begins with `root`, `at_stop` gets the number of the call, from
    zero, and a line with its name and its path."""
    with open(log, "w", encoding="utf-8"):
        pass
    program = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "LD_PRELOAD": library, "RACE_ROOT": root, "RACE_LOG": log, **environment})
    try:
        while True:
            _, status = os.waitpid(program.pid, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                program.returncode = os.waitstatus_to_exitcode(status)
                break
            calls = read_text(log).splitlines()
            at_stop(len(calls) - 1, calls[-1])
            os.kill(program.pid, signal.SIGCONT)
    except BaseException:
        program.kill()
        program.wait()
        raise
    return Stopped(program.returncode, program.stdout.read(), program.stderr.read(), read_text(log).splitlines())
