#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the test vectors without any of the code that made them.

Written from Documentation/Formats alone; needs Python 3 and the package `cryptography`.
Run: python3 TestVectors/verify.py [file ...]
"""

import hashlib
import hmac
import json
import struct
import sys
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap

ITEM_CLASSES = {"genp": 1, "inet": 2, "cert": 3, "keys": 4, "idnt": 5}
ACCESSIBILITIES = {"ak": 1, "ck": 2, "dk": 3, "aku": 4, "cku": 5, "dku": 6, "akpu": 7}
KEYBAG_CLASSES = ["ak", "ck", "dk", "aku", "cku", "dku"]
DEVICE_KEY, PASSCODE, RECOVERY_KEY, LOGIN_PASSWORD, CREDENTIAL = 1, 2, 3, 4, 5


class Refused(Exception):
    """An outcome other than "opens"; its text is the outcome's name."""


def need(condition, outcome="damaged"):
    if not condition:
        raise Refused(outcome)


class Reader:
    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, count):
        need(self.place + count <= len(self.data))
        self.place += count
        return self.data[self.place - count : self.place]

    def end(self):
        need(self.place == len(self.data))


def magic(reader, name):
    need(reader.take(7) == name)
    need(reader.take(1) == b"\x01", "unsupported-version")


def unwrap(key, wrapped):
    need(len(wrapped) == 40)
    try:
        return aes_key_unwrap(key, wrapped)
    except InvalidUnwrap:
        raise Refused("damaged")


# device-key.md


def open_device_key(data):
    reader = Reader(data)
    magic(reader, b"CHTLDEV")
    key = reader.take(32)
    need(reader.take(32) == hashlib.sha256(data[:40]).digest())
    reader.end()
    return key


# keybag.md


def read_protector(reader):
    start = reader.place
    kind = reader.take(1)[0]
    need(1 <= kind <= 5)
    number, added = struct.unpack(">Id", reader.take(12))
    label = reader.take(reader.take(1)[0])
    need(len(label) <= 64)
    label.decode()
    stretching = None
    if kind in (PASSCODE, LOGIN_PASSWORD):
        log_n, r, p = struct.unpack(">BII", reader.take(9))
        need(1 <= log_n <= 17 and 1 <= r <= 32 and 1 <= p <= 16 and r << log_n <= 1 << 20)
        stretching = (log_n, r, p, reader.take(32))
    head = reader.data[start : reader.place]
    return {"kind": kind, "number": number, "stretching": stretching, "head": head, "wrapped": reader.take(40)}


def open_keybag(data, device_key, secret=None):
    """secret is (kind, bytes); without one, only the classes that need no more than the device key are opened."""
    reader = Reader(data)
    magic(reader, b"CHTLKBG")
    identifier, salt = reader.take(16), reader.take(32)
    protectors = [read_protector(reader) for _ in range(reader.take(1)[0])]
    need(protectors)
    is_protected = protectors[0]["kind"] != DEVICE_KEY
    if is_protected:
        kinds = [each["kind"] for each in protectors]
        places = [(each["kind"], each["number"]) for each in protectors]
        need(kinds[0] == PASSCODE and places == sorted(places))
        need(len({number for _, number in places}) == len(places))
        need(all(kinds.count(kind) <= (8 if kind == CREDENTIAL else 1) for kind in kinds))
    else:
        need(len(protectors) == 1)
    names = KEYBAG_CLASSES + (["akpu"] if is_protected else [])
    need(reader.take(1) == bytes([len(names)]))
    wrapped = {}
    for name in names:
        need(reader.take(1)[0] == ACCESSIBILITIES[name])
        wrapped[name] = (reader.take(40), reader.take(40))
    wrapped_index_key = reader.take(40)
    reader.end()

    def derive(label, number, material, context=b""):
        info = label + bytes([number]) + identifier + context
        return HKDF(SHA256(), 32, salt, info).derive(material)

    def open_protector(protector, material):
        label = b"chatelaine keybag protector v1"
        key = derive(label, protector["kind"], material + device_key, protector["head"])
        return unwrap(key, protector["wrapped"])

    def open_with_secret():
        kind, given = secret
        candidates = [each for each in protectors if each["kind"] == kind]
        need(candidates, "no-such-protector")
        for protector in candidates:
            material = given
            if protector["stretching"]:
                log_n, r, p, scrypt_salt = protector["stretching"]
                memory = 132 * r * ((1 << log_n) + p) + 1024
                material = hashlib.scrypt(given, salt=scrypt_salt, n=1 << log_n, r=r, p=p, maxmem=memory, dklen=32)
            try:
                return open_protector(protector, material)
            except Refused:
                pass
        raise Refused("wrong-secret")

    found = {}
    try:
        found["index"] = unwrap(derive(b"chatelaine keybag index v1", 0, device_key), wrapped_index_key)
    except Refused:
        pass
    if not is_protected:
        try:
            found["keybag"] = open_protector(protectors[0], b"")
        except Refused:
            pass
        need(found, "wrong-device-key")
        need(len(found) == 2)
    else:
        need(found, "wrong-device-key")
        if secret:
            found["keybag"] = open_with_secret()

    classes = {}
    for name, (class_key, metadata_key) in wrapped.items():
        if name not in ("dk", "dku") and "keybag" not in found:
            continue
        material = b"" if name in ("dk", "dku") else found["keybag"]
        material += b"" if name in ("ak", "ck") else device_key
        class_key = unwrap(derive(b"chatelaine keybag class v1", ACCESSIBILITIES[name], material), class_key)
        classes[name] = (class_key, unwrap(class_key, metadata_key))
    return found.get("keybag"), found["index"], classes


# database.md, table seal


def contents_key(name, device_key, keybag):
    label = b"chatelaine contents " + name.encode() + b" v1"
    return HKDF(SHA256(), 32, keybag[8:24], label).derive(device_key)


def open_contents_seal(sealed, device_key, keybag):
    """The number of rows, and the sum of their codes."""
    need(len(sealed) == 69)
    need(sealed[0] == 1, "unsupported-version")
    try:
        plaintext = AESGCM(contents_key("seal", device_key, keybag)).decrypt(
            sealed[1:13], sealed[13:], b"chatelaine contents seal v1" + b"\x01" + keybag[8:24]
        )
    except InvalidTag:
        raise Refused("damaged")
    return struct.unpack(">q", plaintext[:8])[0], plaintext[8:]


def row_code(key, table, columns):
    message = bytes([table])
    for column in columns:
        if column is None:
            message += b"\x00"
        elif isinstance(column, int):
            message += b"\x01" + struct.pack(">q", column)
        elif isinstance(column, bytes):
            message += b"\x02" + struct.pack(">I", len(column)) + column
        else:
            message += b"\x03"
    return hmac.new(key, message, hashlib.sha256).digest()


# database.md, index digests


def digest_input(value):
    kind, text = value["type"], value["value"]
    if kind == "string":
        return b"\x01" + text.encode()
    if kind == "data":
        return b"\x01" + bytes.fromhex(text)
    if kind == "number":
        return b"\x02" + struct.pack(">q", int(text))
    if kind == "date":
        return b"\x03" + struct.pack(">d", float(text) + 0.0)
    if kind == "access-control":
        protection, flags = map(int, text.split())
        return b"\x04" + struct.pack(">BI", protection, flags)
    raise ValueError(kind)


def index_digest(index_key, item_class, value):
    message = bytes([ITEM_CLASSES[item_class]]) + value["key"].encode() + digest_input(value)
    return hmac.new(index_key, message, hashlib.sha256).digest()[:16]


# sealed-item.md


def authenticated_data(binding, part):
    data = b"chatelaine item" + bytes(
        [
            1,
            part,
            ITEM_CLASSES[binding["itemClass"]],
            ACCESSIBILITIES[binding["accessibility"]],
            1 if binding["synchronizable"] else 0,
        ]
    )
    data += bytes.fromhex(binding["item"]) + struct.pack(">Q", binding["version"])
    data += bytes.fromhex(binding["accessGroup"]) + bytes([len(binding["uniqueness"])])
    for digest in binding["uniqueness"]:
        data += bytes.fromhex(digest) if digest else bytes(16)
    return data


def open_box(box, parts, key, binding):
    need(box)
    need(box[0] == 1, "unsupported-version")
    need(len(box) >= 30 and box[1] in parts)
    try:
        return box[1], AESGCM(key).decrypt(box[2:14], box[14:], authenticated_data(binding, box[1]))
    except InvalidTag:
        raise Refused("damaged")


def decode_attributes(data):
    reader, entries, last = Reader(data), [], b""
    while reader.place < len(data):
        key, kind = reader.take(4), reader.take(1)[0]
        need(key > last)
        last = key
        (length,) = struct.unpack(">I", reader.take(4))
        content = reader.take(length)
        if kind == 1:
            kind, text = "string", content.decode()
        elif kind == 2:
            kind, text = "data", content.hex()
        elif kind == 3:
            kind, text = "number", str(struct.unpack(">q", content)[0])
        elif kind == 4:
            kind, text = "date", repr(struct.unpack(">d", content)[0])
        elif kind == 5:
            kind, text = "access-control", "%d %d" % struct.unpack(">BI", content)
        else:
            raise Refused("damaged")
        entries.append({"key": key.decode(), "type": kind, "value": text})
    return entries


def open_item(item, classes):
    binding = item["binding"]
    class_key, metadata_key = classes[binding["accessibility"]]
    _, attributes = open_box(bytes.fromhex(item["attributes"]), (1,), metadata_key, binding)
    opened = {"attributes": decode_attributes(attributes)}
    box = bytes.fromhex(item["data"])
    need(box and box[0] == 1, "unsupported-version")
    item_key = unwrap(class_key, bytes.fromhex(item["wrappedKey"]))
    part, data = open_box(box, (2, 3), item_key, binding)
    need(part == 2 or not data)
    if part == 2:
        opened["secret"] = data.hex()
    return opened


# database.md, "Table grants"

OPERATIONS = {4: "read-data", 5: "update", 6: "delete"}
TIERS = ["unidentified", "interpreter", "unsigned", "installed", "signed", "enforced"]


def open_grant(row, keybag, device_key):
    identifier, sealed = keybag[8:24], bytes.fromhex(row["bytes"])
    need(sealed)
    need(sealed[0] == 1, "unsupported-version")
    label = b"chatelaine grant v1"
    key = HKDF(SHA256(), 32, identifier, label).derive(device_key)
    context = label + b"\x01" + identifier + struct.pack(">Q", row["number"]) + bytes.fromhex(row["item"])
    try:
        reader = Reader(AESGCM(key).decrypt(sealed[1:13], sealed[13:], context))
    except InvalidTag:
        raise Refused("damaged")
    item_class, operation, tier, date, kind = struct.unpack(">BBBdB", reader.take(12))

    def text():
        return reader.take(struct.unpack(">H", reader.take(2))[0]).decode()

    if kind == 1:
        identity = ["command"]
    elif kind == 2:
        identity = ["signed", text(), text()]
    elif kind == 3:
        identity = ["installed", text()]
    else:
        need(kind == 4)
        identity = ["unsigned", reader.take(32).hex()]
    reader.end()
    return {
        "itemClass": {number: name for name, number in ITEM_CLASSES.items()}[item_class],
        "operation": OPERATIONS[operation], "tier": TIERS[tier], "date": date, "identity": identity}


# backup.md


def derive_backup_key(label, material, salt, context):
    return HKDF(SHA256(), 32, salt, label + context).derive(material)


def open_backup(data, device_key, secret):
    """secret is (kind, bytes)."""
    reader = Reader(data)
    magic(reader, b"CHTLBKP")
    need(len(data) >= 179 and hashlib.sha256(data[:147]).digest() == data[147:179])
    backup, _keybag = reader.take(16), reader.take(16)
    reader.take(8)
    form, kind, log_n, r, p = struct.unpack(">BBBII", reader.take(11))
    need(form in (1, 2) and kind in (1, 2))
    if kind == 1:
        need(1 <= log_n <= 17 and r >= 1 and p >= 1 and r * p << log_n <= 1 << 20)
    else:
        need(log_n == 0 and r == 0 and p == 0)
    salt, tag = reader.take(32), reader.take(16)
    head, wrapped = data[: reader.place], reader.take(40)
    reader.take(32)
    is_own = tag == derive_backup_key(b"chatelaine backup tag v1", device_key, salt, backup)[:16]
    need(form == 1 or is_own, "other-device")
    need(secret[0] == kind, "wrong-secret")
    material = secret[1]
    if kind == 1:
        material = hashlib.scrypt(material, salt=salt, n=1 << log_n, r=r, p=p, maxmem=(1 << 31) - 1, dklen=32)
    wrapping = derive_backup_key(b"chatelaine backup key v1", material + (device_key if form == 2 else b""), salt, head)
    try:
        key = aes_key_unwrap(wrapping, wrapped)
    except InvalidUnwrap:
        raise Refused("wrong-secret")
    device_item_key = derive_backup_key(b"chatelaine backup device v1", device_key, salt, backup)
    header_hash = hashlib.sha256(data[:179]).digest()

    def open_item_content(item_head, content):
        item = {"class": item_head[0], "item": item_head[1:17].hex(), "accessibility": item_head[17]}
        parts = Reader(content)
        item["attributes"] = decode_attributes(parts.take(struct.unpack(">I", parts.take(4))[0]))
        flag = parts.take(1)[0]
        need(flag in (0, 1))
        if flag:
            item["secret"] = parts.take(struct.unpack(">I", parts.take(4))[0]).hex()
        parts.end()
        return item

    items, others, number, counts = [], 0, 0, [0, 0]
    while True:
        need(reader.place < len(data), "truncated")
        record = reader.take(1)[0]
        need(record in (1, 2, 3))
        need(reader.place + 4 <= len(data), "truncated")
        (size,) = struct.unpack(">I", reader.take(4))
        need(16 <= size <= (16 << 20) + (1 << 20) + 65536 + 128 * 16 + 256)
        need(reader.place + size <= len(data), "truncated")
        nonce = struct.pack(">IQ", 0, number)
        context = b"chatelaine backup record" + bytes([1, record]) + struct.pack(">Q", number) + header_hash
        try:
            content = AESGCM(key).decrypt(nonce, reader.take(size), context)
        except InvalidTag:
            raise Refused("damaged")
        if record == 3:
            need(len(content) == 24)
            portable, bound, left_out = struct.unpack(">QQQ", content)
            need([portable, bound] == counts)
            reader.end()
            return {"items": items, "otherDevice": others, "leftOut": left_out}
        need(len(content) >= 18)
        item_head, content = content[:18], content[18:]
        counts[record - 1] += 1
        if record == 2:
            context = b"chatelaine backup device item" + b"\x01" + struct.pack(">Q", number) + item_head
            try:
                content = AESGCM(device_item_key).decrypt(nonce, content, context)
            except InvalidTag:
                need(not is_own)
                content = None
                others += 1
        if content is not None:
            items.append(open_item_content(item_head, content))
        number += 1


def audit_key(label, device_key):
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=label).derive(device_key)


def check_audit_lines(lines, device_key):
    key = audit_key(b"chatelaine audit chain v1", device_key)
    last = bytes(16)
    for number, line in enumerate(lines, 1):
        text, _, ending = line.rpartition(',"chain":"')
        need(len(ending) == 34 and ending.endswith('"}') and text.endswith(',"seq":%d' % number))
        last = hmac.new(key, last + text.encode(), hashlib.sha256).digest()[:16]
        need(last.hex() == ending[:32])
        record = json.loads(line)
        need(record["seq"] == number and record["chain"] == last.hex())


def open_audit_checkpoint(data, device_key):
    reader = Reader(data)
    magic(reader, b"CHTLAUD")
    sequence, link, count = struct.unpack(">Q16sH", reader.take(26))
    starts = list(struct.unpack(">%dQ" % count, reader.take(8 * count)))
    code = reader.take(32)
    reader.end()
    key = audit_key(b"chatelaine audit checkpoint v1", device_key)
    need(hmac.compare_digest(code, hmac.new(key, data[:-32], hashlib.sha256).digest()))
    return sequence, link.hex(), starts


def check(vector):
    """Raises Refused, or AssertionError where something opens but is not what the vector says."""
    if vector["format"] == "device-key":
        assert open_device_key(bytes.fromhex(vector["deviceKeyFile"])).hex() == vector["deviceKey"]
        return
    if vector["format"] == "audit-log":
        device_key = bytes.fromhex(vector["deviceKey"])
        if "lines" in vector:
            check_audit_lines(vector["lines"], device_key)
        else:
            opened = open_audit_checkpoint(bytes.fromhex(vector["checkpoint"]), device_key)
            assert opened == (vector["sequence"], vector["link"], vector["starts"])
        return
    secret = vector.get("secret")
    if secret:
        secret = (secret["kind"], bytes.fromhex(secret["bytes"]))
    if vector["format"] == "backup":
        opened = open_backup(bytes.fromhex(vector["backup"]), bytes.fromhex(vector["deviceKey"]), secret)
        assert opened == vector["opened"]
        return
    if vector["format"] == "grant":
        opened = open_grant(vector["grant"], bytes.fromhex(vector["keybag"]), bytes.fromhex(vector["deviceKey"]))
        assert opened == vector["openedGrant"]
        return
    keys = open_keybag(bytes.fromhex(vector["keybag"]), bytes.fromhex(vector["deviceKey"]), secret)
    if vector["format"] == "keybag":
        expected = vector["keys"]
        assert keys[0].hex() == expected["keybagKey"] and keys[1].hex() == expected["indexKey"]
        assert set(keys[2]) == set(expected["classes"])
        for name, (class_key, metadata_key) in keys[2].items():
            assert class_key.hex() == expected["classes"][name]["classKey"]
            assert metadata_key.hex() == expected["classes"][name]["metadataKey"]
    elif vector["format"] == "index-digest":
        assert index_digest(keys[1], vector["itemClass"], vector["value"]).hex() == vector["digest"]
    elif vector["format"] == "item":
        assert open_item(vector["item"], keys[2]) == vector["opened"]
    else:
        raise ValueError(vector["format"])


def main():
    files = [Path(name) for name in sys.argv[1:]] or sorted(
        Path(__file__).parent.glob("*v1/*.json"))
    failures = 0
    for file in files:
        vector = json.loads(file.read_text(encoding="utf-8"))
        try:
            check(vector)
            outcome = "opens"
        except Refused as refused:
            outcome = str(refused)
        except (AssertionError, KeyError) as error:
            outcome = "opens, but to something else: %r" % error
        if outcome != vector["outcome"]:
            failures += 1
            print("%s: expected %s, found %s" % (file.name, vector["outcome"], outcome))
    print("%d vectors, %d failures" % (len(files), failures))
    return 1 if failures or not files else 0


if __name__ == "__main__":
    sys.exit(main())
