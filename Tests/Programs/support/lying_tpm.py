# SPDX-License-Identifier: Apache-2.0
"""A program between the token and its TPM, which sees all bytes and changes the answers, and a TPM that it plays itself.

Numbers are those of the TPM 2.0 Library specification, part 2; what is derived from keys is in part 1."""

import contextlib
import hashlib
import hmac
import os
import socket
import struct
import threading

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from .instance import wait_until

CREATE_PRIMARY, CREATE, LOAD, UNSEAL, SIGN, AGREE, FLUSH, START_SESSION, CAPABILITY = (
    0x131, 0x153, 0x157, 0x15E, 0x15D, 0x154, 0x165, 0x176, 0x17A)
RESET_LOCKOUT, CHANGE_AUTHORIZATION = 0x139, 0x129
LOCKOUT, PASSWORD = 0x4000000A, 0x40000009
AUTHORIZATION_FAILED, LOCKED_OUT, ASK_AGAIN = 0x98E, 0x921, 0x922
# Properties: the count of wrong authorizations, how many are too many, and the seconds until one of them is forgotten.
FAILURES, LIMIT, INTERVAL = 0x20E, 0x20F, 0x210


def sized(data):
    return struct.pack(">H", len(data)) + data


def response(body=b"", code=0, sessions=False):
    return struct.pack(">HII", 0x8002 if sessions else 0x8001, 10 + len(body), code) + body


def with_size(data):
    """The bytes, with their number in the head, where there is one."""
    return data[:2] + struct.pack(">I", len(data)) + data[6:] if len(data) >= 6 else data


def code_of(command):
    return struct.unpack_from(">I", command, 6)[0]


def frame_from(connection):
    """One command or response; nothing where the connection ends."""
    data = b""
    while len(data) < 10 or len(data) < struct.unpack_from(">I", data, 2)[0]:
        try:
            piece = connection.recv(4096)
        except OSError:
            return b""
        if not piece:
            return b""
        data += piece
    return data


class Middle:
    """The program in the middle. The service finds it at the place of the TPM."""

    def __init__(self, it, token):
        self.token = token
        self.path = os.path.join(token.folder, "middle")
        it.environment["CHATELAINE_TPM"] = self.path
        # Each command with the TPM's answer to it and the answer that was passed on, which is None where the connection was ended.
        self.seen = []
        # Gets a command, and what returns the TPM's answer to it. Returns the answer that is passed on.
        self.change = None
        self.silent = threading.Event()
        self.connections = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        os.chmod(self.path, 0o666)
        self.listener.listen(8)
        self.threads = [threading.Thread(target=self._accept, daemon=True)]
        self.threads[0].start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.silent.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join(60)
            assert not thread.is_alive()
        os.unlink(self.path)

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            thread = threading.Thread(target=self._serve, args=[connection], daemon=True)
            self.threads.append(thread)
            thread.start()

    def _serve(self, connection):
        with connection, socket.socket(socket.AF_UNIX) as tpm:
            self.connections.append(tpm)
            tpm.connect(self.token.socket)
            while command := frame_from(connection):
                given = []

                def ask():
                    tpm.sendall(command)
                    given.append(frame_from(tpm))
                    return given[0]

                passed = self.change(command, ask) if self.change else ask()
                self.seen.append((command, given[0] if given else b"", passed))
                if passed is None:
                    return
                try:
                    connection.sendall(passed)
                except OSError:
                    return

    @property
    def bytes(self):
        """All that went through, in both directions."""
        return b"\n".join(command + b"\n" + answer for command, answer, _ in self.seen)

    def answers_to(self, code):
        return [answer for command, answer, _ in self.seen if code_of(command) == code and answer[6:10] == bytes(4)]

    def asked_for(self, code):
        return sum(code_of(command) == code for command, _, _ in self.seen)

    def wait_for(self, code, count):
        wait_until(lambda: self.asked_for(code) >= count, what=f"command {code:#x} at the TPM")


def ask_directly(token, command):
    """What a program of the same user does beside the service: one command, and its answer's code and body."""
    with socket.socket(socket.AF_UNIX) as way:
        way.connect(token.socket)
        way.sendall(command)
        answer = frame_from(way)
    return struct.unpack_from(">I", answer, 6)[0], answer[10:]


def tpm_property(token, number):
    code, body = ask_directly(token, struct.pack(">HIIIII", 0x8001, 22, CAPABILITY, 6, number, 1))
    assert code == 0, hex(code)
    return struct.unpack_from(">I", body, 13)[0]


def reset_lockout(token, password=b""):
    """TPM2_DictionaryAttackLockReset, with the password of the TPM's owner for that; returns the answer's code."""
    return _with_lockout_password(token, RESET_LOCKOUT, b"", password)


def set_lockout_password(token, new, password=b""):
    """TPM2_HierarchyChangeAuth of the lockout hierarchy."""
    return _with_lockout_password(token, CHANGE_AUTHORIZATION, sized(new), password)


def _with_lockout_password(token, code, parameters, password):
    area = struct.pack(">I", PASSWORD) + sized(b"") + b"\1" + sized(password)
    body = struct.pack(">II", LOCKOUT, len(area)) + area + parameters
    return ask_directly(token, struct.pack(">HII", 0x8002, 10 + len(body), code) + body)[0]


# MARK: A TPM of the attacker's


def _kdfa(key, label, one, other, bits=256):
    data = label + b"\0" + one + other + struct.pack(">I", bits)
    return hmac.digest(key, struct.pack(">I", 1) + data, "sha256")[: bits // 8]


def _cfb(key_and_vector, data, encrypting):
    cipher = Cipher(algorithms.AES(key_and_vector[:16]), modes.CFB(key_and_vector[16:]))
    action = cipher.encryptor() if encrypting else cipher.decryptor()
    return action.update(data) + action.finalize()


class _Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        self.at += count
        return self.data[self.at - count : self.at]

    def u32(self):
        return struct.unpack(">I", self.take(4))[0]

    def sized(self):
        return self.take(struct.unpack(">H", self.take(2))[0])

    @property
    def rest(self):
        return self.data[self.at :]


class OwnTPM:
    """As much of a TPM as seals a secret and gives it out again, with a storage key that the attacker has. So it reads everything."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        # What it was given to seal, each with its authorization.
        self.sealed = []
        self.session_key = self.nonce = b""
        self.loaded = None

    def __call__(self, command, _ask):
        reader = _Reader(command[10:])
        code = code_of(command)
        if code == CREATE_PRIMARY:
            return self._storage_key(reader)
        if code == START_SESSION:
            return self._session(reader)
        if code == CAPABILITY:
            return response(b"\0" + reader.take(4) + bytes(4))
        if code in (CREATE, LOAD, UNSEAL):
            return self._in_session(code, reader)
        return response()

    def _storage_key(self, reader):
        reader.u32()
        reader.take(reader.u32())
        reader.sized()
        template = reader.sized()
        numbers = self.key.public_key().public_numbers()
        point = sized(numbers.x.to_bytes(32, "big")) + sized(numbers.y.to_bytes(32, "big"))
        body = sized(template[: -len(point)] + point)
        return response(struct.pack(">II", 0x80000000, len(body)) + body, sessions=True)

    def _session(self, reader):
        reader.take(8)
        nonce = reader.sized()
        salt = _Reader(reader.sized())
        x, y = salt.sized(), salt.sized()
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\4" + x + y)
        own = self.key.public_key().public_numbers().x.to_bytes(32, "big")
        shared = self.key.exchange(ec.ECDH(), public)
        secret = hashlib.sha256(struct.pack(">I", 1) + shared + b"SECRET\0" + x + own).digest()
        self.nonce = os.urandom(16)
        self.session_key = _kdfa(secret, b"ATH", self.nonce, nonce)
        return response(struct.pack(">I", 0x02000000) + sized(self.nonce))

    def _in_session(self, code, reader):
        reader.u32()
        area = _Reader(reader.take(reader.u32()))
        area.u32()
        nonce, attributes = area.sized(), area.take(1)
        authorization = self.sealed[self.loaded][0] if code == UNSEAL else b""
        key = self.session_key + authorization
        handles, rest = b"", b""
        if code == UNSEAL:
            first = self.sealed[self.loaded][1]
        else:
            given = _cfb(_kdfa(key, b"CFB", nonce, self.nonce), reader.sized(), False)
            public = reader.sized()
            if code == CREATE:
                inner = _Reader(given)
                self.sealed.append((inner.sized(), inner.sized()))
                first, rest = struct.pack(">I", len(self.sealed) - 1), sized(public)
            else:
                self.loaded = struct.unpack(">I", given)[0]
                handles, first = struct.pack(">I", 0x80000001), b"\0\x0b" + hashlib.sha256(public).digest()
        self.nonce = os.urandom(16)
        parameters = sized(_cfb(_kdfa(key, b"CFB", self.nonce, nonce), first, True)) + rest
        hashed = hashlib.sha256(struct.pack(">II", 0, code) + parameters).digest()
        proof = hmac.digest(key, hashed + self.nonce + nonce + attributes, "sha256")
        body = handles + struct.pack(">I", len(parameters)) + parameters + sized(self.nonce) + attributes + sized(proof)
        return response(body, sessions=True)
