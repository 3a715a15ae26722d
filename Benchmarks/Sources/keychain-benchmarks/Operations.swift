// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Measuring
import Security

/// The operations of the keychain, with the calls of a program for Apple's systems, against a running service.
enum Operations {
    static let service = "benchmark"
    private static let secret = Data(repeating: 0x53, count: 32)

    static func account(_ number: Int) -> String { "account-\(number)" }

    /// Items with numbers from here on are never searched for.
    static let spare = 10_000_000

    /// Adds items until this number is reached.
    static func fill(from start: Int, to count: Int) throws {
        for index in start..<count { try add(index) }
    }

    static func lookup(among count: Int) -> MeasuredOperation {
        var generator = SystemRandomNumberGenerator()
        return MeasuredOperation("SecItemCopyMatching with data, \(count) items") { _ in
            let index = Int.random(in: 0..<count, using: &generator)
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account(index),
                kSecReturnData as String: true,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            let dictionary = query as CFDictionary
            var result: CFTypeRef?
            let start = Timing.now()
            let status = SecItemCopyMatching(dictionary, &result)
            let time = Timing.now() - start
            guard status == errSecSuccess, result as? Data == secret else {
                throw BenchmarkFailure("lookup of \(index): status \(status)")
            }
            return time
        }
    }

    static func addition(from start: Int) -> MeasuredOperation {
        MeasuredOperation("SecItemAdd", prepare: Floors.ownPlace.enter) { index in try add(start + index) }
    }

    /// Searches for one item among many internet passwords.
    enum Search: String, CaseIterable {
        case key = "by server and account"
        case account = "by account"
        case server = "by server"
        case label = "by label"
        /// Searches for a generic password; the others search for internet passwords.
        case service = "by service"
        case foldedAccount = "by account, overlooking case"
        case foldedServer = "by server, overlooking case"
        case foldedLabel = "by label, overlooking case"
    }

    /// Adds as many generic as internet passwords. Ten thousand of the internet passwords have the same comment.
    static func fillForSearches(_ count: Int) throws {
        for index in 0..<count {
            var item: [String: Any] = [
                kSecClass as String: kSecClassInternetPassword,
                kSecAttrServer as String: "Host\(index).example.com",
                kSecAttrAccount as String: "Account-\(index)",
                kSecAttrLabel as String: "Label \(index)",
                kSecValueData as String: secret,
            ]
            if index < 10_000 { item[kSecAttrComment as String] = "stream" }
            let status = SecItemAdd(item as CFDictionary, nil)
            guard status == errSecSuccess else { throw BenchmarkFailure("adding \(index): status \(status)") }
            let other: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "Service-\(index)",
                kSecAttrAccount as String: "Account-\(index)",
                kSecValueData as String: secret,
            ]
            let otherStatus = SecItemAdd(other as CFDictionary, nil)
            guard otherStatus == errSecSuccess else {
                throw BenchmarkFailure("adding \(index): status \(otherStatus)")
            }
        }
    }

    static func search(_ search: Search, among count: Int) -> MeasuredOperation {
        var generator = SystemRandomNumberGenerator()
        return MeasuredOperation("password \(search.rawValue)") { _ in
            let index = Int.random(in: 0..<count, using: &generator)
            var query: [String: Any] = [
                kSecClass as String: kSecClassInternetPassword, kSecReturnAttributes as String: true,
            ]
            switch search {
            case .key:
                query[kSecAttrServer as String] = "Host\(index).example.com"
                query[kSecAttrAccount as String] = "Account-\(index)"
            case .account: query[kSecAttrAccount as String] = "Account-\(index)"
            case .server: query[kSecAttrServer as String] = "Host\(index).example.com"
            case .service:
                query[kSecClass as String] = kSecClassGenericPassword
                query[kSecAttrService as String] = "Service-\(index)"
            case .label: query[kSecAttrLabel as String] = "Label \(index)"
            case .foldedAccount: query[kSecAttrAccount as String] = "ACCOUNT-\(index)"
            case .foldedServer: query[kSecAttrServer as String] = "HOST\(index).EXAMPLE.COM"
            case .foldedLabel: query[kSecAttrLabel as String] = "LABEL \(index)"
            }
            switch search {
            case .foldedAccount, .foldedServer, .foldedLabel: query[kSecMatchCaseInsensitive as String] = true
            case .key, .account, .server, .label, .service: break
            }
            let dictionary = query as CFDictionary
            var result: CFTypeRef?
            let start = Timing.now()
            let status = SecItemCopyMatching(dictionary, &result)
            let time = Timing.now() - start
            guard status == errSecSuccess,
                (result as? [String: Any])?[kSecAttrAccount as String] as? String == "Account-\(index)"
            else { throw BenchmarkFailure("search \(search.rawValue) of \(index): status \(status)") }
            return time
        }
    }

    /// Reads the attributes of all items with the comment that ``fillForSearches(_:)`` set, in one answer.
    static func stream(_ count: Int) throws {
        let query: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword, kSecAttrComment as String: "stream",
            kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess, (result as? NSArray)?.count == count else {
            throw BenchmarkFailure("all items: status \(status)")
        }
    }

    /// Repeats one operation, without floors and figures.
    ///
    /// - Parameter items: the number of items that it adds first; lookups use those.
    static func repeating(_ name: String, times: Int, items: Int) throws {
        let operation: MeasuredOperation
        try fill(from: 0, to: items)
        switch name {
        case "lookup": operation = lookup(among: items)
        case "stream":
            try fillForSearches(10_000)
            operation = MeasuredOperation(name, timing: { _ in try stream(10_000) })
        case "add": operation = addition(from: spare)
        case "sign": operation = try Signing.held(.p256)
        default: throw BenchmarkFailure("no operation \(name)")
        }
        for index in 0..<times { _ = try operation.run(index) }
    }

    /// Runs a program with this standard input.
    static func command(_ words: [String], input: String) throws {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words[1...])
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        pipe.fileHandleForWriting.write(Data(input.utf8))
        try pipe.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkFailure("\(words.joined(separator: " ")): status \(process.terminationStatus)")
        }
    }

    /// Measures a whole process, from its start to its end. Its output is discarded.
    static func process(_ name: String, _ command: [String], times: Int) throws -> Timing {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        return try Timing(name, times: times, warmUp: 5) { _ in
            // Not Foundation's Process, which checks only every 50 ms whether the process has ended.
            var pid = pid_t()
            var status: Int32 = 0
            var arguments = command.map { strdup($0) } + [nil]
            defer { for argument in arguments { free(argument) } }
            guard posix_spawn(&pid, command[0], &actions, nil, &arguments, environ) == 0,
                waitpid(pid, &status, 0) == pid
            else { throw BenchmarkFailure("cannot start \(command[0])") }
            guard status == 0 else { throw BenchmarkFailure("\(name) failed") }
        }
    }

    /// Adds an item and returns the duration of the call in nanoseconds.
    @discardableResult
    private static func add(_ index: Int) throws -> UInt64 {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account(index),
            kSecValueData as String: secret,
        ]
        let dictionary = item as CFDictionary
        let start = Timing.now()
        let status = SecItemAdd(dictionary, nil)
        let time = Timing.now() - start
        guard status == errSecSuccess else { throw BenchmarkFailure("adding \(index): status \(status)") }
        return time
    }
}
