# SPDX-License-Identifier: Apache-2.0
"""A keychain with a passcode, which only its administration tool may set: here that is a Python."""

import os
import subprocess
import sys

from .instance import wait_until
from .sentences import equal
from .wire import ADMINISTER, block, optional

UNLOCK, LOCK, VERIFY, SET_PASSCODE, REMOVE_PASSCODE, ADD_PROTECTOR = 1, 2, 4, 5, 6, 7
PASSCODE, RECOVERY_KEY = 2, 3


def secret(kind, data):
    return bytes([kind]) + block(data)


def administer(client, action, *fields):
    """The status."""
    return client.request(ADMINISTER, bytes([action]) + b"".join(fields)).status


def unlock(client, passcode):
    return administer(client, UNLOCK, secret(PASSCODE, passcode))


def change_passcode(client, old, new):
    return administer(client, SET_PASSCODE, optional(secret(PASSCODE, old)), block(new))


def entered(it, *words, check=None, **secrets):
    """Runs the command with secrets from descriptors, by the names of their options."""
    readers = []
    for option, text in secrets.items():
        read, write = os.pipe()
        os.write(write, text if isinstance(text, bytes) else text.encode() + b"\n")
        os.close(write)
        readers.append(read)
        words = (*words, f"--{option.replace('_', '-')}-fd", str(read))
    try:
        return it.run("chatelaine", *words, pass_fds=readers, check=check)
    finally:
        for read in readers:
            os.close(read)


def start_with_passcode(it, passcode, **more):
    """Starts the service from a folder whose `chatelaine` is a Python, and sets the first passcode."""
    folder = os.path.join(it.scratch, "bin")
    os.mkdir(folder)
    it.programs.copy(it.program("chatelained"), os.path.join(folder, "chatelained"))
    tool = it.programs.copy(os.path.realpath(sys.executable), os.path.join(folder, "chatelaine"))
    it.log = os.path.join(it.scratch, "chatelained.log")
    with open(it.log, "ab") as log:
        it.daemon = it.popen(
            os.path.join(folder, "chatelained"), stdin=subprocess.DEVNULL, stdout=log, stderr=log, **more)
    wait_until(it.is_listening, what="the start of the service")
    environment = dict(
        it.environment, PYTHONPATH=it.programs.modules, PYTHONHOME=sys.prefix, PYTHONDONTWRITEBYTECODE="1")
    code = """
import sys
from support.wire import *
with Client(sys.argv[1]) as client:
    answer = client.request(ADMINISTER, bytes([5]) + optional(None) + block(bytes.fromhex(sys.argv[2])))
    print(answer.status, answer.reason)
"""
    done = it.run(tool, "-c", code, it.socket_path, passcode.hex(), env=environment)
    equal(done.out.strip() + done.err, "0 0")
