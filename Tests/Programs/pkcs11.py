# SPDX-License-Identifier: Apache-2.0
"""The module for PKCS #11, with the programs of OpenSC, GnuTLS, NSS, OpenSSL and OpenSSH, and attacks on it."""

import datetime
import glob
import os
import re
import subprocess

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from backup import owner_at_display
from ssh_agent import needs_sshd, servers
from support.instance import read_text, root_of_repository, wait_until
from support.owner import entered
from support.seeds import dice
from support.sentences import cases, contains, equal, lacks, ordinary, python

ENGINE = (glob.glob("/usr/lib/*/engines-3/pkcs11.so") or [""])[0]
PASSCODE = "correct horse"
TYPES = ["EC:prime256v1", "EC:secp384r1", "EC:secp521r1", "rsa:2048"]
# Imports the module of sys.argv[2], initialized, with a session.
BEGIN = """
import os, sys
from support.cryptoki import *
module = Module(sys.argv[2])
assert module.Initialize(None) == OK
session = module.open()
"""


def module(it):
    """The path of the module, beside the keychain service."""
    path = os.path.join(it.programs.folder, "chatelaine-pkcs11.so")
    if not os.path.exists(path):
        folder = os.environ.get("CHATELAINE_HELPERS", os.path.join(root_of_repository, ".build/release"))
        it.programs.copy(os.path.join(folder, "libchatelaine-pkcs11.so"), path)
    return path


def tool(it, *words, check=0, **more):
    return it.run("pkcs11-tool", "--module", module(it), *words, check=check, **more)


def p11tool(it, *words, check=0, **more):
    return it.run("p11tool", "--provider", module(it), "--batch", *words, check=check, **more)


def generate(it, kind="EC:prime256v1", label="key", *words):
    """A key that pkcs11-tool makes, and so owns."""
    tool(it, "--keypairgen", "--key-type", kind, "--label", label, *words)


def public_key(it, label="key"):
    """The public key as a file that OpenSSL reads."""
    # pkcs11-tool 0.23 writes no public keys on P-384.
    return written(it, label + ".pem", p11tool(it, "--export-pubkey", f"pkcs11:token=Keychain;object={label};type=public").stdout)


def client(it, code, *words, **more):
    """What a program prints that calls the functions of the module."""
    return python(it, BEGIN + code, module(it), *words, **more)


def start_with_passcode(it):
    it.start()
    entered(it, "passcode", "set", passcode=PASSCODE, check=0)


def open_to_all(it):
    """Lets every program of the user use every key, as its owner may choose."""
    entered(it, "passcode", "set", passcode=PASSCODE, check=0)
    entered(it, "settings", "set", "bridges", "open", passcode=PASSCODE, check=0)


def written(it, name, data):
    path = os.path.join(it.scratch, name)
    with open(path, "wb") as file:
        file.write(data)
    it.own(path)
    return path


# pkcs11-tool

@cases("kind", TYPES)
@ordinary
def test_pkcs11_tool_makes_lists_and_uses_keys_that_openssl_verifies(it, kind):
    it.start()
    generate(it, kind)
    pem = public_key(it)
    data = written(it, "plain", b"signed data")
    signature = os.path.join(it.scratch, "signature")
    mechanisms = ["SHA256-RSA-PKCS", "SHA512-RSA-PKCS"] if kind.startswith("rsa") else ["ECDSA-SHA256", "ECDSA-SHA384"]
    for mechanism in mechanisms:
        tool(it, "--sign", "--mechanism", mechanism, "--label", "key", "--signature-format", "openssl", "-i", data, "-o", signature)
        digest = "-" + re.search(r"SHA\d+", mechanism)[0].lower()
        it.run("openssl", "dgst", digest, "-verify", pem, "-signature", signature, data, check=0)
    listed = tool(it, "--list-objects").out
    contains(listed, "Private Key Object", "Public Key Object", "label:      key", "sensitive, always sensitive, never extractable")
    # One identifier, in which the two halves agree.
    equal(len(set(re.findall(r"ID: +(\w+)", listed))), 1)


@ordinary
def test_the_self_test_of_pkcs11_tool_finds_no_error(it):
    it.start()
    generate(it, "EC:prime256v1", "curve")
    generate(it, "rsa:2048", "rsa")
    said = tool(it, "--test").out
    contains(said, "No errors")
    lacks(said, "ERR:")


@ordinary
def test_a_chosen_identifier_belongs_to_the_key_and_its_certificate(it):
    it.start()
    generate(it, "EC:prime256v1", "key", "--id", "c0ffee")
    certificate = certificate_of(it, public_key(it))
    tool(it, "--write-object", certificate, "--type", "cert", "--label", "key")
    listed = tool(it, "--list-objects").out
    equal(re.findall(r"ID: +(\w+)", listed), ["c0ffee"] * 3)


@ordinary
def test_rsa_decrypts_and_curves_agree(it):
    it.start()
    generate(it, "rsa:2048", "rsa")
    pem = public_key(it, "rsa")
    data = written(it, "plain", b"a secret")
    for mechanism, padding in [("RSA-PKCS", ["pkcs1"]), ("RSA-PKCS-OAEP", ["oaep", "-pkeyopt", "rsa_oaep_md:sha256"])]:
        sealed, opened = os.path.join(it.scratch, "sealed"), os.path.join(it.scratch, "opened")
        it.run("openssl", "pkeyutl", "-encrypt", "-pubin", "-inkey", pem, "-in", data, "-out", sealed, "-pkeyopt",
               f"rsa_padding_mode:{padding[0]}", *padding[1:], check=0)
        hash_words = ["--hash-algorithm", "SHA256", "--mgf", "MGF1-SHA256"] if "OAEP" in mechanism else []
        tool(it, "--decrypt", "--mechanism", mechanism, *hash_words, "--label", "rsa", "-i", sealed, "-o", opened)
        equal(read_text(opened), "a secret")
    generate(it, "EC:prime256v1", "curve", "--usage-derive")
    ours = public_key(it, "curve")
    theirs = os.path.join(it.scratch, "theirs.pem")
    it.run("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", theirs, check=0)
    peer, expected, agreed = (os.path.join(it.scratch, name) for name in ("peer.der", "expected", "agreed"))
    it.run("openssl", "pkey", "-in", theirs, "-pubout", "-outform", "DER", "-out", peer, check=0)
    it.run("openssl", "pkeyutl", "-derive", "-inkey", theirs, "-peerkey", ours, "-out", expected, check=0)
    tool(it, "--derive", "--mechanism", "ECDH1-DERIVE", "--label", "curve", "-i", peer, "-o", agreed)
    with open(agreed, "rb") as one, open(expected, "rb") as other:
        equal(one.read(), other.read())


@cases("kind", ["EC", "RSA"])
@ordinary
def test_a_private_key_of_a_file_is_stored_and_no_longer_readable(it, kind):
    it.start()
    key, der = os.path.join(it.scratch, "file.pem"), os.path.join(it.scratch, "file.der")
    options = ["-pkeyopt", "ec_paramgen_curve:P-384"] if kind == "EC" else ["-pkeyopt", "rsa_keygen_bits:2048"]
    it.run("openssl", "genpkey", "-algorithm", kind, *options, "-out", key, check=0)
    it.run("openssl", "pkey", "-in", key, "-outform", "DER", "-out", der, check=0)
    tool(it, "--write-object", der, "--type", "privkey", "--label", "stored")
    data, signature = written(it, "plain", b"signed data"), os.path.join(it.scratch, "signature")
    mechanism = "ECDSA-SHA256" if kind == "EC" else "SHA256-RSA-PKCS"
    tool(it, "--sign", "--mechanism", mechanism, "--label", "stored", "--signature-format", "openssl", "-i", data, "-o", signature)
    it.run("openssl", "dgst", "-sha256", "-verify", public_key(it, "stored"), "-signature", signature, data, check=0)
    secret = 0x11 if kind == "EC" else 0x123
    said = client(it, f"""
key = module.find(session, (CLASS, PRIVATE))[0]
print(hex(module.GetAttributeValue(session, key, attributes(({secret}, bytes(256))), 1)))
""")
    equal(said, "0x11\n")
    tool(it, "--delete-object", "--type", "privkey", "--label", "stored")
    lacks(tool(it, "--list-objects").out, "stored")


# Access

@ordinary
def test_a_stranger_lists_public_halves_and_does_not_sign(it):
    it.start()
    generate(it, "EC:prime256v1", "mail")
    key = tool(it, "--list-objects", "--type", "pubkey").out
    point = re.search(r"EC_POINT: +(\w+)", key)[1]
    # Python is another program than the one that made the key. No prompt can be shown.
    said = client(it, """
public, private = (module.find(session, (CLASS, kind), (LABEL, b"mail"))[0] for kind in (PUBLIC, PRIVATE))
print(module.value(session, public, EC_POINT).hex())
print([hex(module.sign(session, private)[0]) for _ in range(2)])
print(hex(module.DestroyObject(session, private)))
print(hex(module.SetAttributeValue(session, private, attributes((LABEL, b"mine")), 1)))
""")
    equal(said.splitlines(), [point, "['0x200', '0x200']", "0x200", "0x200"])
    contains(tool(it, "--list-objects", "--type", "privkey").out, "mail")
    contains(read_text(os.path.join(it.data, "audit.log")), "read-key", "otherProgramsItem")


@ordinary
def test_an_approval_at_the_prompt_lets_another_program_sign_once(it):
    with owner_at_display(it) as pinentry:
        entered(it, "passcode", "set", passcode=PASSCODE, check=0)
        generate(it, "EC:prime256v1", "mail")
        path = module(it)
        code = BEGIN + """
private = module.find(session, (CLASS, PRIVATE))[0]
for _ in range(2):
    print(hex(module.sign(session, private)[0]), flush=True)
"""
        environment = dict(it.environment, PYTHONPATH=it.programs.modules, PYTHONDONTWRITEBYTECODE="1")
        with it.popen(it.python(), "-c", code, it.socket_path, path, stdout=subprocess.PIPE, env=environment) as process:
            pinentry.expect("GETPIN").enter(PASSCODE)
            equal(process.stdout.readline(), b"0x0\n")
            question = pinentry.expect("GETPIN")
            question.answer(question.cancelled)
            equal(process.stdout.readline(), b"0x200\n")
            equal(process.wait(timeout=60), 0)


@ordinary
def test_a_program_cannot_be_its_own_bridge_for_another_process(it):
    it.start()
    generate(it, "EC:prime256v1", "mail")
    with it.popen("sleep", "60") as victim:
        try:
            said = python(it, """
import os, socket, struct, sys
from support.wire import *
def named(process, nonce=None, first=False):
    client = Client(sys.argv[1])
    if first:
        client.request(STATUS)
    socket.send_fds(client.socket, [frame(0x25, nonce or client.nonce)], [process])
    return client.answer().status
own, other = os.pidfd_open(os.getpid()), os.pidfd_open(int(sys.argv[2]))
# Another process; this one with a wrong nonce; not in the first request; this one.
print(named(other), named(own, bytes(16)), named(own, first=True), named(own))
""", str(victim.pid))
        finally:
            victim.kill()
    equal(said.split(), ["-34018", "-50", "-34018", "0"])


@ordinary
def test_a_locked_keychain_shows_nothing_until_the_passcode_is_the_pin(it):
    start_with_passcode(it)
    generate(it, "EC:prime256v1", "key")
    it.run("chatelaine", "lock", check=0)
    contains(tool(it, "--list-slots").out, "login required", "PIN pad present")
    lacks(tool(it, "--list-objects").out, "Private Key Object")
    said = client(it, """
login = lambda pin: hex(module.Login(session, 1, pin, len(pin)))
print(len(module.find(session, (CLASS, PRIVATE))), login(b"wrong"), hex(module.Login(session, 1, None, 0)), login(b"correct horse"))
print(len(module.find(session, (CLASS, PRIVATE))), login(b"correct horse"), hex(module.Logout(session)), hex(module.Logout(session)))
""")
    equal(said.splitlines(), ["0 0xa0 0x200 0x0", "1 0x100 0x0 0x101"])


@ordinary
def test_a_key_that_needs_its_owner_says_so(it):
    start_with_passcode(it)
    generate(it, "EC:prime256v1", "guarded", "--always-auth")
    contains(tool(it, "--list-objects", "--type", "privkey").out, "always authenticate")
    contains(tool(it, "--list-objects", "--type", "pubkey").out, "EC_POINT")
    # Its owner cannot be asked here.
    equal(client(it, """
private = module.find(session, (CLASS, PRIVATE))[0]
print(hex(module.sign(session, private)[0]))
"""), "0x200\n")


# Other programs

@ordinary
def test_p11tool_lists_and_tests_a_key(it):
    it.start()
    contains(p11tool(it, "--list-tokens").out, "Label: Keychain", "Manufacturer: Chatelaine")
    p11tool(it, "--generate-ecc", "--curve", "secp256r1", "--label", "mine", "--no-so-login", "pkcs11:token=Keychain")
    contains(p11tool(it, "--list-all", "pkcs11:token=Keychain").out, "Type: Private key (EC/ECDSA-SECP256R1)", "Label: mine")
    contains(p11tool(it, "--test-sign", "pkcs11:token=Keychain;object=mine;type=private").err, "ok")
    # The key of another program.
    generate(it, "rsa:2048", "foreign")
    contains(p11tool(it, "--export-pubkey", "pkcs11:token=Keychain;object=foreign;type=public").out, "BEGIN PUBLIC KEY")
    p11tool(it, "--test-sign", "pkcs11:token=Keychain;object=foreign;type=private", check=1)


@ordinary
def test_p11_kit_finds_the_module_by_its_registration(it):
    it.start()
    folder = os.path.join(it.directories["config"], "pkcs11", "modules")
    os.makedirs(folder)
    registration = read_text(os.path.join(root_of_repository, "Packaging/p11-kit/chatelaine.module"))
    with open(os.path.join(folder, "chatelaine.module"), "w", encoding="ascii") as file:
        file.write(registration.replace("@prefix@/lib/pkcs11/chatelaine-pkcs11.so", module(it)))
    for path, _, _ in os.walk(it.directories["config"]):
        it.own(path)
    it.environment["XDG_CONFIG_HOME"] = it.directories["config"]
    contains(it.run("p11-kit", "list-modules", check=0).out, "chatelaine: ", "token: Keychain")
    generate(it)
    contains(it.run("p11tool", "--batch", "--list-all", "pkcs11:token=Keychain", check=0).out, "Label: key")


def openssl(it, *words, **more):
    configuration = written(it, "openssl.cnf", f"""openssl_conf = openssl_init
[openssl_init]
engines = engines
[engines]
pkcs11 = pkcs11_engine
[pkcs11_engine]
engine_id = pkcs11
dynamic_path = {ENGINE}
MODULE_PATH = {module(it)}
init = 0
""".encode())
    return it.run("openssl", *words, env=dict(it.environment, OPENSSL_CONF=configuration), **more)


@pytest.mark.skipif(not ENGINE, reason="there is no engine of OpenSSL for PKCS #11")
@cases("kind, options", [("EC:prime256v1", []), ("rsa:2048", []), ("rsa:3072", ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:-1"])])
@ordinary
def test_the_engine_of_openssl_signs(it, kind, options):
    it.start()
    generate(it, kind)
    open_to_all(it)
    data, signature = written(it, "plain", b"signed data"), os.path.join(it.scratch, "signature")
    openssl(it, "dgst", "-engine", "pkcs11", "-keyform", "engine", "-sign", "pkcs11:token=Keychain;object=key;type=private", "-sha256",
            *options, "-out", signature, data, check=0)
    it.run("openssl", "dgst", "-sha256", *options, "-verify", public_key(it), "-signature", signature, data, check=0)


@cases("kind", ["EC:prime256v1", "rsa:2048"])
@needs_sshd
@pytest.mark.users("root")
def test_ssh_lists_the_keys_and_logs_in_with_one_that_it_may_use(it, kind):
    it.start()
    generate(it, kind)
    line = it.run("ssh-keygen", "-D", module(it), check=0).out
    # sshd of root needs this folder, which systemd makes.
    os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
    with servers(it, "one") as server:
        server.admit(line)
        words = ["-o", f"PKCS11Provider={module(it)}", "-o", "IdentitiesOnly=no"]
        # ssh is another program than the one that made the key, and cannot be asked here.
        assert not server.login(*words)
        open_to_all(it)
        assert server.login(*words)


def certificate_of(it, pem, name="ann"):
    """A certificate for a public key, by an authority of the test."""
    with open(pem, "rb") as file:
        key = serialization.load_pem_public_key(file.read())
    authority = ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority")])
    start = datetime.datetime(2020, 1, 1)

    def issue(subject, public, is_authority):
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(public)
        builder = builder.serial_number(x509.random_serial_number()).not_valid_before(start)
        builder = builder.not_valid_after(start + datetime.timedelta(days=36500))
        builder = builder.add_extension(x509.BasicConstraints(is_authority, None), critical=True)
        return builder.sign(authority, hashes.SHA256())
    leaf = issue(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), key, False)
    written(it, "authority.pem", issue(issuer, authority.public_key(), True).public_bytes(serialization.Encoding.PEM))
    return written(it, "leaf.der", leaf.public_bytes(serialization.Encoding.DER))


def make_nss_folder(it, folder):
    """Makes a database of NSS that knows the module."""
    os.mkdir(folder)
    it.own(folder)
    it.run("certutil", "-N", "-d", f"sql:{folder}", "--empty-password", check=0)
    it.run("modutil", "-dbdir", f"sql:{folder}", "-add", "chatelaine", "-libfile", module(it), "-force", check=0)


@cases("kind", ["EC:prime256v1", "rsa:2048"])
@ordinary
def test_gnutls_and_nss_present_a_client_certificate(it, kind):
    it.start()
    generate(it, kind)
    tool(it, "--write-object", certificate_of(it, public_key(it)), "--type", "cert", "--label", "ann")
    open_to_all(it)
    # A server that demands a certificate of the authority.
    key, certificate = os.path.join(it.scratch, "server.key"), os.path.join(it.scratch, "server.pem")
    it.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost", "-days", "30",
           "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate, check=0)
    log = os.path.join(it.scratch, "server.log")
    folder = os.path.join(it.scratch, "nss")
    with open(log, "wb") as output, it.popen(
            "openssl", "s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate, "-CAfile", os.path.join(it.scratch, "authority.pem"),
            "-Verify", "1", "-verify_return_error", stdin=subprocess.PIPE, stdout=output, stderr=output) as server:
        def wait_for_client(number):
            wait_until(lambda: read_text(log).count("subject=CN = ann") == number, what="the certificate of the client")

        try:
            port = wait_until(lambda: re.search(r"ACCEPT 127.0.0.1:(\d+)", read_text(log)), what="the server")[1]
            uri = "pkcs11:token=Keychain;object={};type={}"
            it.run("gnutls-cli", "--provider", module(it), "--x509cafile", certificate, "--verify-hostname", "localhost",
                   "--x509certfile", uri.format("ann", "cert"), "--x509keyfile", uri.format("key", "private"),
                   "-p", port, "127.0.0.1", input="", check=0)
            wait_for_client(1)
            make_nss_folder(it, folder)
            it.run("certutil", "-A", "-d", f"sql:{folder}", "-n", "server", "-t", "CP,,", "-a", "-i", certificate, check=0)
            it.run("tstclnt", "-Q", "-h", "127.0.0.1", "-a", "localhost", "-p", port, "-d", f"sql:{folder}", "-n", "Keychain:ann", input="", check=0)
            wait_for_client(2)
        finally:
            server.kill()
    # NSS finds the key and its certificate as one.
    contains(it.run("modutil", "-dbdir", f"sql:{folder}", "-list", "chatelaine", check=0).out, "Token Name: Keychain")
    contains(it.run("certutil", "-L", "-h", "Keychain", "-d", f"sql:{folder}", check=0).out, "Keychain:ann", "u,u,u")
    assert re.search("< 0> (ec|rsa) +[0-9a-f]{40} +key", it.run("certutil", "-K", "-h", "Keychain", "-d", f"sql:{folder}", check=0).out)


# Programs that fork, use threads, and unload

@ordinary
def test_a_forked_process_initializes_the_module_again_and_leaves_the_connection_of_its_parent_alone(it):
    it.start()
    equal(client(it, """
public, private = module.generate(session, b"key")
def signs():
    return hex(module.sign(session, private)[0])
print(signs(), flush=True)
child = os.fork()
if not child:
    print(hex(module.GetInfo(None)), hex(module.Finalize(None)), signs(), flush=True)
    assert module.Initialize(None) == OK
    session = module.open()
    private = module.find(session, (CLASS, PRIVATE))[0]
    print(signs(), flush=True)
    assert module.Finalize(None) == OK
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(signs(), flush=True)
"""), "0x0\n0x190 0x190 0x190\n0x0\n0x0\n")


@ordinary
def test_a_process_that_is_forked_while_threads_use_the_module_does_not_hang(it):
    it.start()
    equal(client(it, """
import threading
public, private = module.generate(session, b"key")
end = threading.Event()
def work():
    mine = module.open()
    while not end.is_set():
        assert module.sign(mine, private)[0] == OK
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for _ in range(20):
    child = os.fork()
    if not child:
        assert module.Initialize(None) == OK
        found = module.find(module.open(), (CLASS, PRIVATE))
        os._exit(len(found))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
end.set()
for thread in threads:
    thread.join()
print("done")
"""), "done\n")


@ordinary
def test_threads_with_a_session_each_sign_at_the_same_time_and_one_session_is_not_shared(it):
    it.start()
    equal(client(it, """
import threading
public, private = module.generate(session, b"key")
failed, shared = [], []
def work():
    mine = module.open()
    for _ in range(50):
        code, signature = module.sign(mine, private)
        if code != OK or module.verify(mine, public, signature) != OK:
            failed.append(code)
        shared.append(module.sign(session, private)[0])
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(failed, set(shared) <= {OK, ACTIVE, NO_OPERATION})
"""), "[] True\n")


@ordinary
def test_two_copies_of_the_module_work_in_one_process_and_stay_loaded(it):
    it.start()
    other = it.programs.copy(module(it), os.path.join(it.scratch, "second.so"))
    equal(client(it, """
import _ctypes
second = Module(sys.argv[3])
assert second.Initialize(None) == OK
public, private = module.generate(session, b"key")
mine = second.open()
key = second.find(mine, (CLASS, PRIVATE))[0]
print(hex(second.sign(mine, key)[0]), hex(module.sign(session, private)[0]))
assert module.Finalize(None) == OK
print(hex(second.sign(mine, key)[0]), hex(module.sign(session, private)[0]))
# A program that unloads the module: it stays, and the program can load it again.
functions = module.GetInfo
_ctypes.dlclose(module.library._handle)
print(hex(functions(None)))
again = Module(sys.argv[2])
assert again.Initialize(None) == OK
print(len(again.find(again.open(), (CLASS, PRIVATE))))
""", other), "0x0 0x0\n0x0 0x190\n0x190\n1\n")


# Bad input

@ordinary
def test_calls_with_wrong_arguments_get_the_error_of_the_specification(it):
    it.start()
    said = client(it, """
public, private = module.generate(session, b"key")
def says(*codes):
    print(*(hex(code) for code in codes))
ref = ctypes.byref
length = ULONG(0)
null = None
# Initialized twice; arguments of the initialization.
says(module.Initialize(null))
assert module.Finalize(null) == OK
says(module.Finalize(null), module.GetInfo(ref(length)), module.sign(session, private)[0])
says(module.Initialize(ref(Arguments(reserved=1))), module.Initialize(ref(Arguments((1, 0, 0, 0), 0, 0))),
     module.Initialize(ref(Arguments((1, 1, 1, 1), 0, 0))), module.Initialize(ref(Arguments((1, 1, 1, 1), OS_LOCKING, 0))))
# Null pointers.
says(module.GetInfo(null), module.GetSlotList(1, null, null), module.GetSlotInfo(0, null), module.GetTokenInfo(0, null),
     module.OpenSession(0, SERIAL, null, null, null), module.GetMechanismList(0, null, null))
# Wrong slots, sessions, flags.
says(module.GetSlotInfo(7, null), module.OpenSession(0, 0, null, null, ref(length)), module.sign(session, private)[0],
     module.FindObjectsInit(99, null, 0))
session = module.open()
private, public = (module.find(session, (CLASS, kind))[0] for kind in (PRIVATE, PUBLIC))
# Templates.
says(module.FindObjectsInit(session, null, 1), module.FindObjectsInit(session, (Attribute * 1)(Attribute(LABEL, None, 5)), 1),
     module.FindObjectsInit(session, attributes((CLASS, b"abc")), 1), module.FindObjectsInit(session, attributes((TOKEN, b"ab")), 1),
     module.FindObjectsInit(session, attributes((TOKEN, b"\\2")), 1), module.FindObjectsInit(session, (Attribute * 1)(), 10**9),
     module.FindObjectsInit(session, (Attribute * 1)(Attribute(LABEL, 16, UNAVAILABLE)), 1),
     module.FindObjectsInit(session, attributes((LABEL, b"a"), (LABEL, b"a")), 2))
# Rooms that are too small, absent attributes, all in one call.
kept = attributes((EC_POINT, bytes(3)), (LABEL, bytes(10)), (MODULUS, bytes(9)), (CLASS, bytes(8)))
says(module.GetAttributeValue(session, public, kept, 4), *(each.length for each in kept))
says(module.GetAttributeValue(session, private, null, 1), module.GetAttributeValue(session, 10**6, kept, 1))
# Operations without a beginning, begun twice, with wrong mechanisms.
says(module.Sign(session, b"x", 1, null, ref(length)), module.FindObjects(session, null, 0, ref(length)), module.FindObjectsFinal(session))
begin = lambda kind, key, parameter=None, size=0: module.SignInit(session, ref(Mechanism(kind, parameter, size)), key)
says(begin(0x9999, private), begin(PSS, private), begin(ECDSA, public), begin(ECDSA, 10**6), begin(ECDSA, private, 1, 8))
says(begin(ECDSA, private), begin(ECDSA, private))
says(module.Sign(session, null, 5, null, null), module.Sign(session, b"x" * 32, 32, null, ref(length)), length.value)
small = ctypes.create_string_buffer(10)
length.value = 10
says(module.Sign(session, b"x" * 32, 32, small, ref(length)), length.value)
says(module.SignInit(session, null, 0), begin(ECDSA, private), module.Sign(session, null, 0, ctypes.create_string_buffer(64), ref(ULONG(64))))
# A session that may not write; a key that a program could read.
reader = module.open(SERIAL)
says(module.DestroyObject(reader, private))
whole = attributes((CLASS, PRIVATE), (TOKEN, True), (0x162, True))
half = attributes((EC_PARAMS, P256))
says(module.GenerateKeyPair(session, ref(Mechanism(EC_PAIR, None, 0)), half, 1, whole, 3, ref(length), ref(ULONG())),
     module.GenerateKeyPair(session, ref(Mechanism(EC_PAIR, None, 0)), attributes((EC_PARAMS, b"?")), 1, whole, 2, ref(length), ref(ULONG())))
# The functions that the module does not have.
says(module.InitToken(0, null, 0, null), module.DigestInit(session, null), module.GetFunctionStatus(session))
says(module.CloseSession(session), module.CloseSession(session))
print(len(module.find(module.open(), (CLASS, PRIVATE))))
""")
    equal(said.splitlines(), [
        "0x191",
        "0x190 0x190 0x190",
        "0x7 0x7 0xa 0x0",
        "0x7 0x7 0x7 0x7 0x7 0x7",
        "0x3 0xb4 0xb3 0xb3",
        "0x7 0x13 0x13 0x13 0x13 0x7 0x13 0xd1",
        "0x12 0xffffffffffffffff 0x3 0xffffffffffffffff 0x8",
        "0x7 0x82",
        "0x91 0x91 0x91",
        "0x70 0x63 0x63 0x60 0x71",
        "0x0 0x90",
        "0x7 0x0 0x40",
        "0x150 0x40",
        "0x0 0x0 0x21",
        "0xb5",
        "0xd1 0x140",
        "0x54 0x54 0x51",
        "0x0 0xb3",
        "1",
    ])


@ordinary
def test_random_calls_end_with_a_return_value_and_the_module_still_works(it):
    it.start()
    number = dice("pkcs11").getrandbits(32)
    equal(client(it, """
import random
dice = random.Random(int(sys.argv[3]))
public, private = module.generate(session, b"key")
numbers = [0, 1, 2, 3, 4, 5, session, public, private, 99, 2**63, UNAVAILABLE, ECDSA, ECDSA_SHA256, PSS, 0x1050, 0x1057, 9]
kinds = [0, 1, 2, 3, 0x11, 0x80, 0x100, 0x102, 0x103, 0x108, 0x120, 0x121, 0x161, 0x180, 0x181, 0x202, 2**31]
kept = []
def memory(size=4096):
    kept.append(ctypes.create_string_buffer(dice.randbytes(size), size))
    return kept[-1]
def data():
    return dice.choice([b"", b"\1", P256, dice.randbytes(8), dice.randbytes(dice.randrange(100)), (3).to_bytes(8, "little")])
def template(lies=True):
    made = attributes(*((dice.choice(kinds), data()) for _ in range(dice.randrange(6))))
    for each in made if lies else ():
        if dice.random() < 0.1:
            each.value = None
        if dice.random() < 0.1:
            each.length = dice.choice([UNAVAILABLE, 2**40, 0])
    kept.append(made)
    return made, len(made)
def mechanism():
    size = dice.choice([0, 0, 24, 40, 8, 1])
    # No pointer of the parameter leads anywhere but to null.
    kept.append(ctypes.create_string_buffer(bytes(size + 1), size + 1))
    kept.append(Mechanism(dice.choice(numbers), ctypes.cast(kept[-1], ctypes.c_void_p) if size else None, size))
    return dice.choice([None, ctypes.byref(kept[-1])])
def count():
    kept.append(ULONG(dice.choice([0, 1, 63, 64, 100, 4096])))
    return ctypes.byref(kept[-1])
def key():
    return dice.choice(numbers)
def room():
    return dice.choice([None, memory()])
def text():
    value = data()
    return [value, len(value)]
def calls():
    s = dice.choice([session, session, session, key()])
    yield "FindObjectsInit", s, *template()
    yield "FindObjects", s, memory(), dice.choice([0, 1, 512]), count()
    yield "FindObjectsFinal", s
    # The module writes as many bytes as this template has room for.
    yield "GetAttributeValue", s, key(), *template(lies=False)
    yield "SetAttributeValue", s, public, *template()
    yield "CreateObject", s, *template(), memory()
    yield "GenerateKeyPair", s, mechanism(), *template(), *template(), memory(), memory()
    yield "DeriveKey", s, mechanism(), key(), *template(), memory()
    for verb in "Sign", "Verify", "Encrypt", "Decrypt":
        yield verb + "Init", s, mechanism(), key()
    yield "Sign", s, *text(), room(), count()
    yield "SignUpdate", s, *text()
    yield "SignFinal", s, room(), count()
    yield "Verify", s, *text(), *text()
    yield "VerifyFinal", s, *text()
    yield "Encrypt", s, *text(), room(), count()
    yield "Decrypt", s, *text(), room(), count()
    yield "Login", s, key(), *text()
    yield "GetMechanismInfo", key(), key(), memory()
    yield "GetMechanismList", key(), room(), count()
    yield "GenerateRandom", s, memory(), dice.choice([0, 1, 4096])
for _ in range(200):
    for name, *words in dice.sample(list(calls()), 12):
        result = getattr(module, name)(*words)
        assert 0 <= result <= 0x200, (name, result)
    kept.clear()
mine = module.open()
private = module.find(mine, (CLASS, PRIVATE), (LABEL, module.value(mine, private, LABEL)))[0]
print(hex(module.sign(mine, private)[0]))
""", str(number)), "0x0\n")


@ordinary
def test_a_token_that_disappears_is_reported_and_found_again(it):
    it.start()
    code = BEGIN + """
public, private = module.generate(session, b"key")
for line in sys.stdin:
    print(hex(module.sign(session, private)[0]), hex(module.GetTokenInfo(0, ctypes.create_string_buffer(512))), flush=True)
"""
    environment = dict(it.environment, PYTHONPATH=it.programs.modules, PYTHONDONTWRITEBYTECODE="1")
    with it.popen(it.python(), "-c", code, it.socket_path, module(it), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        def ask():
            process.stdin.write(b"\n")
            process.stdin.flush()
            return process.stdout.readline()
        equal(ask(), b"0x0 0x0\n")
        it.stop()
        # Nothing can start the service again.
        os.rename(os.path.join(it.programs.folder, "chatelained"), os.path.join(it.programs.folder, "away"))
        try:
            equal(ask(), b"0x32 0xe0\n")
        finally:
            os.rename(os.path.join(it.programs.folder, "away"), os.path.join(it.programs.folder, "chatelained"))
        it.start()
        equal(ask(), b"0x0 0x0\n")
        process.stdin.close()
        equal(process.wait(timeout=60), 0)


# Figures

LOADER = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
struct list { unsigned char version[2]; unsigned long (*function[68])(); };
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e3 + t.tv_nsec / 1e6; }
static long own(void) {
    char line[200]; long sum = 0, value;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    while (fgets(line, sizeof line, file)) if (sscanf(line, "Pss: %ld", &value) == 1) sum = value;
    fclose(file);
    return sum;
}
int main(int count, char **words) {
    long before = own();
    double start = now();
    void *library = dlopen(words[1], RTLD_NOW);
    if (!library) { puts(dlerror()); return 1; }
    struct list *list;
    unsigned long (*get)(struct list **) = dlsym(library, "C_GetFunctionList"), slots[4], number = 4;
    char info[1000];
    if (get(&list) || list->function[0](0) || list->function[4](1, slots, &number) || list->function[5](slots[0], info)) return 2;
    double end = now();
    printf("%.2f %ld\n", end - start, own() - before);
    return (int)list->function[1](0);
}
"""


@ordinary
def test_a_program_that_only_enumerates_slots_starts_no_service_and_takes_little_memory(it):
    """The figures are in Performance.md. The time is only printed, and the bound of the memory leaves room for other libraries."""
    source = written(it, "loader.c", LOADER.encode())
    program = os.path.join(it.scratch, "loader")
    subprocess.run(["cc", "-O1", "-w", "-o", program, source, "-ldl"], check=True)
    figures = [it.run(program, module(it), check=0).out.split() for _ in range(10)]
    milliseconds, kilobytes = min(float(each[0]) for each in figures), min(int(each[1]) for each in figures)
    print(f"{milliseconds} ms, {kilobytes} kB")
    assert kilobytes <= 6144
    assert not os.path.exists(it.socket_path)
