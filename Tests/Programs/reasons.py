# SPDX-License-Identifier: Apache-2.0
"""The reasons that programs get without a logging system of their own."""

import os

from support.sentences import contains, equal


def test_a_program_without_a_logging_system_writes_the_reasons_on_demand(it):
    quiet = it.run("PasswordKeeper", "get", "nothing", "ann", check=1)
    loud = it.run("PasswordKeeper", "get", "nothing", "ann", check=1, env=dict(it.environment, CHATELAINE_LOG="debug"))
    contains(loud.err, "Security", "SecItemCopyMatching: status -25300. ", " Searched ", quiet.err)
    equal(loud.out, quiet.out)
    # Any other value changes nothing.
    other = it.run("PasswordKeeper", "get", "nothing", "ann", check=1, env=dict(it.environment, CHATELAINE_LOG="yes"))
    equal(other.err, quiet.err)


def test_the_reason_why_no_service_starts_reaches_a_program(it):
    os.mkdir(it.data)
    os.chmod(it.data, 0o777)
    done = it.run("PasswordKeeper", "get", "x", "y", check=1, env=dict(it.environment, CHATELAINE_LOG="debug"))
    contains(done.err, f"could not be started: {it.data} has mode 0777", "chmod 0700 " + it.data)
