# SPDX-License-Identifier: Apache-2.0
"""A keychain that moves between its user's own service and that of the system."""

from .instance import wait_until
from .sentences import equal


def migrate(it, service, direction, user, folder, check=0, **more):
    return it.run("chatelained", "migrate", direction, str(user), "--user-directory", folder, "--system-directory", service.state,
                  check=check, **more)


def own_keychain(user, passcode=None):
    """The user's own service, with items, stopped again."""
    user.environment.pop("CHATELAINE_SERVICE", None)
    user.start()
    user.set("first", "one")
    user.set("second", "two")
    if passcode:
        user.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
        user.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input=passcode, check=0)
    equal(user.stop(), 0)


def use_system(user, service):
    user.environment["CHATELAINE_SERVICE"] = "system:" + service.runtime


def unlock(user, passcode):
    user.run("chatelaine", "unlock", "--passcode-fd", "0", input=passcode, check=0)


def check_items(user, passcode=None):
    if passcode:
        unlock(user, passcode)
    equal((user.get("first"), user.get("second")), (b"one", b"two"))
    wait_until(lambda: user.status()["contents"] != "not-looked-at", what="the look at the contents")
    equal(user.status()["contents"], "as-left")


def look(user, service, direction):
    if direction == "to-system":
        service.start(sandboxed=False)
        use_system(user, service)
        check_items(user, "1234")
        equal(service.stop(), 0)
    else:
        user.environment["CHATELAINE_SERVICE"] = "user"
        user.start()
        check_items(user, "1234")
        user.stop()
