# SPDX-License-Identifier: Apache-2.0
"""Signing real programs: they still run, keep their signature where it should be kept, and lose it where it should not."""

import json
import os
import plistlib
import pwd
import re
import shutil
import subprocess

import pytest

from support.instance import is_root, mode, ordinary_user, root_of_repository
from support.sentences import cases, contains, equal, lacks, ordinary
from support.signing import signatures, team, tool

SECTION = ".chatelaine.signature"


def sign(it, path, key, *words, check=0):
    return it.run("chatelaine", "codesign", "--sign", key, *words, path, check=check)


def verify(it, path, check=0, *words):
    return it.run("chatelaine", "codesign", "--verify", *words, path, check=check)


def given(it, *words, passphrase, check=None):
    """Runs chatelaine with a descriptor that holds the passphrase of a team key."""
    reading, writing = os.pipe()
    os.write(writing, passphrase.encode())
    os.close(writing)
    try:
        return it.run("chatelaine", *words, "--passphrase-fd", str(reading), check=check, pass_fds=[reading])
    finally:
        os.close(reading)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def c_program(it, name="hello", *words):
    source, path = os.path.join(it.scratch, f"{name}.c"), os.path.join(it.scratch, name)
    write(source, b'#include <stdio.h>\nint main(void) { puts("works"); return 0; }\n')
    it.run(tool("cc"), "-g", *words, "-o", path, source, check=0)
    return path


def copy_of_true(it):
    path = os.path.join(it.scratch, "true")
    shutil.copy("/bin/true", path)
    return path


def plist(it, entitlements):
    path = os.path.join(it.scratch, "test.entitlements")
    write(path, plistlib.dumps(entitlements))
    return path


# MARK: Programs that run


@cases("what", ["a C program", "a static C program", "a copy of true", "chatelaine itself"])
def test_runs_after_it_was_signed(it, what):
    key = team(it)
    if what == "chatelaine itself":
        path = os.path.join(it.scratch, "keychain-tool")
        shutil.copy(it.program("chatelaine"), path)
        words, output = [path, "--version"], it.run("chatelaine", "--version").out
    elif what == "a copy of true":
        path = copy_of_true(it)
        words, output = [path], ""
    else:
        path = c_program(it, "hello", *(["-static"] if "static" in what else []))
        words, output = [path], "works\n"
    before = read(path)
    sign(it, path, key)
    verify(it, path)
    done = it.run(*words, check=0)
    equal(done.out, output)
    equal(read(path)[64 : len(before)], before[64:])
    it.run("chatelaine", "codesign", "--remove-signature", path, check=0)
    equal(read(path), before)


def test_a_program_that_runs_can_be_signed_and_its_owner_mode_and_attributes_stay(it):
    key, path = team(it), os.path.join(it.scratch, "reader")
    shutil.copy("/bin/cat", path)
    owner = ordinary_user if is_root else os.geteuid()
    os.chown(path, owner, -1)
    os.chmod(path, 0o4751)
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    process = it.popen(path, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        # It runs, and waits for more.
        process.stdin.write(b"first\n")
        process.stdin.flush()
        equal(process.stdout.readline(), b"first\n")
        inode = os.stat(path).st_ino
        sign(it, path, key)
        assert os.stat(path).st_ino != inode
        equal(process.communicate(b"second\n", timeout=60)[0], b"second\n")
        equal(process.returncode, 0)
    finally:
        process.kill()
        process.wait()
    equal((mode(path), os.stat(path).st_uid), (0o4751, owner))
    equal(os.getxattr(path, "user.note"), b"mine")
    verify(it, path)
    equal([name for name in os.listdir(it.scratch) if name.startswith(".chatelaine-")], [])


@ordinary
def test_a_program_whose_owner_cannot_be_kept_stays_as_it_is(it):
    if not is_root:
        pytest.skip("only root can make another user's file")
    key, path = team(it), os.path.join(it.scratch, "roots")
    shutil.copy("/bin/true", path)
    before = read(path)
    contains(sign(it, path, key, check=1).err, "cannot write", "not permitted")
    equal((read(path), os.stat(path).st_uid), (before, 0))
    equal([name for name in os.listdir(it.scratch) if name.startswith(".chatelaine-")], [])


def test_a_symbolic_link_leads_to_the_program_that_is_signed(it):
    key, path = team(it), c_program(it)
    link = os.path.join(it.scratch, "link")
    os.symlink("hello", link)
    sign(it, link, key)
    assert os.path.islink(link)
    verify(it, path)


# MARK: Changes that keep a signature, and changes that do not


def test_cp_cp_preserve_and_tar_keep_a_signature(it):
    key, path = team(it), c_program(it)
    sign(it, path, key)
    copies = [os.path.join(it.scratch, name) for name in ["a", "b", "unpacked/hello"]]
    it.run("cp", path, copies[0], check=0)
    it.run("cp", "--preserve=all", path, copies[1], check=0)
    os.mkdir(os.path.join(it.scratch, "unpacked"))
    archive = os.path.join(it.scratch, "archive.tar")
    it.run("tar", "-C", it.scratch, "-cf", archive, "hello", check=0)
    it.run("tar", "-C", os.path.join(it.scratch, "unpacked"), "-xf", archive, check=0)
    for copy in copies:
        verify(it, copy)
        equal(it.run(copy).out, "works\n")


def test_strip_after_signing_is_found_and_explained_and_signing_again_repairs_it(it):
    key, path = team(it), c_program(it)
    sign(it, path, key)
    it.run(tool("strip"), path, check=0)
    done = verify(it, path, check=1)
    contains(done.err, "was changed after it was signed", "has no symbols", "strip a program before")
    sign(it, path, key)
    size = os.path.getsize(path)
    sign(it, path, key)
    equal(os.path.getsize(path), size)
    verify(it, path)
    equal(it.run(path).out, "works\n")


def test_strip_before_signing_does_no_harm(it):
    key, path = team(it), c_program(it)
    it.run(tool("strip"), path, check=0)
    sign(it, path, key)
    verify(it, path)


def test_llvm_strip_takes_a_signature_away_and_that_is_told(it):
    key, path = team(it), c_program(it)
    sign(it, path, key)
    it.run(tool("llvm-strip"), path, check=0)
    contains(verify(it, path, check=1).err, "is not signed", "llvm-strip")


def test_any_changed_byte_is_found(it):
    key, path = team(it), copy_of_true(it)
    sign(it, path, key)
    content, changed = read(path), os.path.join(it.scratch, "changed")
    # The signature and the tables behind it densely, the program here and there.
    places = list(range(0, len(content), 997)) + list(range(len(content) - 2500, len(content), 41)) + [len(content) - 1]
    for place in places:
        write(changed, content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        done = it.run("chatelaine", "codesign", "--verify", changed)
        equal((place, done.returncode), (place, 1))
    for wrong in [content[:-1], content + b"\0", content[: len(content) // 2]]:
        write(changed, wrong)
        equal(it.run("chatelaine", "codesign", "--verify", changed).returncode, 1)


def test_signing_a_hundred_times_does_not_grow_a_program(it):
    key, path = team(it), c_program(it)
    sign(it, path, key)
    size = os.path.getsize(path)
    for _ in range(100):
        sign(it, path, key)
    equal(os.path.getsize(path), size)
    verify(it, path)


def test_a_signature_of_another_team_does_not_match_the_requested_team(it):
    first, second, path = team(it), team(it), c_program(it)
    sign(it, path, first)
    verify(it, path, 0, "--team", first)
    contains(verify(it, path, 1, "--team", second).err, f"is signed by the team {first}, not by {second}")


def test_the_signature_section_of_another_program_is_found(it):
    key, path, other = team(it), c_program(it), copy_of_true(it)
    sign(it, other, key)
    section = os.path.join(it.scratch, "section")
    it.run(tool("objcopy"), f"--dump-section={SECTION}={section}", other, check=0)
    it.run("objcopy", f"--add-section={SECTION}={section}", path, check=0)
    contains(verify(it, path, check=1).err, "was changed after it was signed")


@cases("content, message", [
    (b"#!/bin/sh\n", "is a script"), (b"hello", "is not an ELF program"), (b"", "is empty"), (b"\x7fELF", "is shorter than"),
    (b"\x7fELF\x01\x01\x01" + bytes(60), "is a 32-bit program"), (b"\x7fELF\x02\x02\x01" + bytes(60), "is a big-endian")])
def test_files_that_are_unsigned_or_not_programs_are_reported(it, content, message):
    path = os.path.join(it.scratch, "file")
    write(path, content)
    contains(verify(it, path, check=1).err, message)


@cases("place, message", [
    (0, "is damaged"), (7, "has version 0"), (11, "is damaged"), (20, "the key that it names did not make it"),
    (75, "the key that it names did not make it"), (-1, "the key that it names did not make it")])
def test_damage_of_a_signature_is_told(it, place, message):
    key, path = team(it), c_program(it)
    sign(it, path, key)
    content = bytearray(read(path))
    start, end = signatures().section_range(bytes(content))
    content[start + place if place >= 0 else end + place] ^= 1
    write(path, content)
    contains(verify(it, path, check=1).err, message)


def test_a_signer_who_grants_rights_of_another_team_is_found_out(it):
    key, path = team(it), c_program(it)
    sign(it, path, key, "--entitlements", plist(it, {"keychain-access-groups": [f"{key}.own"]}))
    seed = it.run("chatelaine", "get", "chatelaine team key", "--user", key, "--no-newline", check=0).stdout
    content, vectors = read(path), signatures()
    start, end = vectors.section_range(content)
    stated, foreign = vectors.parse(content[start:end]), "A" * 26 + ".own"
    section = vectors.encode(
        seed, stated["time"], stated["fileSize"], stated["earlierTable"], stated["identifier"],
        dict(stated["entitlements"], **{"keychain-access-groups": [foreign]}), bytes.fromhex(stated["digest"]))
    write(path, content[:start] + section + content[end:])
    contains(verify(it, path, check=1).err, foreign, "does not belong to the team")


def test_a_program_that_was_never_signed_is_told(it):
    contains(verify(it, c_program(it), check=1).err, "is not signed", "--sign TEAM")
    contains(verify(it, it.scratch, check=1).err, "Is a directory")
    contains(verify(it, os.path.join(it.scratch, "none"), check=1).err, "No such file")


# MARK: Entitlements


def test_entitlements_are_signed_and_shown_as_a_property_list(it):
    key, path = team(it), c_program(it)
    given_list = {"keychain-access-groups": ["$(AppIdentifierPrefix)shared", f"{key}.own", "com.apple.token"],
                  "application-identifier": "$(AppIdentifierPrefix)$(CFBundleIdentifier)",
                  "com.apple.security.get-task-allow": True, "org.example.text": "a<b>&\u00e9"}
    sign(it, path, key, "--identifier", "org.example.hello", "--entitlements", plist(it, given_list))
    done = it.run("chatelaine", "codesign", "-d", "--entitlements", "-", path, check=0)
    expected = dict(given_list, **{
        "keychain-access-groups": [f"{key}.shared", f"{key}.own", "com.apple.token"],
        "application-identifier": f"{key}.org.example.hello"})
    equal(plistlib.loads(done.out.encode()), expected)
    shown = json.loads(it.run("chatelaine", "codesign", "-d", "--json", path, check=0).out)
    equal((shown["team"], shown["identifier"], shown["entitlements"]), (key, "org.example.hello", expected))
    contains(it.run("chatelaine", "codesign", "-d", path, check=0).out, f"TeamIdentifier={key}\n")
    # The second implementation agrees.
    found = signatures().verify(read(path))
    equal((found["team"], found["identifier"], found["entitlements"]), (key, "org.example.hello", expected))


@cases("entitlements", [
    {"keychain-access-groups": ["shared"]}, {"application-identifier": "ABCDE.org.example"},
    {"com.apple.application-identifier": "x"}, {"com.apple.security.application-groups": ["group.org.example"]}])
def test_a_team_cannot_grant_rights_of_another_team(it, entitlements):
    key, path = team(it), c_program(it)
    before = read(path)
    done = sign(it, path, key, "--entitlements", plist(it, entitlements), check=1)
    [[name, value]] = entitlements.items()
    contains(done.err, name, value[0] if isinstance(value, list) else value, f"{key}.")
    equal(read(path), before)


@cases("entitlements, message", [
    ({"a": 1}, "the value of a is not"), ({"a": {"b": True}}, "the value of a is not"),
    ({"a": [1]}, "the value of a is not"), ({"a b": True}, "is not a valid entitlement name"),
    ({"keychain-access-groups": "x"}, "must be a list of texts"), (["a"], "is not a property list with a dictionary")])
def test_entitlements_that_cannot_be_signed_are_told(it, entitlements, message):
    key, path = team(it), c_program(it)
    contains(sign(it, path, key, "--entitlements", plist(it, entitlements), check=1).err, message)


# MARK: Packages


# Builds a package with the compiler.
@pytest.mark.long
def test_swift_package_codesign_signs_the_products_of_a_package_that_depends_on_this_one(it):
    tool("swift")
    # Where packages that were fetched before are found again.
    home = pwd.getpwuid(os.geteuid()).pw_dir
    key, package = team(it, "--label", "work"), os.path.join(it.scratch, "package")
    os.makedirs(os.path.join(package, "Sources", "hello"))
    write(os.path.join(package, "Package.swift"), f"""// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "package",
    products: [.executable(name: "hello", targets: ["hello"])],
    dependencies: [.package(name: "chatelaine", path: "{root_of_repository}")],
    targets: [.executableTarget(name: "hello")])
""".encode())
    write(os.path.join(package, "Sources", "hello", "main.swift"), b'print("works")\n')
    write(os.path.join(package, "Sources", "hello.entitlements"),
          plistlib.dumps({"keychain-access-groups": ["$(AppIdentifierPrefix)shared"]}))
    words = ["swift", "package", "--package-path", package, "codesign", "--identifier-prefix", "org.example"]
    options = dict(env=dict(it.environment, HOME=home), timeout=540)
    it.run(*words, "--sign", "work", check=0, **options)
    program = os.path.join(package, ".build", "debug", "hello")
    equal(it.run(program).out, "works\n")
    shown = json.loads(it.run("chatelaine", "codesign", "-d", "--json", program, check=0).out)
    equal((shown["team"], shown["identifier"], shown["entitlements"]),
          (key, "org.example.hello", {"keychain-access-groups": [f"{key}.shared"],
                                      "application-identifier": f"{key}.org.example.hello"}))
    verify(it, program)
    done = it.run(*words, "--sign", "nobody", **options)
    assert done.returncode != 0
    contains(done.out + done.err, 'there is no team key "nobody"')


def test_the_command_line_of_swift_package_codesign_signs_a_program_and_names_a_missing_team_key(it):
    """The plugin runs `chatelaine codesign` with these options, which its source names; the long test runs the plugin."""
    source = read(os.path.join(root_of_repository, "Plugins", "CodeSign", "CodeSign.swift")).decode()
    equal(set(re.findall(r'"(--[a-z-]+)"', source)), {"--sign", "--identifier", "--entitlements"})
    key, program = team(it, "--label", "work"), c_program(it)
    words = ["--identifier", "org.example.hello",
             "--entitlements", plist(it, {"keychain-access-groups": ["$(AppIdentifierPrefix)shared"]})]
    sign(it, program, "work", *words)
    equal(it.run(program).out, "works\n")
    shown = json.loads(it.run("chatelaine", "codesign", "-d", "--json", program, check=0).out)
    equal((shown["team"], shown["identifier"], shown["entitlements"]),
          (key, "org.example.hello", {"keychain-access-groups": [f"{key}.shared"],
                                      "application-identifier": f"{key}.org.example.hello"}))
    verify(it, program)
    contains(sign(it, program, "nobody", *words, check=3).err, 'there is no team key "nobody"')


# MARK: Team keys


def test_a_team_key_moves_to_another_keychain_under_a_passphrase_and_openssl_reads_it(it):
    key = team(it, "--label", "work")
    path = os.path.join(it.scratch, "team.pem")
    given(it, "team-key", "export", "work", path, passphrase="open sesame", check=0)
    equal(mode(path), 0o600)
    contains(read(path).decode(), f"Team: {key}\n", "BEGIN ENCRYPTED PRIVATE KEY")
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
    public = load_pem_private_key(read(path), b"open sesame").public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    equal(signatures().team_identifier(public), key)
    if shutil.which("openssl"):
        contains(it.run("openssl", "pkey", "-in", path, "-passin", "pass:open sesame", "-text", "-noout").out, "ED25519")
    it.run("chatelaine", "team-key", "delete", "work", "--yes", check=0)
    equal(it.run("chatelaine", "team-key", "list", check=0).out, "")
    done = given(it, "team-key", "import", path, passphrase="wrong", check=4)
    contains(done.err, "the passphrase is wrong")
    equal(given(it, "team-key", "import", path, "--label", "again", passphrase="open sesame", check=0).out, f"{key}\n")
    equal(json.loads(it.run("chatelaine", "team-key", "list", "--json", check=0).out), [{"team": key, "label": "again"}])
    sign(it, c_program(it), "again")


@cases("option", ["-scrypt", "-iter"])
def test_a_key_that_openssl_made_is_a_team_key(it, option):
    tool("openssl")
    pem, path = os.path.join(it.scratch, "plain.pem"), os.path.join(it.scratch, "team.pem")
    it.run("openssl", "genpkey", "-algorithm", "ed25519", "-out", pem, check=0)
    words = ["-scrypt"] if option == "-scrypt" else ["-iter", "10000"]
    it.run("openssl", "pkcs8", "-topk8", "-in", pem, "-out", path, "-v2", "aes-256-cbc", *words,
           "-passout", "pass:open sesame", check=0)
    imported = given(it, "team-key", "import", path, passphrase="open sesame", check=0).out.strip()
    sign(it, c_program(it), imported)


def test_a_file_with_a_changed_team_key_is_refused(it):
    key = team(it)
    path = os.path.join(it.scratch, "team.pem")
    given(it, "team-key", "export", key, path, passphrase="x", check=0)
    import base64
    head, body, tail = read(path).decode().partition("-----BEGIN ENCRYPTED PRIVATE KEY-----\n")[::2] + ("",)
    text, end, rest = body.partition("-----END")
    document = bytearray(base64.b64decode(text))
    for place in [len(document) - 1, len(document) - 33, len(document) - 40]:
        changed = bytearray(document)
        changed[place] ^= 1
        write(path, (head + "-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + base64.b64encode(changed).decode() + "\n"
                     + end + rest).encode())
        assert given(it, "team-key", "import", path, passphrase="x").returncode in (1, 4)
    equal(len(json.loads(it.run("chatelaine", "team-key", "list", "--json").out)), 1)


def test_a_missing_team_key_and_an_ambiguous_team_key_are_reported(it):
    path = c_program(it)
    contains(sign(it, path, "work", check=3).err, 'there is no team key "work"', "team-key create")
    one, two = team(it, "--label", "same"), team(it, "--label", "same")
    contains(sign(it, path, "same", check=1).err, "several team keys", one, two)


def test_no_file_and_no_message_has_the_key_in_it(it):
    key = team(it)
    path = c_program(it)
    done = sign(it, path, key)
    seed = it.run("chatelaine", "get", "chatelaine team key", "--user", key, "--no-newline", check=0).stdout
    equal(len(seed), 32)
    lacks(read(path).hex() + done.stdout.hex() + done.stderr.hex(), seed.hex())
