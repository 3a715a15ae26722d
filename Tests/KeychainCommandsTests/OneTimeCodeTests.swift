// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import SecretMemory
import Testing

@testable import KeychainCommands

@Suite("One-time passwords")
struct OneTimeCodeTests {
    private static func text(_ secret: SecretBytes) -> String { String(decoding: secret.bytes, as: UTF8.self) }

    private static func setup(_ text: String) throws -> OneTimeCodeSetup {
        try OneTimeCodeSetup(SecretBytes(copying: text.utf8))
    }

    /// RFC 6238, appendix B.
    @Test(arguments: [
        (59, "94287082", "46119246", "90693936"), (1_111_111_109, "07081804", "68084774", "25091201"),
        (1_111_111_111, "14050471", "67062674", "99943326"), (1_234_567_890, "89005924", "91819424", "93441116"),
        (2_000_000_000, "69279037", "90698825", "38618901"), (20_000_000_000, "65353130", "77737706", "47863826"),
    ])
    func `the vectors of RFC 6238 are met`(time: Int64, sha1: String, sha256: String, sha512: String) {
        let digits = Array("1234567890".utf8)
        func code(_ algorithm: OneTimeCodeSetup.Algorithm, _ count: Int) -> String {
            let key = (0..<count).map { digits[$0 % 10] }
            return Self.text(
                OneTimeCodeSetup(key: SecretBytes(copying: key), algorithm: algorithm, digits: 8).code(at: time))
        }
        #expect(code(.sha1, 20) == sha1)
        #expect(code(.sha256, 32) == sha256)
        #expect(code(.sha512, 64) == sha512)
    }

    /// RFC 4226, appendix D: the counters are the periods.
    @Test func `the vectors of RFC 4226 are met with six digits`() {
        let setup = OneTimeCodeSetup(key: SecretBytes(copying: "12345678901234567890".utf8))
        let codes = (0..<10).map { Self.text(setup.code(at: 30 * $0 + 29)) }
        #expect(
            codes == [
                "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
            ])
        #expect(setup.secondsLeft(at: 30) == 30 && setup.secondsLeft(at: 59) == 1)
    }

    /// RFC 4648, section 10.
    @Test(arguments: [
        ("MY======", "f"), ("MZXQ====", "fo"), ("MZXW6===", "foo"), ("MZXW6YQ=", "foob"), ("MZXW6YTB", "fooba"),
        ("MZXW6YTBOI======", "foobar"), ("mzxw 6ytb-oi", "foobar"),
    ])
    func `Base32 is read in either case, with and without padding`(text: String, bytes: String) throws {
        #expect(Self.text(try Base32.decode(text.utf8)) == bytes)
    }

    @Test(arguments: [
        ("", Base32.Problem.empty), ("====", .empty), ("A", .length(1)), ("ABC", .length(3)), ("ABCDEF", .length(6)),
        ("AB1D", .character(3)), ("AB=D", .character(4)), ("ABé", .character(3)),
    ])
    func `a text that is not Base32 is refused with the place`(text: String, problem: Base32.Problem) {
        #expect(throws: problem) { try Base32.decode(text.utf8) }
    }

    @Test func `a URI has the key and its parameters`() throws {
        let setup = try Self.setup(
            "otpauth://totp/Example:ann%40example.org?secret=mzxw6ytboi%3D%3D&issuer=Example&algorithm=sha512&digits=8&period=60"
        )
        #expect(Self.text(setup.key) == "foobar")
        #expect(setup.algorithm == .sha512 && setup.digits == 8 && setup.period == 60)
        let usual = try Self.setup("OTPAUTH://TOTP/x?Secret=MZXW6YTBOI")
        #expect(usual.algorithm == .sha1 && usual.digits == 6 && usual.period == 30)
        #expect(try Self.setup("otpauth://totp?secret=MZXW6YTBOI#x").digits == 6)
    }

    @Test(arguments: [
        ("otpauth://hotp/x?secret=MY&counter=1", OneTimeCodeSetup.Problem.notTimeBased),
        ("otpauth://steam/x?secret=MY", .notTimeBased), ("otpauth:", .notTimeBased),
        ("otpauth://totpx?secret=MY", .notTimeBased),
        ("otpauth://totp/x", .noKey), ("otpauth://totp/x?issuer=y", .noKey),
        ("otpauth://totp/x?secret=MY&secret=MY", .repeated("secret")), ("otpauth://totp/x?secret=M%5", .badEscape),
        ("otpauth://totp/x?secret=MY&algorithm=MD5", .algorithm), ("otpauth://totp/x?secret=MY&digits=5", .digits),
        ("otpauth://totp/x?secret=MY&digits=9", .digits), ("otpauth://totp/x?secret=MY&period=0", .period),
        ("otpauth://totp/x?secret=MY&period=3601", .period), ("otpauth://totp/x?secret=", .key(.empty)),
        ("otpauth://totp/x?secret=0", .key(.character(1))),
    ])
    func `an unusable URI is refused with the reason`(uri: String, problem: OneTimeCodeSetup.Problem) {
        #expect(throws: problem) { try Self.setup(uri) }
    }
}

@Suite("chatelaine code and set --totp")
struct CodeCommandTests {
    let tester = CommandLineTester()

    @Test func `a stored key gives the code and the time that is left`() throws {
        let stored = tester.run(
            "chatelaine", "set", "github", "--user", "octo", "--totp",
            typing: "gezd gnbv gy3t qojq gezd gnbv gy3t qojq\n")
        #expect(stored.outputText == "Stored the seed of one-time passwords for \"github\" (user octo).\n")
        let item = try #require(tester.keychain.items.first)
        #expect(item.attributes[.service] == .string("otpauth:github"))
        #expect(item.attributes[.account] == .string("octo"))
        #expect(
            String(decoding: item.secret, as: UTF8.self)
                == "otpauth://totp/octo?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        tester.secondsSince1970 = 59
        tester.diagnosticsAreTerminal = true
        let outcome = tester.run("chatelaine", "code", "github", "-u", "octo")
        #expect(outcome.outputText == "287082\n" && outcome.errorText == "valid for 1 second\n")
        tester.diagnosticsAreTerminal = false
        #expect(tester.run("chatelaine", "code", "git") == .init(status: 0, output: Array("287082\n".utf8)))
        #expect(
            tester.run("chatelaine", "code", "github", "--json").outputText == """
                {
                  "name": "github",
                  "user": "octo",
                  "code": "287082",
                  "secondsLeft": 1,
                  "period": 30
                }

                """)
    }

    @Test func `the seed of a web password is found by its URL, its host and its title`() throws {
        let uri = "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&digits=8"
        _ = tester.run(
            "chatelaine", "set", "--url", "https://example.org/login", "-u", "ann", "-l", "Shop", typing: "pw")
        _ = tester.run(
            "chatelaine", "set", "--url", "https://example.org/login", "-u", "ann", "-l", "Shop", "--totp", typing: uri)
        #expect(String(decoding: tester.keychain.items[1].secret, as: UTF8.self) == uri)
        tester.secondsSince1970 = 59
        for words in [["--url", "https://example.org/login", "-u", "ann"], ["example.org"], ["shop"], ["ann"]] {
            #expect(tester.run(["chatelaine", "code"] + words, input: []).outputText == "94287082\n", "\(words)")
        }
        // The seed does not make the name of its password ambiguous.
        #expect(tester.run("chatelaine", "get", "shop").outputText == "pw\n")
    }

    @Test func `a text that is no seed is not stored, and does not appear in the error`() {
        for text in ["not base32!", "otpauth://hotp/x?secret=GEZDGNBV", ""] {
            let outcome = tester.run("chatelaine", "set", "github", "--totp", typing: text)
            #expect(outcome.status == 1 && outcome.errorText.hasPrefix("error: the seed cannot be used: "))
            #expect(!outcome.errorText.contains("GEZDGNBV") && !outcome.errorText.contains("base32!"))
        }
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `an item without a seed never gets the code of another item`() {
        let seed = "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ"
        _ = tester.run("chatelaine", "set", "vpn", typing: "pw")
        _ = tester.run("chatelaine", "set", "vpn-admin", typing: "pw")
        _ = tester.run("chatelaine", "set", "vpn-admin", "--totp", typing: seed)
        for host in ["bank.example", "bank.example.evil.org"] {
            _ = tester.run("chatelaine", "set", "--url", "https://\(host)", "-u", "ann", typing: "pw")
        }
        _ = tester.run(
            "chatelaine", "set", "--url", "https://bank.example.evil.org", "-u", "ann", "--totp", typing: seed)
        for word in ["vpn", "https://bank.example", "bank.example"] {
            let outcome = tester.run("chatelaine", "code", word)
            #expect(outcome.status == 3 && outcome.output.isEmpty, "\(word)")
            #expect(outcome.errorText.hasPrefix("error: there is no seed of one-time passwords for "), "\(word)")
        }
        #expect(tester.run("chatelaine", "code", "vpn-admin").status == 0)
        #expect(tester.run("chatelaine", "code", "evil.org").status == 0)
    }

    @Test func `a password without a seed has no code`() throws {
        try tester.keychain.put("github")
        let outcome = tester.run("chatelaine", "code", "github")
        #expect(outcome.status == 3)
        #expect(
            outcome.errorText == "error: there is no seed of one-time passwords for \"github\"\n"
                + "hint: `chatelaine set --totp` stores one\n")
    }
}
