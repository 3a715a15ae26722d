# SPDX-License-Identifier: Apache-2.0
"""Tests whose names are sentences. Each gets a keychain of its own and goes on after another one's failure."""

import re
import sys
import traceback

from .instance import Instance, Programs, has_crashed, is_root, ordinary_user

_tests = []


class LeftOut(Exception):
    """This machine does not allow the test."""


def test(sentence, users=("self",), cases=None):
    """Marks a function of an instance as a test.

    users: "self" is who runs the tests; "ordinary" is a user without rights, if that can be arranged.
    cases: further arguments, one test for each; the sentence shows them at {}.
    """

    def add(function):
        for user in users if is_root else ("self",):
            for case in cases or [()]:
                case = case if isinstance(case, tuple) else (case,)
                text = sentence.format(*case)
                if len(users) > 1 and is_root:
                    text += " (as root)" if user == "self" else " (as an ordinary user)"
                _tests.append((text, function, ordinary_user if user == "ordinary" else None, case))
        return function

    return add


both = ("self", "ordinary")


def run(pattern=None):
    """Runs all tests, or those that match the command line's word, and ends the process."""
    pattern = pattern or (sys.argv[1] if len(sys.argv) > 1 else "")
    programs = Programs()
    failed = 0
    ran = 0
    try:
        for sentence, function, user, case in _tests:
            if not re.search(pattern, sentence):
                continue
            ran += 1
            instance = Instance(programs, user)
            try:
                function(instance, *case)
                assert not (instance.daemon and has_crashed(instance.daemon)), "the service crashed"
                print(f"    ok: {sentence}", flush=True)
            except LeftOut as reason:
                print(f"    left out: {sentence}: {reason}", flush=True)
            except Exception as error:
                failed += 1
                print(f"    FAILED: {sentence}", flush=True)
                where = traceback.format_exc() if not isinstance(error, AssertionError) else _place(error)
                print("        " + where.strip().replace("\n", "\n        "), flush=True)
            finally:
                instance.remove()
    finally:
        programs.remove()
    if not ran:
        print("    no such test")
    sys.exit(1 if failed or not ran else 0)


def _place(error):
    frame = traceback.extract_tb(error.__traceback__)
    lines = [f"{entry.filename.rpartition('/')[2]}:{entry.lineno}: {entry.line}" for entry in frame[1:]]
    return "\n".join(lines + [str(error)])


def equal(actual, expected):
    assert actual == expected, f"is      {actual!r}\ninstead of {expected!r}"


def contains(text, *parts):
    for part in parts:
        assert part in text, f"lacks {part!r}:\n{text}"


def lacks(text, *parts):
    for part in parts:
        assert part not in text, f"contains {part!r}"


def python(it, code, *words, check=0, **more):
    """What Python code prints that the instance's user runs; it finds these modules, and the socket in sys.argv[1]."""
    path = it.python()
    if not path:
        raise LeftOut("this user may not run Python")
    environment = dict(it.environment, PYTHONPATH=it.programs.modules, PYTHONDONTWRITEBYTECODE="1")
    done = it.run(path, "-c", code, it.socket_path, *words, env=environment, **more)
    assert done.returncode == check and (check or not done.err), done.err
    return done.out
