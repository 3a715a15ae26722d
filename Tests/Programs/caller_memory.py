# SPDX-License-Identifier: Apache-2.0
"""The memory of a caller's process that one request makes the service read: a caller chooses the length of its own files in /proc."""

from support.caller import Caller, compile_caller
from support.instance import status_kilobytes
from support.sentences import all_services, equal
from support.wire import AUTHENTICATION

# The environment of the attacker in MiB, and how much more memory the service may have had at once.
LENGTH, BOUND = 256, 32


def grows_little(caller, service, answered=0):
    """Requests the available prompts for the caller's user, for which the service reads the caller's environment."""
    client = caller.connect()
    equal(client.request(AUTHENTICATION, b"\1").status, answered)
    before = status_kilobytes(service, "VmHWM")
    caller.do("environment", LENGTH)
    for _ in range(4):
        equal(client.request(AUTHENTICATION, b"\1").status, answered)
    after = status_kilobytes(service, "VmHWM")
    assert after - before < BOUND * 1024, f"the service had {after - before} KiB more"


@all_services
def test_a_caller_whose_environment_is_a_mapping_of_a_quarter_of_a_gigabyte_costs_the_service_no_memory(it):
    it.start()
    with Caller(it, compile_caller(it)) as caller:
        grows_little(caller, it.daemon.pid)
