#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes protocol-v1.json: one frame of each kind of the client protocol, version 1, byte for byte.

Written from the protocol's tables, not with the Swift code that the vectors check. Run it only to compare: the vectors
of a released protocol version are never changed.
"""

import json
import struct
import sys

NONCE = bytes(range(0xA0, 0xB0))
TOKEN = bytes(range(0xB0, 0xC0))
ITEM = bytes(range(0x10, 0x20))
REFERENCE = bytes([20]) + b"genp" + ITEM
KEY = bytes([20]) + b"keys" + ITEM


def u8(n): return struct.pack(">B", n)
def u16(n): return struct.pack(">H", n)
def u32(n): return struct.pack(">I", n & 0xFFFFFFFF)
def u64(n): return struct.pack(">Q", n & 0xFFFFFFFFFFFFFFFF)
def block(b): return u32(len(b)) + b
def optional(b): return u8(0) if b is None else u8(1) + b
def text(s): return u8(1) + block(s.encode())
def data(b): return u8(2) + block(b)
def number(n): return u8(3) + u64(n)
def date(d): return u8(4) + struct.pack(">d", d)
def control(protection, flags): return u8(5) + u8(protection) + u32(flags)


def attributes(item_class=1, **entries):
    return u8(item_class) + u16(len(entries)) + b"".join(k.encode() + v for k, v in sorted(entries.items()))


def query(attrs, sync=0, group=None, reference=None, matching=0, host=None, part=None):
    return (attrs + u8(sync) + optional(group and block(group.encode())) + optional(reference)
            + u8(matching + (8 if part else 0)) + optional(host and block(host.encode()))
            + (block(part.encode()) if part else b""))


def secret(kind, b): return u8(kind) + block(b)
def backup(action, payload): return frame(0x1C, NONCE + u8(action) + payload)
def restore(action, payload): return frame(0x1D, NONCE + u8(action) + payload)
def grants(action, payload=b""): return frame(0x1A, NONCE + u8(action) + payload)
def answer(payload): return frame(0x03, u32(0) + u8(0) + u32(0) + payload)
def log(action, payload=b""): return frame(0x1B, NONCE + u8(action) + payload)
def key(action, payload): return frame(0x1F, NONCE + u8(action) + payload)
def keychain(action, payload=b""): return frame(0x22, NONCE + u8(action) + payload)
def administer(action, payload=b""): return frame(0x18, NONCE + u8(action) + payload)


def authenticated(kind, payload):
    """Those that would ask are left out; a reason, no way to fall back, ten seconds of reuse, a proof and a password."""
    return frame(0x20, NONCE + u8(2) + optional(block(b"to read mail")) + optional(None) + optional(block(b"")) + u32(10000)
                 + u8(1) + block(b"proof") + optional(block(b"password")) + u8(1) + u8(kind) + payload)


def frame(kind, payload): return u8(1) + u8(kind) + u16(0) + u32(len(payload)) + payload
def reply(kind, status, reason, *items): return frame(kind, u32(status) + u8(reason) + u32(len(items)) + b"".join(items))


VECTORS = [
    ("hello", frame(0x01, NONCE), "The nonce a0...af."),
    ("greeting", frame(0x10, NONCE), "The answer to that hello."),
    ("add", frame(0x11, NONCE + attributes(acct=text("ann"), svce=text("mail")) + u8(0) + optional(block(b"secret"))),
     "Account ann, service mail, secret 'secret'; nothing is returned."),
    ("add-every-type",
     frame(0x11, NONCE + attributes(
         accc=control(1, 0), acct=text("\u00fc"), cdat=date(800000000.5), crtr=number(-2), gena=data(b"\x00\xff"))
           + u8(15) + optional(None)),
     "A value of each type, no secret; all four parts are to be returned."),
    ("copy-matching-one", frame(0x12, NONCE + query(attributes(svce=text("mail"))) + u32(1) + u8(1)),
     "One item of service mail, its data."),
    ("copy-matching-all",
     frame(0x12, NONCE + query(attributes(), sync=2, group="installed:/usr/bin/p", reference=REFERENCE)
           + u32(0) + u8(10)),
     "All that a group, any synchronizable setting and a persistent reference select; attributes and references."),
    ("copy-matching-row",
     frame(0x12, NONCE + query(attributes(), sync=1, reference=u8(12) + b"genp" + u64(7)) + u32(5) + u8(0)),
     "At most five, by a reference of the older encoding (row 7); nothing is returned."),
    ("copy-matching-host",
     frame(0x12, NONCE + query(attributes(item_class=2), matching=5, host="example.com") + u32(1) + u8(2)),
     "One internet password of example.com or below it, case and width overlooked; its attributes."),
    ("copy-matching-availability", frame(0x12, NONCE + query(attributes(svce=text("mail"))) + u32(0) + u8(18)),
     "All items of service mail, their attributes, and whether their data can be read now."),
    ("copy-matching-text",
     frame(0x12, NONCE + query(attributes(), sync=2, part="Bücher") + u32(0) + u8(2)),
     "All generic passwords, synchronizable or not, with a text that contains this one; their attributes."),
    ("update", frame(0x13, NONCE + query(attributes(acct=text("ann"))) + attributes(labl=text("L")) + optional(block(b""))),
     "Account ann gets the label L and empty data."),
    ("delete", frame(0x14, NONCE + query(attributes())), "All local items."),
    ("status", frame(0x15, NONCE), "No fields."),
    ("watch", frame(0x16, NONCE), "No fields."),
    ("explain-search", frame(0x17, NONCE + u8(1) + query(attributes(svce=text("mail")))), "Why nothing of service mail is found."),
    ("explain-addition", frame(0x17, NONCE + u8(2) + attributes(acct=text("ann"))), "Why account ann cannot be added."),
    ("administer-unlock", administer(1, secret(2, b"1234")), "Unlock with the passcode '1234'."),
    ("administer-lock", administer(2), "Lock."),
    ("administer-list-protectors", administer(3), "What opens the keychain."),
    ("administer-verify", administer(4, secret(3, bytes(16))), "Is the recovery key sixteen zeros?"),
    ("administer-set-passcode", administer(5, optional(None) + block("pässword".encode())), "The first passcode: 'pässword'."),
    ("administer-change-passcode", administer(5, optional(secret(3, bytes(16))) + block(b"5678")),
     "Another passcode, by the recovery key."),
    ("administer-remove-passcode", administer(6, secret(2, b"1234")), "Remove the passcode '1234'."),
    ("administer-add-protector", administer(7, secret(2, b"1234") + block(b"rack 7") + secret(5, bytes(range(32)))),
     "A credential called 'rack 7', by the passcode."),
    ("administer-remove-protector", administer(8, secret(2, b"1234") + u32(3)), "Remove protector 3, by the passcode."),
    ("administer-accept-contents", administer(20), "The rows are as they should be."),
    ("administer-accept-contents-proved", administer(28, secret(2, b"1234")), "The rows are as they should be; by the passcode."),
    ("administer-read-tokens", administer(21), "What keeps private keys?"),
    ("administer-read-figures", administer(27), "How does the service's work go?"),
    ("administer-list-teams", administer(29), "Which teams are trusted?"),
    ("administer-trust-team", administer(30, optional(secret(2, b"1234")) + block(b"CRTKWQ4OHDTDKNPHKXQBSM6VYA")),
     "A team is trusted from now on; by the passcode."),
    ("administer-distrust-team", administer(31, block(b"CRTKWQ4OHDTDKNPHKXQBSM6VYA")), "A team is trusted no more."),
    ("administer-list-development-folders", administer(32), "Which folders are trusted for development?"),
    ("administer-trust-folder", administer(33, optional(secret(2, b"1234")) + block(b"/home/ann/mail")),
     "A folder is trusted for development from now on; by the passcode."),
    ("administer-revoke-folder", administer(34, block(b"/home/ann/mail")), "A folder is trusted no more."),
    ("administer-move-device-key", administer(22, optional(secret(2, b"1234")) + u8(2)), "Seal the device key to the TPM, by the passcode."),
    ("administer-move-guarded-device-key",
     administer(25, optional(None) + u8(3) + optional(block(b"9876")) + optional(block(b"54321"))),
     "Move the device key to the token without hardware; its PIN is '9876' and shall be '54321'."),
    ("administer-open-device-key", administer(26, block(b"9876")), "Open the device key with the PIN '9876'."),
    ("administer-read-settings", administer(9), "All settings."),
    ("administer-change-settings",
     administer(10, optional(secret(2, b"1234")) + u16(2) + block(b"idle-lock-seconds") + u64(900)
                + block(b"lock-on-sleep") + u64(0)),
     "Lock after fifteen idle minutes, but not on sleep; by the passcode."),
    ("identity-caller", frame(0x19, NONCE + u8(1)), "How is the one who asks seen?"),
    ("identity-process", frame(0x19, NONCE + u8(2) + u32(1234)), "How is process 1234 seen?"),
    ("identity-program", frame(0x19, NONCE + u8(3) + block(b"/usr/bin/p")), "How would a process be seen that runs /usr/bin/p?"),
    ("grants-list", grants(1, u64(0)), "All grants, from the first."),
    ("grants-revoke", grants(2, u64(3)), "Take grant 3 back."),
    ("grants-revoke-all", grants(3), "Take all grants back."),
    ("grants-revoke-program", grants(4, u8(2) + block(b"TEAM") + block(b"org.example.mail")),
     "Take back what org.example.mail of team TEAM was allowed."),
    ("require-entitlements", frame(0x1E, NONCE), "No fields."),
    ("agent", frame(0x28, NONCE), "No fields."),
    ("behalf", frame(0x25, NONCE), "No fields; a pidfd in the same message."),
    ("prompt", frame(0x0A, u32(7) + block(b"question")), "The seventh question."),
    ("prompt-withdrawal", frame(0x0B, u32(7)), "It is taken back."),
    ("prompt-answer", frame(0x29, NONCE + u32(7) + block(b"answer")), "Or answered."),
    ("backup-begin", backup(1, secret(1, b"sesame") + optional(secret(2, b"1234"))),
     "A backup under the passphrase 'sesame', by the passcode."),
    ("backup-begin-unproved", backup(1, secret(2, bytes(16)) + optional(None)),
     "A backup under the recovery key of sixteen zeros, without a proof."),
    ("backup-next", backup(2, TOKEN), "The next piece."),
    ("backup-cancel", backup(3, TOKEN), "No more pieces."),
    ("backup-approve-portable", backup(4, b""), "Prompt the owner for a portable backup without a passcode."),
    ("backup-begin-portable", backup(5, TOKEN + secret(1, b"sesame")), "The approved backup, under the passphrase 'sesame'."),
    ("restore-begin",
     restore(1, block(b"header") + secret(1, b"sesame") + optional(secret(2, b"1234")) + u8(3) + u8(1)),
     "Restore a file that begins with 'header', even over newer items."),
    ("restore-records", restore(2, TOKEN + block(b"bytes")), "More bytes of the file."),
    ("restore-finish", restore(3, TOKEN), "There are no more."),
    ("restore-cancel", restore(4, TOKEN), "Never mind."),
    ("log-read",
     log(1, optional(struct.pack(">d", 800000000.5)) + optional(None) + optional(block(b"/usr/bin/p")) + optional(block(b"add"))
         + optional(None) + optional(ITEM) + optional(u32(1000)) + u8(2) + optional(u64(7) + u64(4096)) + u32(10)),
     "At most ten lines, newest first from byte 4096 of the file that begins with line 7: not before a moment, of a program, "
     "of additions, about an item, by user 1000."),
    ("log-read-all", log(1, optional(None) * 7 + u8(1) + optional(None) + u32(0xFFFFFFFF)), "All lines, oldest first."),
    ("log-verify", log(2), "Is the log what the service wrote?"),
    ("log-follow", log(3), "New lines from now on."),
    ("key-sign", key(1, KEY + block(b"algid:sign:ECDSA:digest-X962:SHA256") + block(bytes(range(32)))),
     "Sign the digest 00...1f with a key."),
    ("key-decrypt", key(2, KEY + block(b"algid:encrypt:RSA:OAEP:SHA256") + block(b"ciphertext")), "Decrypt 'ciphertext'."),
    ("key-agree", key(3, KEY + block(b"algid:keyexchange:ECDH") + block(b"\x04point") + optional(None) + block(b"")),
     "Agree with the owner of a public key, without a key derivation."),
    ("key-agree-derived",
     key(3, KEY + block(b"algid:keyexchange:ECDH:KDFX963:SHA256") + block(b"\x04point") + optional(u32(48)) + block(b"info")),
     "Agree and derive 48 bytes; 'info' goes into it."),
    ("key-generate",
     key(4, attributes(item_class=4, bsiz=number(256), extr=number(0), labl=text("L"), type=number(73))),
     "Make a key on P-256 that is not extractable, called L."),
    ("authentication-state", frame(0x21, NONCE + u8(1)), "What could the caller's user show?"),
    ("authentication-evaluate", authenticated(0x21, u8(2) + u8(2)), "The owner shows to be there, by biometry or passcode."),
    ("authentication-unlock", frame(0x21, NONCE + u8(4)), "Unlock the keychain by a finger."),
    ("authentication-unlock-by-prompt", frame(0x21, NONCE + u8(5)), "Unlock the keychain by a finger or the passcode."),
    ("keychain-report", keychain(1, block(b"/home/ann/a.keychain")), "What is there?"),
    ("keychain-create", keychain(2, block(b"work") + optional(block(b"sesame"))), "A new keychain in the user's folder."),
    ("keychain-unlock-asking", keychain(6, block(b"work") + optional(None)), "A person is asked for the password."),
    ("keychain-settings", keychain(7, block(b"work") + u8(1) + optional(u32(300))),
     "Locked before sleep, and when nobody used it for five minutes."),
    ("keychain-password", keychain(8, block(b"work") + optional(block(b"old")) + optional(block(b"new"))),
     "Another password."),
    ("keychain-search-list", keychain(12, u8(0) + u16(2) + block(b"work") + block(b"/a")), "The user's search list."),
    ("keychain-list-add", keychain(13, u8(0) + u16(2) + block(b"work") + block(b"/a")), "Two more on the user's search list."),
    ("keychain-list-remove", keychain(14, u8(0) + u16(1) + block(b"/a")), "One less on it."),
    ("keychain-adopt", keychain(15, u8(0) + block(b"login") + optional(block(b"/a"))),
     "On the user's search list, and the default one where there is none or /a."),
    ("watch-keychains", frame(0x24, NONCE + u32(1 << 3 | 1 << 4 | 1 << 16) + u8(1)),
     "What happens to items of keychain files."),
    ("keychain-copy", keychain(19, block(b"work") + block(b"/media/work.copy")), "A copy, to keep elsewhere."),
    ("keychain-restore", keychain(20, block(b"work") + block(b"/media/work.copy")), "A keychain made of a copy."),
    ("keychain-partitions", keychain(16, block(b"work") + u16(1) + KEY + u16(2) + block(b"apple-tool:")
                                     + block(b"apple:") + optional(block(b"sesame"))),
     "Who may use a key at all, with the keychain's password."),
    ("keychain-find", frame(0x23, NONCE + block(b"work") + u8(0x12) + query(attributes()) + u32(1) + u8(1)),
     "The data of one generic password of a keychain file."),
    ("authentication-access-control", frame(0x21, NONCE + u8(3) + u8(1) + u32(0x4012) + u8(1)),
     "Biometry or the passcode, for using an item that is available while unlocked."),
    ("authenticated-find", authenticated(0x12, query(attributes()) + u32(0) + u8(1)), "All items with data, with a context."),
    ("proof", frame(0x07, block(b"proof")), "What was shown, for requests to come."),
    ("authentication-answer",
     answer(u8(0) + u8(1) + u8(2) + optional(bytes(range(32))) + optional(block(b"tty")) + optional(block(b"proof"))),
     "The owner is there; fingers are enrolled, and the terminal would be asked."),
    ("figures",
     answer(block(b"9.8.7") + u8(4) + struct.pack(">d", 800000000) + u64(3600) + u64(2)
            + u16(2) + u8(1) + u64(3) + u8(4) + u64(1)
            + u16(2) + u8(1) + u32(1) + u64(4096) + u8(3) + u32(2) + u64(512)
            + u16(2) + block(b"/home/ann/a.keychain") + u64(8192) + u64(32) + u8(0)
            + block(b"/home/ann/b.keychain") + u64(4096) + u64(0) + u8(1)
            + u16(2) + u8(1) + u64(2) + optional(u64(5)) + u64(256) + u8(4) + u64(1) + optional(None) + u64(256)
            + u16(1) + u8(2) + u64(9) + u64(3) + u64(3) + u64(256)
            + u16(1) + u8(1) + u64(5) + u64(1) + u64(0) + u64(1) + u64(99000) + u64(60000)
            + u64(4) + u64(2) + u64(1) + 7 * u64(0)
            + u16(1) + u32(-25300 & 0xFFFFFFFF) + u8(0) + u64(1) + struct.pack(">d", 800000060)),
     "Four items and two keychain files, the second one damaged; seven lookups, one of which found nothing."),
    ("keychain-reports",
     answer(u16(3) + block(b"/home/ann/a.keychain") + u8(2) + optional(u8(1) + optional(u32(300))) + u8(0)
            + block(b"/home/ann/b.keychain") + u8(1) + optional(u8(0) + optional(None)) + u8(1)
            + block(b"/home/ann/c.keychain") + u8(0) + optional(None) + u8(0)),
     "Three keychain files: unlocked, before sleep and after five minutes no longer; locked, its database damaged; not there."),
    ("items", reply(0x02, 0, 0, REFERENCE + optional(attributes(acct=text("ann"))) + optional(block(b"secret"))),
     "A part of an answer: one item with attributes and data. More frames follow."),
    ("reply-empty", reply(0x03, 0, 0), "Success without items."),
    ("reply-items", reply(0x03, 0, 0, REFERENCE + optional(None) + optional(None),
                          REFERENCE + optional(None) + optional(block(b"\x01"))),
     "Success with two items: one bare, one with one byte of data."),
    ("reply-availability", reply(0x03, 0, 0, REFERENCE + optional(None) + u8(2)),
     "Success with one item, whose data cannot be read now without an approval."),
    ("reply-refusal", reply(0x03, -25308, 3),
     "errSecInteractionNotAllowed (-25308) because the item is another program's (reason 3)."),
    ("explanation",
     frame(0x03, u32(0) + u8(0) + u32(0) + u16(6) + u8(1) + u32(3) + u8(2) + b"acct" + u32(0) + u8(3) + b"acct" + u32(2)
           + u8(3) + u32(0) + u32(1) + u8(4) + u8(1) + u32(1) + u8(5) + REFERENCE),
     "Three items looked at, account leaves none; without account two match, without the host one, one with case "
     "overlooked; an existing item."),
    ("key-result", answer(block(b"signature")), "What came of the use of a key: 'signature'."),
    ("change", frame(0x04, u8(2) + REFERENCE), "The item was updated."),
    ("lock-state", frame(0x05, u8(3)), "The keychain was locked."),
    ("keychain-notice", frame(0x08, u8(16) + u32(4711) + optional(block(b"/a")) + optional(REFERENCE)),
     "Process 4711 changed an item of a keychain file."),
    ("keychain-notice-list", frame(0x08, u8(11) + u32(0) + optional(None) + optional(None)),
     "The search list is another one."),
    ("log-line", frame(0x06, block(b'{"seq":1}')), "A new line of the audit log."),
    ("log-page", answer(u64(7) + u64(300) + u8(1) + u32(2) + u32(2) + block(b'{"seq":8}') + block(b'{"seq":7}')),
     "Two lines, two others that are damaged; that is all. The next ones would be before byte 300 of the file that begins "
     "with line 7."),
    ("log-verification",
     answer(u64(9) + u32(2) + u64(3) + u64(12) + u64(1) + u16(1) + u8(2) + u64(5) + u64(7) + block(b"audit.log.1") + u64(3)
            + u64(1) + u16(1) + u8(2) + u64(9) + u64(4)),
     "Nine lines in two files, 3 to 12; 5 to 7 are missing before line 3 of audit.log.1, and before line 9 four could not be "
     "written."),
    ("protectors",
     frame(0x03, u32(0) + u8(0) + u32(0) + u8(2) + u32(2) + u8(2) + struct.pack(">d", 800000000.5) + block(b"")
           + u32(5) + u8(5) + struct.pack(">d", 800000001.0) + block(b"rack 7") + u32(5) + u32(60)),
     "A passcode, number 2, and a credential, number 5, called 'rack 7'; five wrong entries, the next in a minute."),
    ("added-protector", frame(0x03, u32(0) + u8(0) + u32(0) + u32(5)), "The new protector has number 5."),
    ("settings",
     frame(0x03, u32(0) + u8(0) + u32(0) + u16(1) + block(b"snapshot-days") + u64(30)), "Snapshots go after 30 days."),
    ("backup-begun", answer(TOKEN + u8(2) + u64(7)), "A backup for this device alone was begun; there are seven items."),
    ("backup-piece",
     answer(u8(1) + u64(5) + u64(1) + u64(2) + u32(2) + u8(1) + u8(1) + optional(block(b"L") + block(b"mail") + block(b"ann"))
            + u8(4) + u8(2) + optional(None) + block(b"bytes")),
     "The last piece of a backup of six items. A generic password that needs a passcode and an internet password that "
     "cannot be read are not in it."),
    ("restore-begun", answer(TOKEN + bytes(range(16)) + struct.pack(">d", 800000000.5) + u8(1) + u8(1) + u8(1) + u8(0)),
     "A portable backup under a passphrase, of this device and an earlier keychain."),
    ("restore-progress",
     answer(u64(0) + u64(3) + b"".join(u64(n) for n in [0, 2, 1, 1, 1, 0, 0]) + u32(2) + u8(5) + u8(1)
            + optional(block(b"") + block(b"mail") + block(b"ann")) + u8(6) + u8(1) + optional(None)
            + optional(u64(7) + u64(1) + u64(0))),
     "Three items added, two unchanged, one replaced; one newer one kept and one of another device left out. The end "
     "says that there are eight."),
    ("grants",
     answer(u16(2)
            + u64(3) + u8(2) + block(b"TEAM") + block(b"org.example.mail") + u8(4) + u8(4) + struct.pack(">d", 800000000.5)
            + ITEM + u8(1) + optional(block(b"L") + block(b"mail") + block(b"ann"))
            + u64(9) + u8(3) + block(b"/usr/bin/p") + u8(5) + u8(6) + struct.pack(">d", 800000001.0)
            + ITEM + u8(2) + optional(None)
            + optional(u64(9))),
     "Grant 3: org.example.mail of team TEAM, signed, reads the data of the generic password L. Grant 9: /usr/bin/p, "
     "enforced, deletes an internet password whose names cannot be read. More follow behind 9."),
    ("grants-revoked", answer(u32(2)), "Two grants were taken back."),
    ("caller-report-signed",
     answer(u32(1000) + u32(1234) + u8(5) + u8(2) + block(b"TEAM") + block(b"org.example.mail") + optional(u8(4) + block(b"mail.service"))
            + block(b"/usr/bin/p") + u16(2) + block(b"TEAM.org.example.mail") + block(b"TEAM.shared") + u8(1)
            + u16(3) + block(b"a") + u8(1) + u8(1) + block(b"b") + u8(2) + block(b"text")
            + block(b"c") + u8(3) + u16(2) + block(b"one") + block(b"two") + u8(1) + u8(7) + u8(0)),
     "Process 1234 of user 1000: org.example.mail of team TEAM, enforced as mail.service of the system, with two groups from "
     "its three entitlements (true, 'text', a list of 'one' and 'two'). It is an interpreter."),
    ("caller-report-unsigned",
     answer(u32(1000) + u32(0) + u8(2) + u8(4) + block(bytes(range(32))) + optional(None) + block(b"/home/ann/p") + u16(1)
            + block(b"unsigned:" + bytes(range(32)).hex().encode()) + u8(0) + u16(0) + u8(2) + u8(1) + u8(6) + u8(0)),
     "The file /home/ann/p, for user 1000: unsigned, with the group of its digest, since it has no signature and others "
     "than root can change it."),
    ("caller-report-command",
     answer(u32(1000) + u32(77) + u8(3) + u8(1) + optional(None) + block(b"/usr/bin/chatelaine") + u16(1) + block(b"chatelaine")
            + u8(0) + u16(0) + u8(0) + u8(1)),
     "Process 77 is the command, and nothing is held against it."),
    ("caller-report-application",
     answer(u32(1000) + u32(78) + u8(1) + u8(5) + block(b"flatpak:org.example.Mail") + optional(None)
            + block(b"flatpak:org.example.Mail") + u16(1) + block(b"flatpak:org.example.Mail") + u8(0) + u16(0) + u8(1)
            + u8(17) + u8(0)),
     "Process 78, for user 1000, is a sandboxed application, by the name that its sandbox states."),
    ("status-reply",
     frame(0x03, u32(0) + u8(0) + u32(0) + block(b"0.1.0") + u8(1) + u8(3) + block(b"/usr/bin/p")
           + u16(1) + block(b"installed:/usr/bin/p") + optional(u64(3)) + optional(None)
           + u16(2) + block(b"a: on") + block(b"b: on") + optional(u8(3) + struct.pack(">q", -2))),
     "Version 0.1.0, no passcode, an installed program, one group, three items, unreadable count not told, two lines, "
     "two rows missing."),
]

json.dump({
    "about": [
        "Frames of the client protocol, version 1 (Documentation/Protocols/client.md), one case each.",
        "frame: all bytes of the frame in hexadecimal, header included. means: what the frame says.",
        "Requests repeat the nonce a0a1...af; jobs have the token b0b1...bf. Persistent references are 'genp' and the identifier 101112...1f.",
        "Origin: made for this project by protocol-v1.py from the protocol's tables. Licence: Apache-2.0.",
        "Never edited once released: another version of the protocol gets another file.",
    ],
    "version": 1,
    "vectors": [{"name": n, "means": m, "frame": f.hex()} for n, f, m in VECTORS],
}, sys.stdout, indent=2)
print()
