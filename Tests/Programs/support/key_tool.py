# SPDX-License-Identifier: Apache-2.0
"""The example that makes and uses keys by Apple's functions."""

import base64
import subprocess

from .sentences import contains, equal


class Failure(Exception):
    """The program's answer is an error."""


def written(data):
    return base64.b64encode(data).decode() or "-"


class KeyTool:
    """The program, with commands from its standard input."""

    def __init__(self, it, program=None):
        # Beside the instance's service, which it may start.
        program = program or it.programs.example("KeyTool")
        self.process = it.popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.process.stdin.close()
        if kind:
            # The test has failed already, perhaps because the program does not answer.
            self.process.kill()
        status = self.process.wait(timeout=60)
        self.process.stdout.close()
        if not kind:
            equal(status, 0)

    def ask(self, *words):
        self.process.stdin.write(" ".join(written(w) if isinstance(w, bytes) else str(w) for w in words) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().rstrip("\n")
        if answer.startswith("error ") or not answer:
            raise Failure(answer)
        return answer

    def data(self, *words):
        answer = self.ask(*words)
        return b"" if answer == "-" else base64.b64decode(answer)

    def refuses(self, code, *words):
        try:
            answer = self.ask(*words)
        except Failure as failure:
            contains(str(failure), f"error {code} ")
            return
        raise AssertionError(f"was not refused: {answer}")
