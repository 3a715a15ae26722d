# SPDX-License-Identifier: Apache-2.0
"""The fixtures of every test of the programs: a separate keychain, as the user that the test requires."""

import pytest

from support.instance import Instance, Programs, has_crashed, is_root, ordinary_user
from support.system import SystemInstance, ann


# The files that take longest, in this order. With several processes (pytest -n), they start first: at the end, no process is left alone
# with one of them.
LONGEST = ["at_rest", "attacks", "backup", "login_attacks", "access_groups", "guessing", "keychains", "login", "damage", "agent", "abuse",
           "agent_takeover", "passcode", "codesign", "system_service", "power_cut_fingers", "fingerprint",
           "command_line", "secret_service", "secret_prompts", "systemd", "memory", "durability", "log",
           "system_authorization", "prompt", "isolation", "system_fingers", "bad_input", "passcode_kill", "tokens", "session_lock", "keys"]


def pytest_collection_modifyitems(items):
    places = {f"{name}.py": place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))


def pytest_generate_tests(metafunc):
    """Runs a test once as each user that it names: the same list of tests, whether root or an ordinary user runs them."""
    marker = metafunc.definition.get_closest_marker("users")
    if marker:
        metafunc.parametrize("user", marker.args)


@pytest.fixture
def user():
    """The user of the test's keychain: "root", "ordinary", "own" or None for the user that runs the tests; in a system service "system"
    for an ordinary user and "own in system" for the user that runs the tests."""
    return None


@pytest.fixture(scope="session")
def programs():
    copies = Programs()
    yield copies
    copies.remove()


@pytest.fixture
def it(programs, user):
    if user == "root" and not is_root:
        pytest.skip("only root can run this as root")
    if user in ("system", "own in system"):
        instance = SystemInstance(programs, ann if user == "system" else None)
    else:
        instance = Instance(programs, ordinary_user if user == "ordinary" else None)
    try:
        yield instance
        assert not (instance.daemon and has_crashed(instance.daemon)), "the service crashed"
    finally:
        instance.remove()
