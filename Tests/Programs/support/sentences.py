# SPDX-License-Identifier: Apache-2.0
"""What the tests of the programs say: who runs them, with which cases, and what they expect."""

import pytest

# Run once as root and once as a user without rights; or only as the latter.
both = pytest.mark.users("root", "ordinary")
ordinary = pytest.mark.users("ordinary")
# The same, and as an ordinary user of a system service too: for attacks that have to fail in each service.
all_services = pytest.mark.users("root", "ordinary", "system")
ordinary_and_system = pytest.mark.users("ordinary", "system")
# With a user service and with a system service, both times as the user that runs the tests.
own_services = pytest.mark.users("own", "own in system")


def cases(names, values):
    """Runs the test once for each of the values, which the argument names stand for; the first one names the case."""
    rows = [value if isinstance(value, tuple) else (value,) for value in values]
    return pytest.mark.parametrize(names.split(", "), rows, ids=[_label(row[0]) for row in rows])


def _label(value):
    return str(value) or "nothing"


def equal(actual, expected):
    assert actual == expected, f"is      {actual!r}\ninstead of {expected!r}"


def contains(text, *parts):
    for part in parts:
        assert part in text, f"lacks {part!r}:\n{text}"


def lacks(text, *parts):
    for part in parts:
        assert part not in text, f"contains {part!r}"


def python(it, code, *words, check=0, socket_path=None, **more):
    """What Python code prints that the instance's user runs; it finds these modules, and the socket in sys.argv[1]."""
    path = it.python()
    if not path:
        pytest.skip("this user may not run Python")
    environment = dict(it.environment, PYTHONPATH=it.programs.modules, PYTHONDONTWRITEBYTECODE="1")
    done = it.run(path, "-c", code, socket_path or it.socket_path, *words, env=environment, **more)
    assert done.returncode == check and (check or not done.err), done.err
    return done.out
