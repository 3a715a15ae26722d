# SPDX-License-Identifier: Apache-2.0
"""Programs in C that connect to the service and do what a test says (caller.c), and places to install them at."""

import contextlib
import os
import shutil
import subprocess
import tempfile

import pytest

from .wire import Client

_source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "caller.c")


def compile_caller(it, name="caller", *options):
    """Builds caller.c; everybody may run it."""
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    compiled = it.programs.compiled
    if options not in compiled:
        path = os.path.join(it.programs.scratch, f"caller-{len(compiled)}")
        subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-o", path, *options, _source], check=True)
        compiled[options] = path
    return it.programs.copy(compiled[options], os.path.join(it.scratch, name))


def compile_library(it):
    """caller.c as a library that takes over any program which loads it."""
    return compile_caller(it, "caller.so", "-shared", "-fPIC", "-DPRELOAD", "-Wl,-z,now")


# A program that lets users log in becomes its user like this. From then on the kernel lets no process of the user inspect it.
_becoming = """
#define _GNU_SOURCE
#include <grp.h>
#include <stdlib.h>
#include <unistd.h>
int caller(int, char **);
int main(int count, char **words) {
    if (setgroups(0, NULL) || setresgid(USER, USER, USER) || setresuid(USER, USER, USER)) abort();
    return caller(count, words);
}
"""


def compile_becoming(it, user):
    """caller.c as a program that root starts and that becomes this user."""
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    parts, path = (os.path.join(it.scratch, name) for name in ("caller.o", "becoming"))
    subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-Dmain=caller", "-c", "-o", parts, _source], check=True)
    words = ["cc", "-O1", "-Wall", "-Werror", f"-DUSER={user}", "-x", "c", "-", "-x", "none", parts, "-o", path]
    subprocess.run(words, input=_becoming.encode(), check=True)
    return path


@contextlib.contextmanager
def root_owned_folder():
    """A folder below which only root can put files."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to install a program")
    folder = tempfile.mkdtemp(prefix="chatelaine-test.", dir="/usr/local/lib")
    try:
        os.chmod(folder, 0o755)
        yield folder
    finally:
        shutil.rmtree(folder)


class Caller:
    """A process of such a program. It is also the socket of the Client that it connects."""

    def __init__(self, it, *words, connecting=None, arguments=None, **more):
        """connecting: a socket that is not connected yet, for the program to connect."""
        descriptors = tuple(more.pop("pass_fds", ()))
        arguments = [it.socket_path] if arguments is None else arguments
        if connecting is not None:
            descriptors += (connecting.fileno(),)
            arguments = [*arguments, str(connecting.fileno())]
        self.process = it.popen(
            *words, *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=descriptors, **more)
        ready = self._line()
        if ready != "ready":
            self.__exit__()
        assert ready == "ready", ready

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    @property
    def pid(self):
        return self.process.pid

    def _line(self):
        return self.process.stdout.readline().decode().rstrip("\n")

    def ask(self, *words):
        """What the program answers."""
        self.process.stdin.write(" ".join(map(str, words)).encode() + b"\n")
        self.process.stdin.flush()
        return self._line()

    def do(self, *words):
        answer = self.ask(*words)
        assert not answer.startswith("error"), f"{words[0]}: {answer}"
        return answer

    def connect(self):
        self.do("connect")
        return Client(self)

    def connect_again(self):
        """A second connection of the same process; the first one is closed."""
        self.do("close")
        return self.connect()

    # MARK: As a socket

    def setsockopt(self, *_):
        """The program bounds its own waiting."""

    def sendall(self, data):
        answer = self.ask("send", data.hex())
        if answer != "ok":
            raise ConnectionError(answer)

    def greet(self, data):
        answer = self.ask("greet", data.hex())
        if answer != "ok":
            raise ConnectionError(answer)

    def recv(self, count):
        answer = self.ask("recv", count)
        if answer.startswith("error"):
            raise ConnectionError(answer)
        return bytes.fromhex(answer)

    def close(self):
        """The socket goes with the program."""
