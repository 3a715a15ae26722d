# SPDX-License-Identifier: Apache-2.0
"""What keeps private keys, in tests: the token's programs beside the service, a TPM that swtpm plays, and the example that makes and
uses keys by Apple's functions."""

import os
import select
import socket
import subprocess

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from . import key_tool
from .instance import built_programs, has_ended, read_text, wait_until
from .sentences import contains, equal

message = b"a message for everybody"
sign = "algid:sign:ECDSA:message-X962:SHA256"
not_available, foreign = -25291, -26275


def helpers_folder():
    return os.environ.get("CHATELAINE_HELPERS", built_programs()[0])


def install(it):
    """The tokens beside the service, where it looks for them."""
    for name in ["chatelaine-token-software", "chatelaine-token-tpm"]:
        target = os.path.join(it.programs.folder, name)
        if not os.path.exists(target):
            it.programs.copy(os.path.join(helpers_folder(), name), target)


class NoTPM:
    def __init__(self, it):
        it.environment["CHATELAINE_TPM"] = "none"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class TPM:
    """A TPM in software, which the instance's service uses."""

    def __init__(self, it):
        self.it = it
        self.folder = os.path.join(it.scratch, "tpm")
        os.mkdir(self.folder)
        it.own(self.folder)
        self.socket = os.path.join(self.folder, "sock")
        it.environment["CHATELAINE_TPM"] = self.socket
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self.process = self.it.popen(
            "swtpm", "socket", "--tpm2", "--tpmstate", f"dir={self.folder}", "--server", f"type=unixio,path={self.socket}",
            "--ctrl", f"type=unixio,path={self.folder}/control", "--flags", "not-need-init,startup-clear",
            stderr=subprocess.DEVNULL)
        wait_until(lambda: self.is_there() or self.process.poll() is not None, what="the start of swtpm")
        equal(self.process.poll(), None)

    def is_there(self):
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(self.socket)
                return True
            except OSError:
                return False

    def stop(self):
        """As a power cut."""
        self.process.kill()
        self.process.wait()
        for name in ["sock", "control"]:
            try:
                os.unlink(os.path.join(self.folder, name))
            except FileNotFoundError:
                pass

    def clear(self):
        self.stop()
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))
        self.start()


class KeyTool(key_tool.KeyTool):
    """It uses keys that it names."""

    def data(self, *words):
        return super().data("keychain", *words)

    def refuses(self, code, *words):
        super().refuses(code, "keychain", *words)


def others_do_not_wait(tool, words, hanging, work):
    """Asks the tool for what a token that does not answer has to do, and works beside it. The tool waits until the service gives the
    token up, some seconds later; the work is done 20 times before that.

    On a machine that has much else to do, those seconds may be over too soon: then it is tried again, with the service's next token.

    - hanging: stops the token, and returns its number.
    """
    def work_is_done_first():
        token = hanging()
        tool.process.stdin.write(" ".join(words) + "\n")
        tool.process.stdin.flush()
        done = 0
        while done < 20 and not select.select([tool.process.stdout], [], [], 0)[0]:
            work()
            done += 1
        was_first = not select.select([tool.process.stdout], [], [], 0)[0]
        contains(tool.process.stdout.readline(), f"error {not_available} ")
        wait_until(lambda: has_ended(token), what="the end of the token that does not answer")
        return done == 20 and was_first

    wait_until(work_is_done_first, seconds=120, what="an answer for others before the token was given up")


def read_public(data):
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data)


def point(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def verify(public, signature):
    public.verify(signature, message, ec.ECDSA(hashes.SHA256()))


def children(pid, name):
    """The numbers of a process's children that run a program of that name."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", "rb") as file:
                program = file.read().split(b"\0")[0].decode()
            if int(read_text(f"/proc/{number}/stat").rpartition(")")[2].split()[1]) == pid and program.endswith(name):
                found.append(int(number))
        except OSError:
            continue
    return found
