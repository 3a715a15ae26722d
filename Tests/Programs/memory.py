# SPDX-License-Identifier: Apache-2.0
"""The service's memory: an image of it, taken as root, is searched for keys and for the content of items.

No process can read pages of memfd_secret in this way. If the kernel has them, keys are in such pages and must be
nowhere else. If it has none (here: because no memory may be locked), they are in mappings that are left out of core
files, and must be nowhere else either.

The limit: when the service waits for the next request, no data of the previous request's item is left.
"""

import ctypes
import errno
import hashlib
import os
import platform
import resource
import select
import signal
import socket
import sqlite3
import struct
import sys

import pytest

from support.instance import is_root, read_text, root_of_repository, wait_until
from support.owner import (
    ADD_PROTECTOR, LOCK, PASSCODE, RECOVERY_KEY, REMOVE_PASSCODE, UNLOCK, VERIFY, administer, change_passcode, secret,
    start_with_passcode, unlock)
from support.sentences import cases, contains, equal, lacks, ordinary, own_services
from support.wire import (
    ADD, ATTRIBUTES, COPY, DATA, Client, attributes, block, frame, optional, query, with_password)

sys.path.insert(0, os.path.join(root_of_repository, "TestVectors"))
import verify  # noqa: E402


class Mapping:
    def __init__(self, head, flags):
        addresses, self.access, *rest = head.split(None, 5)
        self.start, self.end = (int(text, 16) for text in addresses.split("-"))
        self.name = rest[3].strip() if len(rest) > 3 else ""
        self.flags = flags

    @property
    def is_kept_from_dumps(self):
        return "dd" in self.flags


def mappings(pid):
    found, head = [], None
    for line in read_text(f"/proc/{pid}/smaps").splitlines():
        if line.startswith("VmFlags:"):
            found.append(Mapping(head, line.split()[1:]))
        elif "-" in line.split(None, 1)[0] and not line.split(None, 1)[0].endswith(":"):
            head = line
    return found


class NotAtRest(Exception):
    """A thread worked, or ended, while the process was read."""


# The calls in which a thread of the service waits: poll, ppoll, recvmsg, futex, and restart_syscall, which continues
# one of them after its registers were read. A thread that waits in another call, for a disk or for the memory map, is
# in the middle of its work.
waiting_calls = {
    "x86_64": ("7", "271", "47", "202", "219"),
    "aarch64": ("73", "212", "98", "128"),
}.get(platform.machine(), ())


def threads(pid):
    return sorted(os.listdir(f"/proc/{pid}/task"))


def waits(pid, thread):
    return read_text(f"/proc/{pid}/task/{thread}/syscall").split()[:1] in [[call] for call in waiting_calls]


def look(pid):
    """How often each thread has run, if all of them wait. Two equal looks show that no thread ran between them."""
    try:
        counts = {}
        for thread in threads(pid):
            if not waits(pid, thread):
                raise NotAtRest
            lines = read_text(f"/proc/{pid}/task/{thread}/status").splitlines()
            counts[thread] = [line for line in lines if "ctxt_switches" in line]
        return counts
    except OSError:
        raise NotAtRest from None


class Buffer(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("size", ctypes.c_size_t)]


PTRACE_DETACH, PTRACE_GETREGSET, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4204, 0x4206, 0x4207
# NT_X86_XSTATE; elsewhere NT_PRFPREG.
vector_registers = 0x202 if platform.machine() == "x86_64" else 2
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def trace(request, thread, address=None, data=None):
    if libc.ptrace(request, thread, address, data) < 0:
        number = ctypes.get_errno()
        raise NotAtRest if number == errno.ESRCH else OSError(number, "ptrace")


def registers(pid, thread):
    """The vector registers of a thread that waits. The call that it waits in begins anew afterwards."""
    content = ctypes.create_string_buffer(1 << 16)
    buffer = Buffer(ctypes.addressof(content), len(content))
    trace(PTRACE_SEIZE, int(thread))
    try:
        trace(PTRACE_INTERRUPT, int(thread))
        _, status = os.waitpid(int(thread), 0x40000000)  # __WALL
        # A thread that was interrupted outside of a call, or in another one, has no such call here.
        if not os.WIFSTOPPED(status) or not waits(pid, thread):
            raise NotAtRest
        trace(PTRACE_GETREGSET, int(thread), vector_registers, ctypes.addressof(buffer))
        return content.raw[: buffer.size]
    finally:
        trace(PTRACE_DETACH, int(thread))


def pieces(content):
    """What registers hold, in pieces of 16 bytes: a wide register is in several of them. Without zeros and masks of
    comparisons, which are in texts of any kind."""
    found = {content[start : start + 16] for start in range(0, len(content), 16)}
    return {piece for piece in found if len(piece) == 16 and len(set(piece)) > 4}


def written_parts(start, content):
    """The runs of pages in which there is anything but zeros, with their addresses: most of a stack was never written to, and
    an image is searched for hundreds of values."""
    size = os.sysconf("SC_PAGE_SIZE")
    zeros, run = bytes(size), None
    for place in range(0, len(content) + size, size):
        is_written = content[place : place + size] not in (zeros, b"")
        if is_written and run is None:
            run = place
        elif not is_written and run is not None:
            yield start + run, content[run:place]
            run = None


class Image:
    """The memory of a process that waits, as far as it can be read, and the vector registers of its threads."""

    def __init__(self, pid):
        wait_until(lambda: self._take(pid), what="the service's rest")
        assert sum(len(content) for _, _, content in self.parts) > 1_000_000, "this is no image of a whole process"

    def _take(self, pid):
        """Whether no thread ran while the process was read."""
        self.parts, self.unreadable = [], []
        try:
            before = look(pid)
            self._read(pid)
            if look(pid) != before:
                return False
            self.registers = {thread: pieces(registers(pid, thread)) for thread in before}
            return threads(pid) == list(before)
        except NotAtRest:
            return False

    def _read(self, pid):
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
            for mapping in mappings(pid):
                if "r" not in mapping.access or mapping.name in ("[vvar]", "[vvar_vclock]", "[vsyscall]"):
                    continue
                if "w" not in mapping.access and mapping.name.startswith("/"):
                    # The program's code and constants, as they are in its file.
                    continue
                try:
                    memory.seek(mapping.start)
                    left, pieces = mapping.end - mapping.start, []
                    while left:
                        piece = memory.read(left)
                        if not piece:
                            break
                        pieces.append(piece)
                        left -= len(piece)
                    self.parts += [(mapping, start, part) for start, part in written_parts(mapping.start, b"".join(pieces))]
                except OSError:
                    self.unreadable.append(mapping)

    def places(self, needle, outside=lambda mapping: True):
        """Where the bytes are."""
        found = []
        for mapping, start, content in self.parts:
            place = content.find(needle) if outside(mapping) else -1
            while place >= 0:
                where = mapping.name or f"{mapping.access} of {(mapping.end - mapping.start) // 1024} KiB"
                found.append(f"{start + place:x} in {where}, {mapping.end - start - place} from its end")
                place = content.find(needle, place + 1)
        return found

    def register_places(self, value):
        """The threads with a register that holds 16 bytes of the value."""
        return [f"a register of thread {thread}" for thread, held in self.registers.items()
                if any(piece in value for piece in held)]


def forms(value):
    """A value as it might stand in memory."""
    if isinstance(value, str):
        return {"": value.encode(), " (UTF-16)": value.encode("utf-16-le")}
    found = {"": value, " (hexadecimal)": value.hex().encode()}
    if len(value) == 32:
        # As HMAC's state takes a key in.
        for name, byte in [("inner", 0x36), ("outer", 0x5C)]:
            found[f" ({name} pad of HMAC)"] = bytes(part ^ byte for part in value)
    return found


class Needle:
    """Of a long value: the part that is looked for in memory. In registers, 16 bytes from anywhere in it are looked for."""

    def __init__(self, value, part):
        self.value, self.part = value, part


def absent(image, values, outside=lambda mapping: True):
    """Fails with the names and places of the values that are in the image."""
    found = []
    for name, value in values.items():
        needle = value if isinstance(value, Needle) else Needle(value, value)
        for form, part in forms(needle.part).items():
            places = image.places(part, outside)
            if places:
                found.append(f"{name}{form}: {len(places)} times, first at " + "; ".join(places[:4]))
        for form, whole in forms(needle.value).items():
            places = image.register_places(whole)
            if places:
                found.append(f"{name}{form}: in " + "; ".join(places))
    assert not found, "\n".join(found)


def unique(prefix=""):
    return prefix + os.urandom(16).hex()


def device_key(it):
    with open(os.path.join(it.data, "device.key"), "rb") as file:
        return verify.open_device_key(file.read())


def database(it):
    return sqlite3.connect(f"file:{it.database}?mode=ro", uri=True)


def keys(it, passcode=None):
    """All keys of a keychain, by name, those of its items included."""
    key = device_key(it)
    connection = database(it)
    (keybag,) = connection.execute("SELECT bytes FROM keybag").fetchone()
    keybag_key, index_key, classes = verify.open_keybag(keybag, key, passcode and (verify.PASSCODE, passcode))
    found = {"the device key": key, "the keybag key": keybag_key, "the index key": index_key}
    for name in ["code", "seal"]:
        found[f"the contents {name} key"] = verify.contents_key(name, key, keybag)
    for name, (class_key, metadata_key) in classes.items():
        found[f"the class key {name}"] = class_key
        found[f"the metadata key {name}"] = metadata_key
    names = {number: name for name, number in verify.ACCESSIBILITIES.items()}
    for table in ["genp", "inet"]:
        rows = connection.execute(f"SELECT id, accessibility, item_key FROM {table}").fetchall()
        for number, accessibility, wrapped in rows:
            found[f"the key of item {number}"] = verify.unwrap(classes[names[accessibility]][0], wrapped)
    connection.close()
    return found


def until_closed(client):
    """Waits until the service has closed the connection."""
    poll = select.poll()
    poll.register(client.socket, 0)
    assert poll.poll(60_000), "the service did not close the connection within 60 seconds"


def need_root():
    if not is_root:
        pytest.skip("only root may read the service's memory")


def test_the_image_that_is_searched_holds_what_the_service_holds_and_its_secret_pages_are_not_in_it(it):
    need_root()
    it.start()
    it.set("name", "secret")
    image = Image(it.daemon.pid)
    # The path of its database is known to every connection.
    assert image.places(it.database.encode())
    on = [text for text in it.status()["protections"] if text == "keys in memfd_secret pages: on"]
    if on:
        assert [mapping for mapping in image.unreadable if "secretmem" in mapping.name], "no secret pages"
    # The same image would show a key that is in ordinary memory: the group's name is there, the group's digest too.
    assert image.places(it.status()["groups"][0].encode())


@own_services
def test_keys_are_in_secret_pages_and_nowhere_else(it):
    need_root()
    it.start()
    with Client(it.socket_path) as client:
        for number in range(20):
            protection = list(verify.ACCESSIBILITIES)[number % 6]
            values = {"svce": "s", "acct": f"account {number}", "pdmn": protection}
            equal(client.add(values, unique().encode()).status, 0)
            equal(client.copy({"acct": f"account {number}"}, returning=DATA | ATTRIBUTES).status, 0)
        equal(len(client.copy({"svce": "s"}, limit=100, returning=DATA | ATTRIBUTES).items), 20)
        equal(client.update({"svce": "s"}, {"labl": "changed"}).status, 0)
        all_keys = keys(it)
        equal(len(all_keys), 37)
        absent(Image(it.daemon.pid), all_keys, outside=lambda mapping: not mapping.is_kept_from_dumps)


@ordinary
def test_where_there_are_no_secret_pages_keys_are_only_in_memory_that_no_core_file_has(it):
    need_root()
    # Secret pages count as locked memory.
    it.start(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0)))
    equal(it.status()["protections"][-1], "keys in memfd_secret pages: not supported")
    for number in range(5):
        it.set(f"name {number}", unique())
        it.get(f"name {number}")
    all_keys = keys(it)
    equal(len(all_keys), 22)
    image = Image(it.daemon.pid)
    absent(image, all_keys, outside=lambda mapping: not mapping.is_kept_from_dumps)
    # Where they should be they are found: the search can find keys.
    for name in ["the class key ak", "the metadata key dku", "the contents seal key"]:
        assert image.places(all_keys[name]), name


def item(size):
    values = {
        "svce": unique("service "), "acct": unique("account "), "labl": unique("label "), "desc": os.urandom(4).hex(),
        "icmt": unique("comment ") * 40, "gena": os.urandom(24),
    }
    return values, os.urandom(size)


def needles(values, data):
    found = {f"the attribute {key}": Needle(value, value[:40]) for key, value in values.items()}
    found["the beginning of the secret"] = Needle(data, data[:24])
    if len(data) > 48:
        found["the middle of the secret"] = data[len(data) // 2 :][:24]
        found["the end of the secret"] = data[-24:]
    return found


def test_nothing_of_an_items_own_password_is_left_nor_what_it_was_stretched_to(it):
    need_root()
    it.start()
    password, secret = unique("password "), unique().encode()
    values = {"svce": "vault", "accc": (1, 1 << 31)}
    with Client(it.socket_path) as client:
        done = client.request(*with_password(
            ADD, attributes(values) + b"\0" + optional(block(secret)), password))
        equal(done.status, 0)
        find = query({"svce": "vault"}) + struct.pack(">IB", 1, DATA)
        equal(client.request(*with_password(COPY, find, unique("password "))).status, -25293)
        done = client.request(*with_password(COPY, find, password))
        equal((done.status, done.items[0][-1]), (0, secret))
        with database(it) as connection:
            ((column,),) = connection.execute("SELECT item_key FROM genp").fetchall()
            ((keybag,),) = connection.execute("SELECT bytes FROM keybag").fetchall()
        log_n, r, p = struct.unpack(">BII", column[5:14])
        salt = b"chatelaine application password v1" + keybag[24:56]
        stretched = hashlib.scrypt(
            password.encode(), salt=salt, n=1 << log_n, r=r, p=p, maxmem=1 << 28, dklen=32)
        absent(Image(it.daemon.pid), {"the password": password, "what it became": stretched, "the secret": secret})
    with open(it.database, "rb") as file:
        assert password.encode() not in file.read()


@pytest.mark.parametrize("user, size", [
    *(("own", size) for size in [12, 32, 1000, 30_000, 300_000, 4_000_000]), ("own in system", 32), ("own in system", 300_000)])
def test_nothing_of_an_item_of_bytes_is_left_when_the_service_waits_for_the_next_request(it, size):
    need_root()
    it.start()
    values, data = item(size)
    other_values, other_data = item(size)
    reference = {"acct": values["acct"], "svce": values["svce"]}
    with Client(it.socket_path) as client, Client(it.socket_path) as second:
        equal(client.add(values, data, returning=DATA | ATTRIBUTES).status, 0)
        absent(Image(it.daemon.pid), needles(values, data))
        equal(client.add(other_values, other_data).status, 0)
        # Twice in one answer, by another connection's thread as well, and not found.
        for asking in [client, second]:
            equal(len(asking.copy({}, limit=100, returning=DATA | ATTRIBUTES).items), 2)
            equal(asking.copy(reference, returning=DATA | ATTRIBUTES).items[0][2], data)
            equal(asking.copy(dict(reference, labl=other_values["labl"])).status, -25300)
        absent(Image(it.daemon.pid), {**needles(values, data), **needles(other_values, other_data)})
        equal(client.add(values, data).status, -25299)
        absent(Image(it.daemon.pid), needles(values, data))
        changed, new_data = item(size)
        changes = {key: changed[key] for key in ["labl", "desc", "icmt"]}
        equal(client.update(reference, changes, new_data).status, 0)
        equal(client.update(reference, {"gena": changed["gena"]}).status, 0)
        absent(Image(it.daemon.pid), {**needles(values, data), **needles(changed, new_data)})
        equal(client.delete({"gena": changed["gena"]}).status, 0)
        absent(Image(it.daemon.pid), {**needles(values, data), **needles(changed, new_data)})
        for ending in [client, second]:
            ending.socket.shutdown(socket.SHUT_WR)
            until_closed(ending)
    # Nor of a connection that has ended.
    absent(Image(it.daemon.pid), {**needles(values, data), **needles(other_values, other_data)})


def test_nothing_of_the_texts_that_a_word_was_compared_with_is_left(it):
    need_root()
    it.start()
    names = [unique() for _ in range(40)]
    for name in names:
        it.set("Name " + name, unique())
    # The first search opens all items, and the next one reads the list of their texts that the first one made.
    for _ in range(2):
        contains(it.run("chatelaine", "list", "NAME " + names[7][:20].upper(), check=0).out, names[7])
        absent(Image(it.daemon.pid), {f"the name {number}": name for number, name in enumerate(names)})


def test_nothing_of_an_item_is_left_when_its_answer_finds_the_client_gone(it):
    need_root()
    it.start()
    # The stack has whole values of short secrets, and little of long ones.
    items = [item(size) for size in [12, 1000]]
    with Client(it.socket_path) as client:
        for values, data in items:
            equal(client.add(values, data).status, 0)
        for values, data in items:
            with Client(it.socket_path) as gone:
                # From now on the service cannot send, and receives still.
                gone.socket.shutdown(socket.SHUT_RD)
                find = query({"acct": values["acct"]}) + struct.pack(">IB", 1, DATA | ATTRIBUTES)
                gone.send(frame(COPY, gone.nonce + find))
                until_closed(gone)
            # glibc keeps the stack of the thread that has ended.
            absent(Image(it.daemon.pid), needles(values, data))


def test_a_thread_that_waits_has_nothing_of_an_item_in_its_registers(it):
    need_root()
    it.start()
    with Client(it.socket_path) as client:
        for size in [12, 32, 64, 200, 1000]:
            values, data = item(size)
            held = {**{f"the attribute {key}": value for key, value in values.items()}, "the secret": data}
            reference = {"acct": values["acct"]}
            for step in [
                    lambda: client.add(values, data), lambda: client.copy(reference, returning=DATA | ATTRIBUTES),
                    lambda: client.copy({}, limit=100, returning=DATA | ATTRIBUTES),
                    lambda: client.update(reference, {"labl": "another"}), lambda: client.delete(reference)]:
                equal(step().status, 0)
                image = Image(it.daemon.pid)
                assert len(image.registers) > 1, "no register was read"
                for name, value in held.items():
                    for form, whole in forms(value).items():
                        equal((name, form, image.register_places(whole)), (name, form, []))


# With a passcode

passcode = "a passcode of the owner's".encode()
classes_that_need_unlocking = ["ak", "aku", "akpu"]


def refuse_secret_pages():
    """A filter for this process and its children: memfd_secret (447) fails, as on a kernel that has no such call."""
    load_number, equal_447, refuse, allow = (
        struct.pack("HBBI", *each)
        for each in [(0x20, 0, 0, 0), (0x15, 0, 1, 447), (0x06, 0, 0, 0x00050000 | errno.ENOSYS), (0x06, 0, 0, 0x7FFF0000)])
    program = ctypes.create_string_buffer(load_number + equal_447 + refuse + allow)
    head = ctypes.create_string_buffer(struct.pack("H6xP", 4, ctypes.addressof(program)))
    libc = ctypes.CDLL(None, use_errno=True)
    # PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP with SECCOMP_MODE_FILTER.
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, head, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def keys_by_state(it, given=passcode):
    """The keys that no state leaves in ordinary memory, and of them those of the classes that are locked."""
    found = keys(it, given)
    locked = {
        name: key for name, key in found.items()
        if name.split()[-1] in classes_that_need_unlocking or name == "the keybag key" or " item " in name}
    return found, locked


def passcodes(*given):
    found = {}
    for text in given:
        found[f"the passcode {text.decode()}"] = text
        found[f"the passcode {text.decode()} in UTF-16"] = text.decode().encode("utf-16-le")
    return found


@cases("_, without_secret_pages", [("", False), (", where there are no secret pages as well", True)])
def test_passcode_keys_and_items_in_no_state_more_is_in_memory_than_the_state_allows(it, _, without_secret_pages):
    need_root()
    more = {}
    if without_secret_pages:
        # All memory can be read then, so the test can check that data was wiped.
        more = dict(preexec_fn=refuse_secret_pages)
    start_with_passcode(it, passcode, **more)
    pid = it.daemon.pid
    ordinary = dict(outside=lambda mapping: not mapping.is_kept_from_dumps)
    with Client(it.socket_path) as client:
        equal(client.status()[0] > 0, True)
        absent(Image(pid), passcodes(passcode))
        found = []
        for name in verify.ACCESSIBILITIES:
            values, data = item(200)
            equal(client.add(dict(values, pdmn=name), data).status, 0)
            equal(client.copy({"acct": values["acct"]}, returning=DATA | ATTRIBUTES).status, 0)
            found.append(needles(values, data))
        all_items = {f"{name} of item {number}": value
                     for number, each in enumerate(found) for name, value in each.items()}
        all_keys, locked_keys = keys_by_state(it)
        equal(len(locked_keys), 7 + 7)

        # Unlocked.
        if without_secret_pages:
            assert Image(pid).places(all_keys["the class key ak"]), "the search finds keys"
        absent(Image(pid), {**all_keys, **all_items, **passcodes(passcode)}, **ordinary)
        # Locked, and a wrong passcode in between.
        equal(administer(client, LOCK), 0)
        absent(Image(pid), {**locked_keys, **all_items, **passcodes(passcode)})
        wrong = b"not the passcode at all"
        assert unlock(client, wrong) != 0
        absent(Image(pid), {**locked_keys, **all_items, **passcodes(passcode, wrong)})
        # Unlocked again; verified; locked again.
        equal(unlock(client, passcode), 0)
        absent(Image(pid), {**all_keys, **all_items, **passcodes(passcode)}, **ordinary)
        equal(administer(client, VERIFY, secret(PASSCODE, passcode)), 0)
        absent(Image(pid), {**all_keys, **all_items, **passcodes(passcode)}, **ordinary)
        # Another passcode, other protectors.
        other = "quite another one, äöü".encode()
        recovery = os.urandom(16)
        equal(change_passcode(client, passcode, other), 0)
        equal(administer(
            client, ADD_PROTECTOR, secret(PASSCODE, other), block("mine"), secret(RECOVERY_KEY, recovery)), 0)
        absent(Image(pid), {**all_keys, **all_items, **passcodes(passcode, other), "the recovery key": recovery},
               **ordinary)
        equal(administer(client, LOCK), 0)
        absent(Image(pid), {**locked_keys, **all_items, **passcodes(passcode, other), "the recovery key": recovery})
        equal(administer(client, UNLOCK, secret(RECOVERY_KEY, recovery)), 0)
        absent(Image(pid), {"the recovery key": recovery, **all_keys}, **ordinary)
    # After a start, before the first unlock: no key of a class but those that are always there.
    it.daemon.send_signal(signal.SIGKILL)
    it.daemon.wait()
    it.start(**more)
    pid = it.daemon.pid
    needs_passcode = {
        name: key for name, key in all_keys.items()
        if name.split()[-1] in ["ak", "ck", "aku", "cku", "akpu"] or name == "the keybag key"}
    with Client(it.socket_path) as client:
        absent(Image(pid), {**needs_passcode, **all_items, **passcodes(passcode, other)})
        equal(unlock(client, other), 0)
        absent(Image(pid), {**all_keys, **all_items, **passcodes(other)}, **ordinary)
        equal(administer(client, REMOVE_PASSCODE, secret(PASSCODE, other)), 0)
        # Removed: the class that needs a passcode has no key any more, and its items are gone.
        gone = {name: key for name, key in all_keys.items() if name.endswith("akpu") or name == "the keybag key"}
        equal(len(gone), 3)
        absent(Image(pid), {**gone, **all_items, **passcodes(passcode, other)})
        absent(Image(pid), keys(it), **ordinary)


@cases("when", ["with an open keychain", "when the keychain was locked"])
def test_a_service_that_crashes_says_nothing_of_its_memory_and_leaves_no_core_file(it, when):
    start_with_passcode(it, passcode)
    values, data = item(200)
    with Client(it.socket_path) as client:
        equal(client.add(values, data).status, 0)
        if "locked" in when:
            equal(administer(client, LOCK), 0)
        it.daemon.send_signal(signal.SIGSEGV)
        _, status = os.waitpid(it.daemon.pid, 0)
    it.daemon.returncode = -signal.SIGSEGV
    it.daemon = None
    equal((os.WTERMSIG(status), os.WCOREDUMP(status)), (signal.SIGSEGV, False))
    equal([name for _, _, names in os.walk(it.scratch) for name in names if "core" in name], [])
    lacks(read_text(it.log), values["acct"], passcode.decode(), "0x", "Crash", "crash", "Backtrace", "Registers", "rax")
