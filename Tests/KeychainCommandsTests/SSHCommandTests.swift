// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
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

    @Test(arguments: [
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
