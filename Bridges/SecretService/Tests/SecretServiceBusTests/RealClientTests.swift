// SPDX-License-Identifier: Apache-2.0

import BusTesting
import Foundation
import Synchronization
import Testing

/// The libraries through which most programs use the Secret Service: libsecret, and Python's SecretStorage and keyring.
@Suite(.timeLimit(.minutes(5))) struct RealClientTests {
    @Test func `secret-tool stores, finds, reads and clears`() async throws {
        try await onThread {
            let server = try SecretServer()
            func tool(_ words: [String], _ input: String = "") throws -> Output {
                try run("/usr/bin/secret-tool", words, input, server.bus)
            }
            #expect(try tool(["store", "--label=Mail", "user", "ann"], "päss\nword") == Output(0, ""))
            #expect(try tool(["lookup", "user", "ann"]) == Output(0, "päss\nword"))
            // A lookup reads the newest item.
            #expect(try tool(["store", "--label=Work", "user", "ann", "host", "a"], "newer") == Output(0, ""))
            #expect(try tool(["lookup", "user", "ann"]) == Output(0, "newer"))
            let found = try tool(["search", "--all", "user", "ann"])
            #expect(found.status == 0)
            #expect(found.text.contains("label = Mail\n") && found.text.contains("label = Work\n"))
            #expect(try tool(["clear", "user", "ann"]).status == 0)
            #expect(try tool(["lookup", "user", "ann"]) == Output(1, ""))
            #expect(server.keychain.state.withLock(\.promptCount) == 0)
        }
    }

    @Test(arguments: [MemoryKeychain.PromptAnswer.allow, .deny, .impossible])
    func `libsecret unlocks another program's item with a prompt`(_ answer: MemoryKeychain.PromptAnswer) async throws {
        try await onThread {
            let server = try SecretServer()
            try server.client("mail").store(["user": "ann"], "secret")
            server.keychain.state.withLock { state in
                state.program = "secret-tool"
                state.answer = answer
            }
            let expected = answer == .allow ? Output(0, "secret") : Output(1, "")
            #expect(try run("/usr/bin/secret-tool", ["lookup", "user", "ann"], "", server.bus) == expected)
            #expect(server.keychain.state.withLock(\.promptCount) == 1)
        }
    }

    static let scripts: [(name: String, script: String)] = [
        (
            "SecretStorage",
            #"""
            import secretstorage
            connection = secretstorage.dbus_init()
            collection = secretstorage.get_default_collection(connection)
            assert collection.get_label() == "Login" and not collection.is_locked()
            value = b"a\0b\n\xff"
            item = collection.create_item("Mail", {"user": "ann"}, value, replace=True, content_type="application/x")
            found = list(collection.search_items({"user": "ann"}))
            assert [f.item_path for f in found] == [item.item_path]
            assert found[0].get_secret() == value and found[0].get_secret_content_type() == "application/x"
            item.set_secret(b"")
            assert item.get_secret() == b""
            item.set_label("Work")
            item.set_attributes({"user": "bob"})
            assert item.get_label() == "Work" and item.get_attributes() == {"user": "bob"}
            other = collection.create_item("Other", {"user": "bob"}, b"2", replace=True)
            assert other.item_path == item.item_path
            assert [c.get_label() for c in secretstorage.get_all_collections(connection)] == ["Login", "Session"]
            item.delete()
            assert list(secretstorage.search_items(connection, {"user": "bob"})) == []
            """#
        ),
        (
            "keyring",
            #"""
            from keyring.backends import SecretService
            keyring = SecretService.Keyring()
            keyring.set_password("service", "ann", "päss")
            assert keyring.get_password("service", "ann") == "päss"
            assert keyring.get_credential("service", None).username == "ann"
            keyring.set_password("service", "ann", "new")
            assert keyring.get_password("service", "ann") == "new"
            keyring.delete_password("service", "ann")
            assert keyring.get_password("service", "ann") is None
            """#
        ),
        (
            "libsecret",
            #"""
            import gi
            gi.require_version("Secret", "1")
            from gi.repository import Secret
            text = Secret.SchemaAttributeType.STRING
            schema = Secret.Schema.new("org.example.Mail", Secret.SchemaFlags.NONE, {"user": text})
            user = {"user": "ann"}
            assert Secret.password_store_sync(schema, user, Secret.COLLECTION_DEFAULT, "Mail", "one", None)
            assert Secret.password_store_sync(schema, user, Secret.COLLECTION_DEFAULT, "Mail", "two", None)
            assert Secret.password_lookup_sync(schema, user, None) == "two"
            assert Secret.password_store_sync(schema, user, Secret.COLLECTION_SESSION, "Memory", "three", None)
            flags = Secret.ServiceFlags.OPEN_SESSION | Secret.ServiceFlags.LOAD_COLLECTIONS
            service = Secret.Service.get_sync(flags, None)
            labels = sorted(c.get_label() for c in service.get_collections())
            assert labels == ["Login", "Session"], labels
            items = service.search_sync(schema, user, Secret.SearchFlags.ALL, None)
            assert sorted(i.get_label() for i in items) == ["Mail", "Memory"]
            assert all(i.get_attributes()["xdg:schema"] == "org.example.Mail" for i in items)
            assert Secret.password_clear_sync(schema, user, None)
            assert Secret.password_lookup_sync(schema, user, None) is None
            """#
        ),
    ]

    @Test(arguments: scripts.map(\.name))
    func `a library for Python stores, finds, changes and deletes`(_ name: String) async throws {
        let script = try #require(Self.scripts.first { $0.name == name }?.script)
        try await onThread {
            let server = try SecretServer()
            #expect(try run("/usr/bin/python3", ["-c", script], "", server.bus) == Output(0, ""))
        }
    }
}

/// The exit status of a program, and its output with its errors.
private struct Output: Equatable {
    let status: Int32
    let text: String

    init(_ status: Int32, _ text: String) {
        self.status = status
        self.text = text
    }
}

/// Runs a program as a client of a bus.
private func run(_ program: String, _ arguments: [String], _ input: String, _ bus: PrivateBus) throws -> Output {
    let process = Process()
    let (standardInput, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = [
        "DBUS_SESSION_BUS_ADDRESS": bus.addressText, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
        // Programs write no settings.
        "HOME": "/nonexistent",
    ]
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = output
    try process.run()
    // All inputs are smaller than the buffer of a pipe.
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Output(process.terminationStatus, String(decoding: text, as: UTF8.self))
}
