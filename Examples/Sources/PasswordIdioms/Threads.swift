// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Security

/// Concurrent calls. The functions of Keychain Services may be called on any thread.
enum Threads {
    static func concurrently() throws {
        let service = emptyService("concurrently")
        let failures = Failures()
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "account \(number)",
            ]
            failures.add(SecItemAdd(item.merging([kSecValueData: Data([UInt8(number)])]) { $1 } as CFDictionary, nil))
            var result: CFTypeRef?
            failures.add(SecItemCopyMatching(item.merging([kSecReturnData: true]) { $1 } as CFDictionary, &result))
            if result as? Data != Data([UInt8(number)]) { failures.add(errSecDecode) }
            failures.add(SecItemUpdate(item as CFDictionary, [kSecAttrComment: "\(number)"] as CFDictionary))
            failures.add(SecItemDelete(item as CFDictionary))
        }
        try expect(failures.all.isEmpty)

        // Only one of many concurrent calls can add the same item, and only one can delete it.
        for call in [{ SecItemAdd($0, nil) }, { SecItemDelete($0) }] as [@Sendable (CFDictionary) -> OSStatus] {
            let refused = Failures()
            DispatchQueue.concurrentPerform(iterations: 16) { _ in
                refused.add(call([kSecClass: kSecClassGenericPassword, kSecAttrService: service] as CFDictionary))
            }
            try expect(refused.all.count == 15)
        }
    }

    static func queues() throws {
        let service = emptyService("queues")
        let serial = DispatchQueue(label: "com.example.PasswordIdioms")
        let failures = Failures()
        let threads = (0..<4).map { number in
            Thread {
                serial.sync {
                    failures.add(
                        SecItemAdd(
                            [
                                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                                kSecAttrAccount as String: "\(number)",
                            ] as [String: Any] as CFDictionary, nil))
                }
                failures.finished()
            }
        }
        threads.forEach { $0.start() }
        failures.waitForFinished(threads.count)
        let operations = OperationQueue()
        for number in 4..<8 {
            operations.addOperation {
                let store = PasswordStore(service: service)
                do { try store.set("secret", for: "\(number)") } catch { failures.add(errSecInternalError) }
            }
        }
        operations.waitUntilAllOperationsAreFinished()
        try expect(failures.all.isEmpty)
        try expect(try PasswordStore(service: service).accounts() == (0..<8).map(String.init))
        _ = emptyService("queues")
    }

    static func actor() async throws {
        let vault = Vault(service: emptyService("actor"))
        try await vault.set("secret", for: "ann")
        let password = try await vault.password(of: "ann")
        try expect(password == "secret")
        let count = try await vault.removeAll()
        try expect(count == 1)
    }

    static func tasks() async throws {
        let service = emptyService("tasks")
        let passwords = try await withThrowingTaskGroup(of: (String, String).self) { group in
            for number in 0..<16 {
                group.addTask {
                    let store = PasswordStore(service: service)
                    try store.set("secret \(number)", for: "\(number)")
                    return ("\(number)", try store.password(of: "\(number)"))
                }
            }
            return try await group.reduce(into: [String: String]()) { $0[$1.0] = $1.1 }
        }
        try expect(passwords.count == 16 && passwords["7"] == "secret 7")
        let detached = Task.detached { () -> [String: Data] in
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
                kSecReturnData as String: true,
            ]
            var result: CFTypeRef?
            try expect(SecItemCopyMatching(query as CFDictionary, &result))
            let items = result as? [[String: Any]] ?? []
            return Dictionary(
                uniqueKeysWithValues: items.compactMap { item in
                    guard let account = item[kSecAttrAccount as String] as? String else { return nil }
                    return (account, item[kSecValueData as String] as? Data ?? Data())
                })
        }
        let found = try await detached.value
        try expect(found.count == 16 && found["7"] == Data("secret 7".utf8))

        let names = AsyncStream<String> { stream in
            for name in found.keys.sorted() { stream.yield(name) }
            stream.finish()
        }
        for await name in names {
            try expect(
                SecItemDelete(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name,
                    ] as NSDictionary))
        }
    }

    @MainActor static func mainActor() async throws {
        let model = Model()
        try await model.save("secret")
        try expect(model.isSaved)
        let password = try await Task.detached { try PasswordStore(service: Model.service).password(of: "ann") }.value
        try expect(password == "secret")
        try PasswordStore(service: Model.service).removeAll()
    }
}

/// The failures on other threads.
///
/// `@unchecked Sendable`: every use of the variables is under the condition.
private final class Failures: @unchecked Sendable {
    private let condition = NSCondition()
    private var statuses: [OSStatus] = []
    private var count = 0

    var all: [OSStatus] { condition.withLock { statuses } }

    func add(_ status: OSStatus) {
        if status != errSecSuccess { condition.withLock { statuses.append(status) } }
    }

    func finished() {
        condition.withLock {
            count += 1
            condition.broadcast()
        }
    }

    func waitForFinished(_ expected: Int) {
        condition.withLock { while count < expected { condition.wait() } }
    }
}

private actor Vault {
    private static let itemClass = kSecClassGenericPassword as String
    private let store: PasswordStore

    init(service: String) { store = PasswordStore(service: service) }

    func set(_ password: String, for account: String) throws { try store.set(password, for: account) }

    func password(of account: String) throws -> String { try store.password(of: account) }

    /// Returns the number of removed items.
    func removeAll() throws -> Int {
        let count = try store.accounts().count
        try expect(
            SecItemDelete(
                [kSecClass as String: Self.itemClass, kSecAttrService as String: store.service] as CFDictionary))
        return count
    }
}

@MainActor private final class Model {
    nonisolated static let service = "com.example.PasswordIdioms.model"
    private(set) var isSaved = false

    func save(_ password: String) async throws {
        try await Task.detached { try PasswordStore(service: Self.service).set(password, for: "ann") }.value
        isSaved = true
    }
}
