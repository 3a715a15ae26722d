# SPDX-License-Identifier: Apache-2.0
"""The client protocol (Documentation/Protocols/client.md), written from its description alone."""

import socket
import struct

HELLO, ITEMS, REPLY, CHANGE = 0x01, 0x02, 0x03, 0x04
GREETING = 0x10
ADD, COPY, UPDATE, DELETE, STATUS, WATCH, EXPLAIN, ADMINISTER = range(0x11, 0x19)
IDENTITY, LOG, REQUIRE_ENTITLEMENTS, KEY = 0x19, 0x1B, 0x1E, 0x1F
LOCK_STATE, LOG_LINE = 0x05, 0x06
AUTHENTICATED, AUTHENTICATION, KEYCHAIN_FILE, IN_KEYCHAIN = 0x20, 0x21, 0x22, 0x23
DATA, ATTRIBUTES, REFERENCE, PERSISTENT = 1, 2, 4, 8

PARAMETER, NOT_FOUND, MISSING_ENTITLEMENT, DUPLICATE = -50, -25300, -34018, -25299
INTERACTION_NOT_ALLOWED, AUTHENTICATION_FAILED = -25308, -25293
UNIDENTIFIED, INTERPRETER, UNSIGNED, INSTALLED, SIGNED, ENFORCED = range(6)
FINDINGS = (
    "", "noSignature", "changedAfterSigning", "damagedSignature", "newerSignature", "foreignEntitlements",
    "writableByOthers", "interpreter", "foreignUserNamespace", "notInspectable", "untrustedFileSystem", "tooLarge",
    "changedWhileRead", "otherUser", "userService", "notShielded", "unreadable", "sandbox")
NOT_GREETED = 95
DISK_FULL, IO_FAILURE, NOT_AVAILABLE, INVALID_KEYCHAIN = -34, -36, -25291, -25295


def frame(kind, payload=b"", version=1, reserved=0, length=None):
    return struct.pack(">BBHI", version, kind, reserved, len(payload) if length is None else length) + payload


def block(data):
    if isinstance(data, str):
        data = data.encode()
    return struct.pack(">I", len(data)) + data


def optional(data):
    return b"\0" if data is None else b"\1" + data


def with_password(kind, payload, password):
    """A request with the password of items that have one of their own."""
    return AUTHENTICATED, (
        b"\1" + optional(None) * 3 + struct.pack(">IB", 0, 0) + optional(block(password)) + bytes([0, kind]) + payload)


def attributes(values=None, item_class=1):
    """Of a tuple of two numbers becomes an access control object: accessibility and flags."""
    entries = b""
    values = values or {}
    for key in sorted(values):
        value = values[key]
        if isinstance(value, str):
            entries += key.encode() + b"\1" + block(value)
        elif isinstance(value, bytes):
            entries += key.encode() + b"\2" + block(value)
        elif isinstance(value, tuple):
            entries += key.encode() + b"\5" + struct.pack(">BI", *value)
        else:
            entries += key.encode() + b"\3" + struct.pack(">q", value)
    return struct.pack(">BH", item_class, len(values)) + entries


def lookup(pairs):
    """Encoded lookup attributes: the value of `lkup`."""
    return b"".join(block(name) + block(pairs[name]) for name in sorted(pairs, key=str.encode))


def query(values=None, synchronizable=0, group=None, reference=None):
    named = None if reference is None else bytes([len(reference)]) + reference
    # All differences between texts count, and no host is named.
    rest = bytes([0]) + optional(None)
    return attributes(values) + bytes([synchronizable]) + optional(group and block(group)) + optional(named) + rest


class Closed(Exception):
    pass


class Answer:
    def __init__(self, status, reason, items):
        self.status, self.reason, self.items = status, reason, items


class Report:
    """What the service says of a program: the answer to `identity`."""

    def __init__(self, reader):
        self.user, self.process, self.tier = reader.take("I"), reader.take("i"), reader.take("B")
        kind = reader.take("B")
        texts = [reader.block() for _ in range((0, 0, 2, 1, 1)[kind])]
        self.kind = ("unidentified", "command", "signed", "installed", "unsigned")[kind]
        # Of a signed program team and identifier, of an installed one the path, else the digest.
        self.name = tuple(text.hex() if kind == 4 else text.decode() for text in texts)
        self.enforcement = None
        if reader.take("B"):
            number = reader.take("B")
            self.enforcement = ("", "setgid", "fileCapability", "ownUser", "systemUnit")[number]
            self.unit = reader.block().decode() if number == 4 else None
        self.path = reader.block().decode()
        self.groups = self._texts(reader)
        self.has_entitled_groups = bool(reader.take("B"))
        self.entitlements = {}
        for _ in range(reader.take("H")):
            key, form = reader.block().decode(), reader.take("B")
            self.entitlements[key] = (
                bool(reader.take("B")) if form == 1 else reader.block().decode() if form == 2 else self._texts(reader))
        self.findings = [FINDINGS[reader.take("B")] for _ in range(reader.take("B"))]
        self.is_command = bool(reader.take("B"))
        assert reader.offset == len(reader.data), "bytes are left"

    @staticmethod
    def _texts(reader):
        return [reader.block().decode() for _ in range(reader.take("H"))]


class Reader:
    def __init__(self, data):
        self.data, self.offset = data, 0

    def take(self, form):
        value = struct.unpack_from(">" + form, self.data, self.offset)[0]
        self.offset += struct.calcsize(">" + form)
        return value

    def bytes(self, count):
        self.offset += count
        return self.data[self.offset - count : self.offset]

    def block(self):
        return self.bytes(self.take("I"))

    def attributes(self):
        self.take("B")
        values = {}
        for _ in range(self.take("H")):
            key, kind = self.bytes(4).decode(), self.take("B")
            if kind in (1, 2):
                values[key] = self.block()
            elif kind == 5:
                values[key] = self.bytes(5)
            else:
                values[key] = self.take("q" if kind == 3 else "d")
        return values

    def item(self):
        reference = self.bytes(self.take("B"))
        values = self.attributes() if self.take("B") else None
        data = self.block() if self.take("B") else None
        return reference, values, data


def greet(connection, data):
    """Sends the bytes in one message with an end of a pair of sockets."""
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with one, other:
        socket.send_fds(connection, [data], [one.fileno()])


class Client:
    """One connection, past the hello and the greeting."""

    def __init__(self, path, timeout=60, greeting=True):
        """path: of the service's socket; or a socket that is connected already. greeting: whether to send one."""
        self.socket = socket.socket(socket.AF_UNIX) if isinstance(path, str) else path
        # By the kernel: Python's own timeouts make the descriptor non-blocking, also for those it is passed on to.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", timeout, 0))
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", timeout, 0))
        if isinstance(path, str):
            self.socket.connect(path)
        kind, payload = self.receive()
        self.refusal = None
        self.nonce = b""
        if kind == HELLO:
            assert len(payload) == 16
            self.nonce = payload
            if greeting:
                self.greet()
        else:
            self.refusal = payload

    def greet(self):
        data = frame(GREETING, self.nonce)
        try:
            if isinstance(self.socket, socket.socket):
                greet(self.socket, data)
            else:
                self.socket.greet(data)
        except ConnectionError:
            raise Closed()

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def exactly(self, count):
        data = b""
        while len(data) < count:
            try:
                piece = self.socket.recv(count - len(data))
            except ConnectionError:
                raise Closed()
            if not piece:
                raise Closed()
            data += piece
        return data

    def receive(self):
        version, kind, reserved, length = struct.unpack(">BBHI", self.exactly(8))
        assert (version, reserved) == (1, 0)
        return kind, self.exactly(length)

    def send(self, data):
        try:
            self.socket.sendall(data)
        except ConnectionError:
            raise Closed()

    def answer(self):
        items = []
        while True:
            kind, payload = self.receive()
            reader = Reader(payload)
            status, reason, count = reader.take("i"), reader.take("B"), reader.take("I")
            items += [reader.item() for _ in range(count)]
            if kind == REPLY:
                self.rest = Reader(payload[reader.offset :])
                return Answer(status, reason, items)
            assert kind == ITEMS, kind

    def request(self, kind, payload=b"", nonce=None):
        self.send(frame(kind, (self.nonce if nonce is None else nonce) + payload))
        return self.answer()

    def add(self, values, secret, returning=0):
        return self.request(ADD, attributes(values) + bytes([returning]) + optional(block(secret)))

    def copy(self, values, limit=1, returning=DATA, group=None):
        return self.request(COPY, query(values, group=group) + struct.pack(">IB", limit, returning))

    def update(self, values, changes, secret=None):
        return self.request(
            UPDATE, query(values) + attributes(changes) + optional(None if secret is None else block(secret)))

    def delete(self, values):
        return self.request(DELETE, query(values))

    def in_keychain(self, name, kind, payload):
        """A request for the items of a keychain file."""
        return self.request(IN_KEYCHAIN, block(name) + bytes([kind]) + payload)

    def identity(self, subject=b"\1"):
        """How the service sees this process; or the status, if it does not say."""
        answer = self.request(IDENTITY, subject)
        return answer.status or Report(self.rest)

    def status(self):
        """The tier, the path and the groups of this process, as the service sees it."""
        answer = self.request(STATUS)
        if answer.status:
            return answer.status
        self.rest.block()
        self.rest.take("B")
        tier, path = self.rest.take("B"), self.rest.block().decode()
        return tier, path, [self.rest.block().decode() for _ in range(self.rest.take("H"))]
