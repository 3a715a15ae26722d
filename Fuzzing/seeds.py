#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the test vectors into a corpus, so that fuzzing starts from well-formed inputs: seeds.py TARGET CORPUS"""

import base64
import json
import pathlib
import re
import struct
import sys

target, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
vectors = pathlib.Path(__file__).resolve().parent.parent / "TestVectors"


def put(name, content):
    (corpus / f"seed-{name}").write_bytes(content)


def tlv(tag, content):
    return bytes([tag, 0x82]) + len(content).to_bytes(2, "big") + content


if target == "fuzz-storage":
    for path in sorted((vectors / "v1").glob("*.json")):
        keybag = json.loads(path.read_text()).get("keybag")
        if isinstance(keybag, str):
            put(path.stem, b"\0" + bytes.fromhex(keybag))
    # Account "ann" and the creator 1: key, type, length, value.
    pairs = b"".join(len(text).to_bytes(4, "big") + text for text in [b"server", b"a.example", b"user", b"ann"])
    put("lookup-attributes", b"\1acct\1\0\0\0\3annlkup\2" + len(pairs).to_bytes(4, "big") + pairs)
    put("attributes", b"\1acct\1\0\0\0\3anncrtr\3\0\0\0\10" + bytes(7) + b"\1")
    for number, vector in enumerate(json.loads((vectors / "access-objects-v1.json").read_text())):
        if "object" in vector:
            put(f"access-{number}", b"\2" + bytes.fromhex(vector["object"]))
        else:
            put(f"application-{number}", b"\3" + bytes.fromhex(vector["application"]))
    for path in sorted((vectors / "backup-v1").glob("*.json")):
        # The header without its checksum.
        put(path.stem, b"\4" + bytes.fromhex(json.loads(path.read_text())["backup"])[:147])

    def record(form, content):
        return bytes([form]) + struct.pack(">H", len(content)) + content

    # In pieces of 64 bytes: an item, an item that is bound to the device and has no data, and the end. Class, identifier and
    # accessibility precede the part that is sealed again for the device.
    names = b"acct\1\0\0\0\3annpdmn\1\0\0\0\2"
    item = record(0, b"\1" + bytes(15) + b"\1\1" + struct.pack(">I", 23) + names + b"ak" + b"\1\0\0\0\3pwd")
    bound = record(1, b"\1" + bytes(15) + b"\2\4" + struct.pack(">I", 24) + names[:-1] + b"\3aku" + b"\0")
    put("records", b"\5\x3f" + item + bound + record(2, struct.pack(">QQQ", 1, 1, 4)))
    put("framing", b"\5\0" + record(3, b"\1\0\0\0\x10" + bytes(16)))
    put("column", b"\6" + bytes(40))
    for number, vector in enumerate(json.loads((vectors / "constrained-items-v2.json").read_text())["vectors"]):
        put(f"column-{number}", b"\6" + bytes.fromhex(vector["itemKey"]))
    for number, vector in enumerate(json.loads((vectors / "device-key-v3.json").read_text())):
        put(f"guarded-{number}", b"\7" + bytes.fromhex(vector["file"])[:-32])
elif target == "fuzz-passwords":
    put("rules", b"\0minlength: 12; maxlength: 64; required: upper; required: digit, [-!?]; allowed: lower; max-consecutive: 2")
    put("password", b"\1coRrecth0rseba++ery9.23.2007staple$ qwerty aaa")
elif target == "fuzz-imports":
    put("netrc", b"\3\0machine a.example login ann password \"p w\"\nmacdef m\nx\n\ndefault login b password c\n")
    put("git", b"\3\1https://ann:p%40w@a.example:8443/b.git\n")
    put("npm", b"\3\3//r.example/:_authToken=x\n//s.example/:username=ann\n//s.example/:_password=cGFzcw==\n")
    put("pypi", b"\3\4[pypi]\nusername = ann\npassword = x\n  y\n")
    put("docker", b'\3\5{"auths": {"ghcr.io": {"auth": "YW5uOnB3", "email": "a"}}}')
    put("gh", b"\3\6github.com:\n    oauth_token: x\n")
    put("address", b"\2https://ann@[fe80::1%25eth0]:8443/path?query#fragment")
    put("csv", b'\0url,username,password,note\r\nhttps://a.example,ann,"se""cret, \n",\n\n,,,x\n')
    put("json", b'\1[{"class": "internet", "account": "ann", "secret": {"base64": "AP8="}, "port": -443, "invisible": true}, null, "\\ud83d\\udd11"]')
elif target == "fuzz-ssh":
    samples = vectors.parent / "Bridges/SSHAgent/Sources/SSHAgentSamples"
    recorded = {}
    for path in "RecordedMessages.swift", "RecordedKeys.swift":
        text = (samples / path).read_text()
        for name, long, short in re.findall(r'static let (\w+) = bytes\(\s*(?:"""(.*?)"""|"(.*?)")\s*\)', text, re.S):
            recorded[name] = base64.b64decode(re.sub(r"[\s\\]", "", long or short))

    def string(data):
        return struct.pack(">I", len(data)) + data

    def pieces(*messages):
        stream = b"".join(map(string, messages))
        return b"\0" + b"".join(bytes([60]) + stream[at:at + 61] for at in range(0, len(stream), 61))

    for name, message in recorded.items():
        if name.startswith(("publicKey_", "certificate_")):
            put(name, b"\1" + message)
        elif name.startswith("session"):
            put(name, pieces(b"\x1b" + string(b"session-bind@openssh.com") + message))
        elif message[0] in range(11, 28) and len(message) < 3500:
            put(name, pieces(message))
    for kind in "ed25519", "ecdsa256", "ecdsa384", "ecdsa521", "rsa":
        key = recorded["publicKey_" + kind]
        signing = b"\x0d" + string(key) + string(b"data") + struct.pack(">I", 2)
        put("sign-" + kind, pieces(recorded["add_" + kind], signing, b"\x12" + string(key), signing))
    key = recorded["publicKey_ed25519"]
    signing = b"\x0d" + string(key) + string(b"data") + bytes(4)
    put("locked", pieces(recorded["add_ed25519"], recorded["lock"], signing, recorded["unlock"], signing))
    binding = b"\x1b" + string(b"session-bind@openssh.com")
    put("restricted", pieces(recorded["addWithDestinations"], binding + recorded["session1_host1"], signing))
    put("bound", pieces(recorded["add_ed25519"], binding + recorded["session1_host1"], binding + recorded["session1_host2"], signing))
    put("unknown", pieces(b"\x1b" + string(b"query"), b"\x1b" + string(b"a@b"), b"\xff", b"\x13"))
    put("size", b"\0" + bytes([6]) + bytes([0, 4, 0, 1, 0, 0]))
    line = b"org.chatelaine.ssh ssh-ed25519 " + base64.b64encode(key)
    put("tag", b"\2" + line)
    put("tag-rules", b"\2" + line + b" cert=AAAA confirm program=/usr/bin/ssh host=git@example.org,AAAA,@BBBB host=@a,AAAA")
    put("tag-twice", b"\2" + line + b" confirm confirm")
elif target == "fuzz-programs":
    vectors_of_signatures = json.loads((vectors / "code-signature-v1.json").read_text())
    for number, vector in enumerate(vectors_of_signatures):
        put(f"section-{number}", b"\0" + bytes.fromhex(vector["section"]))
    # A program with a segment and the sections .shstrtab and .chatelaine.signature, in this order in the file.
    signature = bytes.fromhex(vectors_of_signatures[0]["section"])
    names = b"\0.shstrtab\0.chatelaine.signature\0"
    names_at = 128 + len(signature)
    table = (names_at + len(names) + 7) // 8 * 8
    header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, table, 0, 64, 56, 1, 64, 3, 1)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, 128, 128, 4096)
    sections = bytes(64) + struct.pack("<IIQQQQIIQQ", 1, 3, 0, 0, names_at, len(names), 0, 0, 1, 0)
    sections += struct.pack("<IIQQQQIIQQ", 11, 1, 0, 0, 128, len(signature), 0, 0, 1, 0)
    program = header + segment + bytes(8) + signature + names
    put("program", b"\1" + program + bytes(table - len(program)) + sections)
elif target == "fuzz-keys":
    # An RSA key of 1024 bits that was generated for this purpose, and the curves' base points with the scalar 1.
    rsa = bytes.fromhex(
        "3082025b020100028181009aa7a7ee496540d6c67a456e3cc078a4e24896afdb432c25279f7cafbbbfdef85583e83ccaa85643926a3abf09"
        "29f2974fe01ec9301435d0c5c97eb0e9a0e78e0bd5bb87cfc1a3da8468ad0a2955bc073cf0aaf6be083b34fc4e7463849c54e68ed9d463e5"
        "4d66ab6cd866145413504e3b05b22a392ab36ef091a75b1fa76af1020301000102818009506d99b94be2d2cc9352992809837a92b2427906"
        "e08dc91310d4e6948d22b59c18dca4c4a3ccc6370c34cb8a96bf2883c400b6a731a06819716032f16f2262e0b3185b2993ab77619ebafe8c"
        "42fe587ec7ddfae4ea862a4dff233b317067e429df42ce4fc2a627e50fab5852efbb5e38633b00dd4de658e24ee892a2c6588d024100cd27"
        "e0e755fb1a7f88d57bd8fab5e0aec8f101e33ea634b69680f22aba63f5d84197213aeeaf2bc02c9c22b30457b9f0ef57bace3ecd076d7119"
        "8e82813e4bf7024100c0fbbf1c1a1e6b1010846de1e84820a604498d01ed6c12c365c62a2faa87ac44371daf9ed74b26952b1e989b1539d9"
        "4d6bc176ac0f3378961cf60fcb9fd6b657024001d99d3698d8e5d946939e454ba57e3c3545af1dac7ff533bc51b75d5946f37d9ac1d123e5"
        "e9207ce02a1c49fefd07893baf4fd8f24a090a1c9dfd6201e65ceb02405b6923ce28e50dab8f575b412da8b4a64ed394123ca6fb8048be04"
        "0f8e0433ea1ffd54c9b58b285c720f4d13f08af54e81e322d63f610f1673e36df9f2dd5e830240495bf1bd939164e82c966e73c0d612a616"
        "67b26d37297f0f1895630079538958127496f4836c5c4555d01ffa2786a595f053250ad8102842db1c47b0de2e8db6"
    )
    modulus_end = 7 + 4 + 128
    public = b"\x30\x81\x89" + rsa[7:modulus_end] + b"\2\3\1\0\1"
    put("rsa", b"\0" + rsa)
    put("rsa-public", b"\4" + public)
    points = {
        32: "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
        48: "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7"
            "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f",
        66: "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429b"
            "f97e7e31c2e5bd66"
            "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c240"
            "88be94769fd16650",
    }
    for size, text in points.items():
        point = b"\4" + bytes.fromhex(text)
        put(f"curve-{size}", b"\1" + point + bytes(size - 1) + b"\1")
        put(f"curve-public-{size}", b"\5" + point)
        put(f"ecies-{size}", b"\x09" + point + bytes(20))
    put("ed25519", b"\2" + bytes(range(32)))
    put("x25519-public", b"\7" + bytes(range(32)))
    header = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")
    put("info-curve", b"\x08" + header + b"\4" + bytes.fromhex(points[32]))
    put("info-rsa", b"\x08" + bytes.fromhex("30819f300d06092a864886f70d010101050003818d00") + public)
    put("info-ed25519", b"\x08" + bytes.fromhex("302a300506032b6570032100") + bytes(range(32)))
    put("signature", b"\x0a" + bytes.fromhex("3006020101020101"))
elif target == "fuzz-certificates":
    for number, vector in enumerate(json.loads((vectors / "certificates-v1.json").read_text())):
        certificate = bytes.fromhex(vector["certificate"])
        if len(certificate) > 4000:
            continue
        put(f"certificate-{number}", b"\0" + certificate)
        put(f"name-{number}", b"\1" + bytes.fromhex(vector["facts"]["subject"]))
    block = b"-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(certificate) + b"-----END CERTIFICATE-----\n"
    put("text", b"\2# text\r\n" + block + block)
    put("headers", b"\2-----BEGIN KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAEC\n-----END KEY-----\n")
    put("bytes", b"\3" + certificate)
elif target == "fuzz-transfer":
    for number, vector in enumerate(json.loads((vectors / "transfer-v1.json").read_text())):
        content = bytes.fromhex(vector["file"])
        if len(content) < 3000:
            put(f"file-{number}", b"\0" + content)
        # A bag of PKCS #12 with a key, encrypted or not, or with a certificate.
        kinds = {"PKCS #8 of": 1, "PKCS #8 encrypted": 2, "a certificate": 3}
        for words, kind in kinds.items():
            if vector["about"].startswith(words) and len(content) < 400 or vector["about"] == words:
                if kind == 3:
                    content = tlv(0x30, bytes.fromhex("060a2a864886f70d01091601") + tlv(0xA0, tlv(4, content)))
                bag_type = bytes.fromhex("060b2a864886f70d010c0a01") + bytes([kind])
                put(f"bag-{number}", b"\1" + tlv(0x30, bag_type + tlv(0xA0, content)))
elif target == "fuzz-bus":
    # The bus's answer to Hello, and a signal whose argument is a dictionary of variants.
    answer = b"l\2\1\1\13\0\0\0\1\0\0\0\75\0\0\0\6\1s\0\6\0\0\0:1.123\0\0\5\1u\0\1\0\0\0\10\1g\0\1s\0\0"
    answer += b"\7\1s\0\24\0\0\0org.freedesktop.DBus\0\0\0\0\6\0\0\0:1.123\0"
    put("answer", b"\0" + answer)
    signal = b"l\4\1\1\22\0\0\0\2\0\0\0\73\0\0\0\1\1o\0\2\0\0\0/a\0\0\0\0\0\0\2\1s\0\3\0\0\0a.b\0\0\0\0\0"
    signal += b"\3\1s\0\4\0\0\0Lock\0\0\0\0\10\1g\0\5a{sv}\0\0\0\0\0\0\12\0\0\0\0\0\0\0\1\0\0\0k\0\1y\0\7"
    put("signal", b"\0" + signal)
    # Calls without an interface: of a method, and of Get and Set for a property.
    def call(member, signature, body):
        fields = b"\1\1o\0\2\0\0\0/a\0\0\0\0\0\0\3\1s\0" + len(member).to_bytes(4, "little") + member + b"\0"
        fields += bytes(-len(fields) % 8) + b"\10\1g\0" + bytes([len(signature)]) + signature + b"\0"
        head = b"l\1\0\1" + len(body).to_bytes(4, "little") + b"\1\0\0\0" + len(fields).to_bytes(4, "little")
        return b"\0" + head + fields + bytes(-len(fields) % 8) + body
    put("call", call(b"Add", b"ii", b"\1\0\0\0\2\0\0\0"))
    named = b"\15\0\0\0org.example.A\0\0\0\4\0\0\0Name\0"
    put("get", call(b"Get", b"ss", named))
    put("set", call(b"Set", b"ssv", named + b"\1s\0\2\0\0\0xy\0"))
    put("get-all", call(b"GetAll", b"s", b"\0\0\0\0\0"))
    put("managed", call(b"GetManagedObjects", b"", b""))
    put("lines", b"\1OK 1234deadbeef\r\nAGREE_UNIX_FD\r\n")
    put("address", b"\2unix:path=/run/dbus%20bus,guid=12;tcp:host=a")
    put("signature", b"\3a{sa(yv)}(xas)h")
else:
    for vector in json.loads((vectors / "protocol-v1.json").read_text())["vectors"]:
        put(vector["name"], bytes.fromhex(vector["frame"]))
    if target == "fuzz-answers":
        # A request for a certificate of one byte, for mail to a@b, and an answer with one fault.
        put("trust-request", bytes.fromhex(
            "0112000000000021" "0000000000000001" "0200" "0001" "0301" "00000003" "614062" "000300" "0001" "00000001aa" "0000"))
        put("trust-answer", bytes.fromhex("010200000000000c" "01" "0001" "0000000105" "0001" "0003"))
        # A reader with one enrolled finger, the request for it, a request to verify a user's finger, and a match.
        put("enrolment", bytes.fromhex("0141000000000012" "00" "00000001" "52" "01" "0001" "00000005" "7468756d62"))
        put("enrolment-request", bytes.fromhex("0151000000000001" "00"))
        put("verification-request", bytes.fromhex("0152000000000007" "01" "000003e8" "001e"))
        put("verification", bytes.fromhex("0142000000000001" "01"))
        # Requests to sign, to verify and to decrypt, a result and a failure of chatelaine-crypto.
        put("rsa-request", bytes.fromhex("011400000000001c" "01010301000000053003020100000000076d65737361676500000000"))
        put("rsa-verification", bytes.fromhex("0114000000000032" "020202000000000230000000001c000000000000000000000000000000000000000000000000000000000000000400000000"))
        put("decryption-request", bytes.fromhex("011500000000001a" "0000000430020600000000027077000000080000000000000000"))
        put("crypto-result", bytes.fromhex("0104000000000007" "00000003010203"))
        put("crypto-failure", bytes.fromhex("0105000000000001" "01"))
