# SPDX-License-Identifier: Apache-2.0
"""What each byte of an SQLite file and of its write-ahead log is for, read from SQLite's description of its format alone.

Only for whole files: what tests damage afterwards."""

import struct

LEAF, INTERIOR, INDEX_LEAF, INDEX_INTERIOR = 13, 5, 10, 2
LOG_HEADER, FRAME_HEADER = 32, 24


def varint(data, at):
    value = 0
    for length in range(1, 10):
        byte = data[at + length - 1]
        if length == 9:
            return value << 8 | byte, 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, length


class Database:
    """The pages of a database, by what they are for."""

    def __init__(self, data):
        self.data = data
        self.size = struct.unpack_from(">H", data, 16)[0]
        # By class: offsets.
        self.classes = {"header": list(range(100))}
        # By table and row number: the offsets of the row.
        self.rows = {}
        self.seen = set()
        schema = [self.record(payload) for _, _, payload in self.table(1, "schema")]
        for kind, name, _, root, _ in schema:
            # The content of a table without row numbers is in an index.
            if kind == "table" and root and data[self.start(root)] in (LEAF, INTERIOR):
                for number, places, _ in self.table(root, name):
                    self.rows[name, number] = places
            elif root:
                self.index(root)
        self.freelist()

    def note(self, name, places):
        self.classes.setdefault(name, []).extend(places)

    def start(self, page):
        return (page - 1) * self.size

    def page(self, number):
        """Returns the kind of a page of a tree, the places of its cells, and the page on its right."""
        self.seen.add(number)
        base = self.start(number)
        at = base + (100 if number == 1 else 0)
        kind = self.data[at]
        head = 12 if kind in (INTERIOR, INDEX_INTERIOR) else 8
        count = struct.unpack_from(">H", self.data, at + 3)[0]
        self.note("page header", range(at, at + head))
        self.note("cell pointers", range(at + head, at + head + 2 * count))
        cells = [base + struct.unpack_from(">H", self.data, at + head + 2 * n)[0] for n in range(count)]
        content = base + (struct.unpack_from(">H", self.data, at + 5)[0] or 65536)
        self.note("unused space", range(at + head + 2 * count, content))
        right = struct.unpack_from(">I", self.data, at + 8)[0] if head == 12 else None
        return kind, cells, right

    def table(self, number, name):
        """The rows of a table: number, places of all its bytes, payload."""
        kind, cells, right = self.page(number)
        for at in cells:
            if kind == INTERIOR:
                self.note("cells of inner pages", range(at, at + 4 + varint(self.data, at + 4)[1]))
                yield from self.table(struct.unpack_from(">I", self.data, at)[0], name)
                continue
            length, first = varint(self.data, at)
            row, second = varint(self.data, at + first)
            places, payload = self.payload(at + first + second, length, self.size - 35)
            self.note(f"rows of {name}", places)
            yield row, list(range(at, at + first + second)) + places, payload
        if right:
            yield from self.table(right, name)

    def index(self, number):
        kind, cells, right = self.page(number)
        for at in cells:
            if kind == INDEX_INTERIOR:
                self.index(struct.unpack_from(">I", self.data, at)[0])
                at += 4
            length, first = varint(self.data, at)
            most = (self.size - 12) * 64 // 255 - 23
            self.note("cells of indices", range(at, at + first))
            self.note("cells of indices", self.payload(at + first, length, most)[0])
        if right:
            self.index(right)

    def payload(self, at, length, most):
        least = (self.size - 12) * 32 // 255 - 23
        local = length
        if length > most:
            local = least + (length - least) % (self.size - 4)
            local = local if local <= most else least
        places = list(range(at, at + local))
        payload = self.data[at : at + local]
        if local < length:
            places += range(at + local, at + local + 4)
            following = struct.unpack_from(">I", self.data, at + local)[0]
            while following and len(payload) < length:
                self.seen.add(following)
                base = self.start(following)
                count = min(self.size - 4, length - len(payload))
                places += range(base, base + 4 + count)
                payload += self.data[base + 4 : base + 4 + count]
                following = struct.unpack_from(">I", self.data, base)[0]
        return places, payload

    def freelist(self):
        trunk = struct.unpack_from(">I", self.data, 32)[0]
        while trunk:
            base = self.start(trunk)
            following, count = struct.unpack_from(">II", self.data, base)
            self.note("freelist", range(base, base + 8 + 4 * count))
            for n in range(count):
                leaf = self.start(struct.unpack_from(">I", self.data, base + 8 + 4 * n)[0])
                self.note("free pages", range(leaf, leaf + self.size))
            trunk = following

    @staticmethod
    def record(payload):
        head, at = varint(payload, 0)
        kinds, values, body = [], [], head
        while at < head:
            kind, length = varint(payload, at)
            kinds.append(kind)
            at += length
        for kind in kinds:
            size = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind] if kind < 12 else (kind - 12) // 2
            piece = payload[body : body + size]
            body += size
            if kind >= 12:
                values.append(piece.decode() if kind % 2 else piece)
            elif kind in (8, 9):
                values.append(kind - 8)
            else:
                values.append(int.from_bytes(piece, "big", signed=True) if size else None)
        return values


def log_classes(data):
    """The same of a write-ahead log."""
    size = struct.unpack_from(">I", data, 8)[0]
    classes = {"log header": list(range(LOG_HEADER)), "frame headers": [], "frame contents": []}
    at = LOG_HEADER
    while at + FRAME_HEADER + size <= len(data):
        classes["frame headers"] += range(at, at + FRAME_HEADER)
        classes["frame contents"] += range(at + FRAME_HEADER, at + FRAME_HEADER + size)
        at += FRAME_HEADER + size
    return classes
