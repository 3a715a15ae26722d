// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import KeychainTerminal
import KeychainTesting
import KeychainWire
import Testing

@testable import KeychainCommands

@Suite("chatelaine ssh") struct SSHCommandTests {
    private let house: KeychainHouse

    init() throws { house = try KeychainHouse() }

    /// The words of a line as in a file of OpenSSH.
    private func words(_ line: String) -> [Substring] {
        line.split(separator: "\n").first?.split(separator: " ") ?? []
    }

    @Test(
        arguments: [
            ([], "ssh-ed25519"), (["--type", "ecdsa"], "ecdsa-sha2-nistp256"),
            (["-t", "ecdsa", "-b", "521"], "ecdsa-sha2-nistp521"), (["-t", "rsa", "-b", "2048"], "ssh-rsa"),
        ] as [([String], String)])
    func `a key is made in the service and its public key is printed`(_ options: [String], _ type: String) throws {
        let made = house.tester.run(["chatelaine", "ssh", "generate", "laptop"] + options, input: [])
        #expect(made.status == 0 && made.errors.isEmpty)
        let line = words(made.outputText)
        #expect(line.count == 3 && line.first == Substring(type) && line.last == "laptop")
        #expect(house.chatelaine("ssh", "show", "laptop").outputText == made.outputText)
        let listed = house.chatelaine("ssh").outputText
        #expect(listed.contains("laptop") && listed.contains(type) && listed.contains("SHA256:"))
        let item = try #require(try house.memory.client.listKeys().first)
        #expect(item.attributes.isHeldKey)
        #expect(item.text(.applicationTag) == "org.chatelaine.ssh \(line[0]) \(line[1])")
    }

    @Test func `a size or a token that the type does not have is refused before a key is made`() throws {
        let wrong = [
            ["-t", "ed25519", "-b", "512"], ["-t", "rsa", "-b", "1024"], ["-t", "rsa", "--token"], ["--token"],
        ]
        for options in wrong {
            let outcome = house.tester.run(["chatelaine", "ssh", "generate", "laptop"] + options, input: [])
            #expect(outcome.status == 64 && outcome.output.isEmpty, "\(options)")
        }
        #expect(try house.memory.client.listKeys().isEmpty)
    }

    @Test func `the private key of a file is stored and never returned`() throws {
        let path = try house.vector(Self.privateKey)
        let added = house.chatelaine("ssh", "add", path, "--name", "work")
        #expect(added.status == 0 && added.errors.isEmpty)
        #expect(words(added.outputText).last == "work")
        let item = try #require(try house.memory.client.listKeys().first)
        #expect(item.attributes.isHeldKey)
        #expect(throws: ClientError.self) {
            try house.memory.client.copyMatching(item.query, limit: .one, returning: .data) { Array($0) }
        }
        // The same key is not stored twice.
        #expect(house.chatelaine("ssh", "add", path).status != 0)
    }

    private static let privateKey = "a key of OpenSSH for P-256"

    @Test func `a file that is no private key is refused with its name`() throws {
        try Data("ssh-ed25519 AAAA\n".utf8).write(to: house.folder.url("file"))
        let outcome = house.chatelaine("ssh", "add", house.folder.path("file"))
        #expect(outcome.status == 1)
        #expect(outcome.errorText.contains(house.folder.path("file")))
        #expect(house.chatelaine("ssh", "add", house.folder.path("missing")).status == 1)
    }

    @Test func `a key is removed by its name, and other keys are no keys for SSH`() throws {
        _ = try house.memory.client.generateKey(
            try ItemAttributes(
                .key, for: .add,
                [
                    .init(.type, .number(73)), .init(.keySizeInBits, .number(256)),
                    .init(.label, .string("other")),
                ]))
        #expect(house.chatelaine("ssh", "generate", "laptop").status == 0)
        #expect(!house.chatelaine("ssh", "list").outputText.contains("other"))
        #expect(house.chatelaine("ssh", "remove", "other").status == 3)
        #expect(house.chatelaine("ssh", "remove", "laptop").outputText == "Removed \"laptop\".\n")
        #expect(house.chatelaine("ssh", "list").output.isEmpty)
        #expect(try house.memory.client.listKeys().map(\.keyName) == ["other"])
    }

    @Test func `the list is also JSON`() throws {
        #expect(house.chatelaine("ssh", "generate", "laptop").status == 0)
        let listed = try JSONSerialization.jsonObject(with: Data(house.chatelaine("ssh", "list", "--json").output))
        let keys = try #require(listed as? [[String: Any]])
        #expect(keys.count == 1 && keys[0]["name"] as? String == "laptop")
        #expect((keys[0]["publicKey"] as? String)?.hasPrefix("ssh-ed25519 AAAA") == true)
        #expect((keys[0]["fingerprint"] as? String)?.hasPrefix("SHA256:") == true)
    }
}

/// Rules and certificates of keys.
@Suite("chatelaine ssh allow and certify") struct SSHRuleTests {
    private let house: KeychainHouse
    private static let host = "AAAAC3NzaC1lZDI1NTE5AAAAIJ1q0w4VbCUGgDDDhQaZRPn5pT8sIyyU9Qg4SDEeIB0d"

    init() throws {
        house = try KeychainHouse()
        house.tester.machine.home = house.folder.path("")
        #expect(house.chatelaine("ssh", "generate", "laptop").status == 0)
    }

    private var item: ListedItem { get throws { try #require(try house.tester.client?.listKeys().first) } }

    private var tag: SSHKeyTag {
        get throws { try #require(try item.text(.applicationTag).flatMap(SSHKeyTag.init(_:))) }
    }

    private func knownHosts(_ text: String) throws -> String {
        try Data(text.utf8).write(to: house.folder.url("known"))
        return house.folder.path("known")
    }

    @Test func `a key without rules is shown as such and stays a shared item`() throws {
        let shown = house.chatelaine("ssh", "allow", "laptop")
        #expect(shown.status == 0 && shown.outputText.contains("hosts") && shown.outputText.contains("all"))
        #expect(try item.group == CommandGroup.shared)
    }

    @Test func `rules are stored in the tag, and the key becomes a private item`() throws {
        let known = try knownHosts("# hosts\nexample.org,10.0.0.1 ssh-ed25519 \(Self.host)\n")
        let set = house.chatelaine(
            "ssh", "allow", "laptop", "--host", "git@example.org", "--known-hosts", known, "--confirm")
        #expect(set.status == 0 && set.errors.isEmpty)
        #expect(set.outputText.contains("git@example.org"))
        let stored = try tag
        #expect(stored.needsConfirmation && stored.hosts.map(\.text) == ["git@example.org"])
        #expect(stored.hosts.first?.keys == [SSHKeyTag.Host.Key(base64: Self.host, isAuthority: false)])
        #expect(try item.group == CommandGroup.privateItems)
    }

    @Test func `a host without a known key, a missing program and contradictory options change nothing`() throws {
        let known = try knownHosts("example.org ssh-ed25519 \(Self.host)\n")
        let before = try tag
        for (options, status) in [
            (["--host", "other.org", "--known-hosts", known], 3), (["--host", "example.org"], 3),
            (["--program", "/no/such/program"], 1), (["--host", "a", "--any-host"], 64),
            (["--program", "/bin/sh", "--any-program"], 64),
        ] as [([String], Int32)] {
            let outcome = house.tester.run(["chatelaine", "ssh", "allow", "laptop"] + options, input: [])
            #expect(outcome.status == status, "\(options): \(outcome.errorText)")
        }
        #expect(try tag == before)
    }

    @Test(
        arguments: [
            ("example.org", 1), ("EXAMPLE.ORG", 1), ("a.example.net", 2), ("bad.example.net", 1), ("hashed.example", 1),
            ("revoked.example", 0), ("[10.0.0.1]:2222", 1), ("example", 0),
        ] as [(String, Int)])
    func `the keys of a host are found as ssh finds them`(_ host: String, _ count: Int) {
        // An authority certifies each host that its own line names.
        let file = KnownHostsFile(
            Array(
                """
                # comment
                example.org,other.org ssh-ed25519 AAAAone comment
                *.example.net,!bad.example.net ssh-rsa AAAAtwo
                @cert-authority *.example.net ssh-ed25519 AAAAthree
                |1|BwcHBwcHBwcHBwcHBwcHBwcHBwc=|\(Self.hash) ssh-ed25519 AAAAfour
                revoked.example ssh-ed25519 AAAAfive
                @revoked * ssh-ed25519 AAAAfive
                [10.0.0.1]:2222 ssh-ed25519 AAAAsix
                short

                """.utf8))
        #expect(file.keys(of: host).count == count)
    }

    /// HMAC-SHA1 of `hashed.example` with twenty bytes 7 as the key.
    private static let hash = "fDip0Xq/Rxz8rgKyr4tx+sCtXsM="

    @Test func `only a certificate of the key and of a user is stored`() throws {
        let line = try tag.line.split(separator: " ")
        let key = try #require(Data(base64Encoded: String(line[1])))
        func certificate(of blob: Data, kind: UInt8) -> String {
            let type = Data("ssh-ed25519-cert-v01@openssh.com".utf8)
            var bytes = Data([0, 0, 0, UInt8(type.count)]) + type + Data([0, 0, 0, 2, 1, 2])
            // The fields of the key after its type; the serial number; the kind.
            bytes += blob.dropFirst(4 + 11) + Data(count: 8) + Data([0, 0, 0, kind])
            return "ssh-ed25519-cert-v01@openssh.com \(bytes.base64EncodedString()) id\n"
        }
        let path = house.folder.path("cert")
        var other = key
        other[other.count - 1] ^= 1
        for wrong in [certificate(of: other, kind: 1), certificate(of: key, kind: 2), "ssh-ed25519 AAAA\n", ""] {
            try Data(wrong.utf8).write(to: house.folder.url("cert"))
            #expect(house.chatelaine("ssh", "certify", "laptop", path).status == 1)
        }
        #expect(try tag.certificate == nil)
        try Data(certificate(of: key, kind: 1).utf8).write(to: house.folder.url("cert"))
        #expect(house.chatelaine("ssh", "certify", "laptop", path).status == 0)
        #expect(try tag.certificate != nil)
        #expect(try item.group == CommandGroup.shared)
        #expect(house.chatelaine("ssh", "certify", "laptop", "--remove").status == 0)
        #expect(try tag.certificate == nil)
        #expect(house.chatelaine("ssh", "certify", "laptop").status == 64)
    }
}

/// `chatelaine setup ssh` as far as it needs no agent; Tests/Programs/ssh_keys.py has the rest.
@Suite("chatelaine setup ssh") struct SetupSSHTests {
    private let house: KeychainHouse

    init() throws {
        house = try KeychainHouse()
        house.tester.machine.home = try FileFacts.realPath(house.folder.path(""))
        try FileManager.default.createDirectory(at: house.folder.url(".ssh"), withIntermediateDirectories: false)
    }

    private func key(_ name: String) throws {
        let vector = try house.vector("a key of OpenSSH for P-256")
        try FileManager.default.copyItem(atPath: vector, toPath: house.folder.path(".ssh/\(name)"))
    }

    @Test func `files that are no private keys, public keys and keys with a passphrase are left out`() throws {
        for (name, text) in [
            ("config", "Host *\n"), ("id.pub", "ssh-ed25519 AAAA\n"), ("empty", ""),
            ("known_hosts", "a ssh-rsa AAAA\n"),
            (
                "encrypted",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + "MIGjMF8GCSqGSIb3DQEFDTBS\n"
                    + "-----END ENCRYPTED PRIVATE KEY-----\n"
            ),
        ] {
            try Data(text.utf8).write(to: house.folder.url(".ssh/\(name)"))
        }
        let outcome = house.chatelaine("setup", "ssh", "--dry-run")
        #expect(!outcome.outputText.contains("config") && !outcome.outputText.contains("id.pub"))
    }

    @Test func `the plan names keys, and reasons for those that stay, and changes nothing`() throws {
        try key("id_ecdsa")
        try FileManager.default.createSymbolicLink(
            atPath: house.folder.path(".ssh/link"), withDestinationPath: "id_ecdsa")
        try FileManager.default.createSymbolicLink(
            atPath: house.folder.path(".ssh/broken"), withDestinationPath: "missing")
        try Data("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n".utf8).write(
            to: house.folder.url(".ssh/damaged"))
        let outcome = house.chatelaine("setup", "ssh", "--dry-run")
        #expect(outcome.status == 0)
        #expect(outcome.outputText.contains("id_ecdsa: a key of type ecdsa-sha2-nistp256"))
        #expect(outcome.outputText.contains("link would not be moved: it is a symbolic link"))
        #expect(outcome.outputText.contains("damaged would not be moved: "))
        #expect(!outcome.outputText.contains("broken"))
        #expect(outcome.outputText.hasSuffix("Nothing was changed.\n"))
        #expect(try house.memory.client.listKeys().isEmpty)
        let doctor = house.chatelaine("doctor")
        #expect(doctor.outputText.contains("id_ecdsa is a private key without a passphrase"))
    }

    @Test func `without an agent nothing is moved`() throws {
        try key("id_ecdsa")
        let outcome = house.chatelaine("setup", "ssh", "--yes")
        #expect(outcome.status != 0 && outcome.errorText.contains("SSH_AUTH_SOCK names no agent"))
        #expect(house.chatelaine("setup", "ssh").status == 64)
        house.tester.machine.variables["SSH_AUTH_SOCK"] = house.folder.path("none")
        #expect(house.chatelaine("setup", "ssh", "--yes").errorText.contains("no agent listens there"))
        #expect(try house.memory.client.listKeys().isEmpty)
        #expect(FileManager.default.fileExists(atPath: house.folder.path(".ssh/id_ecdsa")))
        #expect(house.chatelaine("setup", "ssh", "--undo").outputText == "There is nothing to undo.\n")
    }
}
