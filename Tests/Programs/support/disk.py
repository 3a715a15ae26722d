# SPDX-License-Identifier: Apache-2.0
"""A disk that loses its power: the possible content of a folder after any moment, computed from the operations until then.

disk_log.c records the operations of a program. Here is the model of the disk, as file systems for Linux promise no more:

- Data written to a file is kept from its next sync on. Before, each sector of 512 bytes of each write, and each cut, is
  kept or lost by itself, whatever was done later.
- A new name, a new folder, a renaming and an unlinking are kept from the next sync of their folder on, a new name also by the next
  sync of its file. Before, they are kept up to one of them and lost from there on: file systems have journals for them.
"""

import os
import struct
import subprocess

OPENED, WRITTEN, CUT, SYNCED, RENAMED, LINKED, UNLINKED, MADE = range(1, 9)
HEAD = struct.Struct("<IIIIQQQ")
SECTOR = 512


def build(folder):
    """The library to preload, compiled into the folder."""
    library = os.path.join(folder, "disk_log.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "disk_log.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, source], check=True)
    os.chmod(library, 0o755)
    return library


class Record:
    def __init__(self, data, at):
        (self.kind, first, second, _, self.inode, self.offset, count) = HEAD.unpack_from(data, at)
        at += HEAD.size
        self.path = data[at:at + first].decode()
        self.other = data[at + first:at + first + second].decode()
        at += first + second
        self.data = data[at:at + count]
        self.end = at + count


def records(log):
    with open(log, "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        record = Record(data, at)
        yield record
        at = record.end


class File:
    def __init__(self, is_folder=False):
        self.is_folder = is_folder
        self.kept = bytearray()
        self.pending = []


def write(contents, offset, data):
    if len(contents) < offset:
        contents.extend(bytes(offset - len(contents)))
    contents[offset:offset + len(data)] = data


def apply(contents, record):
    if record.kind == WRITTEN:
        write(contents, record.offset, record.data)
    elif record.offset < len(contents):
        del contents[record.offset:]
    else:
        contents.extend(bytes(record.offset - len(contents)))


class Disk:
    """The state of the disk, as records come in."""

    def __init__(self, root):
        self.root = root
        # By the number that names it now: numbers of files that are gone are used again.
        self.files = {}
        # By path: the file. `now` is what programs see.
        self.now, self.kept = {}, {}
        # Changes of names that are not kept yet, in order: (folder, change, new file or None).
        self.names = []
        # Of the log, as far as it was read.
        self.length = 0

    @classmethod
    def holding(cls, root):
        """With what the folder holds, all of it kept."""
        disk = cls(root)
        for folder, _, names in os.walk(root):
            for path in [folder, *(os.path.join(folder, name) for name in names)]:
                file = disk.files.setdefault(os.stat(path).st_ino, File(os.path.isdir(path)))
                if not file.is_folder:
                    with open(path, "rb") as source:
                        file.kept[:] = source.read()
                disk.now[path] = disk.kept[path] = file
        return disk

    def add(self, record):
        self.length = record.end
        kind, path = record.kind, record.path
        if kind == OPENED:
            self.opened(record)
        elif kind == MADE:
            self.name(path, record.inode, File(True))
        elif kind == LINKED:
            self.name(path, record.inode, self.files.setdefault(record.inode, File()))
        elif kind == UNLINKED:
            self.change(path, lambda names: names.pop(path, None))
        elif kind == RENAMED:
            def take(names, path):
                return {old[len(path):]: names.pop(old) for old in list(names) if (old + "/").startswith(path + "/")}

            def rename(names):
                moved, there = take(names, path), take(names, record.other)
                names.update({record.other + rest: file for rest, file in moved.items()})
                # RENAME_EXCHANGE
                if record.offset & 2:
                    names.update({path + rest: file for rest, file in there.items()})
            self.change(path, rename)
        elif kind == SYNCED:
            self.sync(self.files[record.inode])
        else:
            self.files[record.inode].pending.append(record)

    def opened(self, record):
        path, is_folder = record.path, bool(record.offset)
        if path.endswith(" (deleted)"):
            # Without a name, for now or for ever.
            self.files.setdefault(record.inode, File(is_folder))
        elif path == self.root:
            file = self.files.setdefault(record.inode, File(is_folder))
            self.kept[path] = self.now[path] = file
        elif path not in self.now or self.now[path] is not self.files.get(record.inode):
            # What has this number may be gone, and this another file.
            is_there = any(file is self.files.get(record.inode) for file in self.now.values())
            self.name(path, record.inode, self.files[record.inode] if is_there else File(is_folder))

    def name(self, path, inode, file):
        self.files[inode] = file
        self.change(path, lambda names: names.update({path: file}), file)

    def change(self, path, change, file=None):
        change(self.now)
        self.names.append((os.path.dirname(path), change, file))

    def sync(self, file):
        if file.is_folder:
            paths = {path for path, other in self.now.items() if other is file}
            concerned = [place for place, entry in enumerate(self.names) if entry[0] in paths]
        else:
            for record in file.pending:
                apply(file.kept, record)
            file.pending = []
            concerned = [place for place, entry in enumerate(self.names) if entry[2] is file]
        if concerned:
            # In order: a journal keeps what came before as well.
            for _, change, _ in self.names[:concerned[-1] + 1]:
                change(self.kept)
            del self.names[:concerned[-1] + 1]

    def cut_power(self, dice, target):
        """Makes what may be left, in the folder `target`."""
        names = dict(self.kept)
        for _, change, _ in self.names[:dice.randint(0, len(self.names))]:
            change(names)
        mood = dice.choice(["nothing", "everything", "whole", "sectors", "sectors", "late"])
        os.mkdir(target, 0o700)
        # By file: its first name.
        placed = {}
        for path in sorted(names):
            file = names[path]
            place = target + path[len(self.root):]
            if place == target or path.endswith("-shm"):
                continue
            if not os.path.isdir(os.path.dirname(place)):
                continue
            if file.is_folder:
                os.mkdir(place, 0o700)
                continue
            if file in placed:
                os.link(placed[file], place)
                continue
            placed[file] = place
            with open(place, "wb") as out:
                out.write(self.contents(file, dice, mood))
            os.chmod(place, 0o600)

    @staticmethod
    def contents(file, dice, mood):
        contents = bytearray(file.kept)
        if mood == "nothing":
            return contents
        for number, record in enumerate(file.pending):
            if mood == "everything":
                apply(contents, record)
            elif mood == "whole" or record.kind == CUT:
                if dice.random() < 0.5:
                    apply(contents, record)
            elif mood == "late":
                # The last is there, and what came before it is not.
                if number == len(file.pending) - 1:
                    apply(contents, record)
            else:
                start = record.offset
                while start < record.offset + len(record.data):
                    end = min((start // SECTOR + 1) * SECTOR, record.offset + len(record.data))
                    if dice.random() < 0.5:
                        write(contents, start, record.data[start - record.offset:end - record.offset])
                    start = end
        return contents
