// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Runs the body on this many separate threads at once.
private func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) async {
    await withCheckedContinuation { continuation in
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            let thread = Thread {
                body(number)
                group.leave()
            }
            thread.start()
        }
        group.notify(queue: .global()) { continuation.resume() }
    }
}

/// The results of threads, to be checked after all threads have ended.
///
/// `@unchecked Sendable`: every use of the elements is protected by the lock. (A `Mutex` would need a newer macOS than
/// the package.)
private final class Findings<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var elements: [Element] = []

    func add(_ element: Element) { lock.withLock { elements.append(element) } }
    var all: [Element] { lock.withLock { elements } }
}

extension Conformance {
    @Suite struct `Many threads` {
        private static let threads = 16

        @Test(arguments: PasswordClass.allCases)
        func `each thread sees what it does`(_ itemClass: PasswordClass) async {
            let wrong = Findings<String>()
            await onThreads(Self.threads) { thread in
                for round in 0..<25 {
                    let (account, secret) = ("\(thread)", Data("\(thread) \(round)".utf8))
                    let item = itemClass.item(account, "s", [kSecValueData: secret])
                    var result: CFTypeRef?
                    let statuses = [
                        SecItemAdd(item, nil),
                        SecItemCopyMatching(itemClass.item(account, "s", [kSecReturnData: true]), &result),
                        SecItemUpdate(itemClass.item(account, "s"), changes([kSecAttrLabel: "\(round)"])),
                        probe(itemClass.item(account, "s", [kSecAttrLabel: "\(round)"])),
                        SecItemDelete(itemClass.item(account, "s")), probe(itemClass.item(account, "s")),
                    ]
                    if statuses != [0, 0, 0, 0, 0, errSecItemNotFound] { wrong.add("\(statuses)") }
                    if result as? Data != secret { wrong.add("\(account) \(round): other data") }
                }
            }
            #expect(wrong.all.isEmpty)
        }

        @Test(arguments: PasswordClass.allCases)
        func `of those who add the same item one succeeds`(_ itemClass: PasswordClass) async {
            for round in 0..<10 {
                let statuses = Findings<OSStatus>()
                await onThreads(Self.threads) { thread in
                    statuses.add(
                        SecItemAdd(itemClass.item("\(round)", "s", [kSecValueData: Data([UInt8(thread)])]), nil))
                }
                #expect(statuses.all.filter { $0 == errSecSuccess }.count == 1)
                #expect(statuses.all.filter { $0 == errSecDuplicateItem }.count == Self.threads - 1)
                #expect(count(itemClass) == round + 1)
            }
        }

        @Test(arguments: PasswordClass.allCases)
        func `of those who delete the same item one succeeds`(_ itemClass: PasswordClass) async {
            for _ in 0..<10 {
                add(itemClass.item("a", "s"))
                let statuses = Findings<OSStatus>()
                await onThreads(Self.threads) { _ in statuses.add(SecItemDelete(itemClass.item("a", "s"))) }
                #expect(statuses.all.filter { $0 == errSecSuccess }.count == 1)
                #expect(statuses.all.filter { $0 == errSecItemNotFound }.count == Self.threads - 1)
            }
        }

        @Test(arguments: PasswordClass.allCases)
        func `of those who move items to one name one succeeds`(_ itemClass: PasswordClass) async {
            for thread in 0..<Self.threads { add(itemClass.item("\(thread)", "s")) }
            let statuses = Findings<OSStatus>()
            await onThreads(Self.threads) { thread in
                statuses.add(SecItemUpdate(itemClass.item("\(thread)", "s"), changes([kSecAttrAccount: "one"])))
            }
            #expect(statuses.all.filter { $0 == errSecSuccess }.count == 1)
            #expect(statuses.all.filter { $0 == errSecDuplicateItem }.count == Self.threads - 1)
            #expect(count(itemClass) == Self.threads)
            #expect(count(itemClass, [kSecAttrAccount: "one"]) == 1)
        }

        @Test(arguments: PasswordClass.allCases)
        func `a reader sees the old or the new, whole`(_ itemClass: PasswordClass) async {
            @Sendable func secret(_ number: UInt8) -> Data { Data(repeating: number, count: 10_000) }
            add(itemClass.item("a", "s", [kSecValueData: secret(0), kSecAttrLabel: "0"]))
            let wrong = Findings<String>()
            await onThreads(Self.threads) { thread in
                for round in 1..<30 {
                    if thread < 4 {
                        let number = UInt8(truncatingIfNeeded: thread * 30 + round)
                        let status = SecItemUpdate(
                            itemClass.query(), changes([kSecValueData: secret(number), kSecAttrLabel: "\(number)"]))
                        if status != errSecSuccess { wrong.add("update gives \(status)") }
                    } else {
                        var result: CFTypeRef?
                        let status = SecItemCopyMatching(
                            itemClass.query([kSecReturnData: true, kSecReturnAttributes: true]), &result)
                        guard status == errSecSuccess, let found = result as? Entries,
                            let label = (found[kSecAttrLabel] as? String).flatMap(UInt8.init)
                        else {
                            wrong.add("a search gives \(status)")
                            continue
                        }
                        if found[kSecValueData] as? Data != secret(label) {
                            wrong.add("data of another label than \(label)")
                        }
                    }
                }
            }
            #expect(wrong.all.isEmpty)
        }

        @Test(arguments: PasswordClass.allCases)
        func `no reader sees an update of all items in part`(_ itemClass: PasswordClass) async {
            for number in 0..<5 { add(itemClass.item("\(number)", "s", [kSecAttrLabel: "0"])) }
            let wrong = Findings<String>()
            await onThreads(Self.threads) { thread in
                for round in 0..<20 {
                    if thread < 2 {
                        let status = SecItemUpdate(itemClass.query(), changes([kSecAttrLabel: "\(thread) \(round)"]))
                        if status != errSecSuccess { wrong.add("update gives \(status)") }
                    } else {
                        var result: CFTypeRef?
                        let status = SecItemCopyMatching(
                            itemClass.query([kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll]), &result)
                        let labels = (result as? [Entries])?.compactMap { $0[kSecAttrLabel] as? String } ?? []
                        if status != errSecSuccess || labels.count != 5 || Set(labels).count != 1 {
                            wrong.add("\(status): \(labels)")
                        }
                    }
                }
            }
            #expect(wrong.all.isEmpty)
        }

        @Test(arguments: PasswordClass.allCases)
        func `right and wrong calls do not disturb each other`(_ itemClass: PasswordClass) async {
            for number in 0..<4 { add(itemClass.item("\(number)", "s", [kSecValueData: Data([UInt8(number)])])) }
            let before = dump()
            let wrong = Findings<String>()
            await onThreads(Self.threads) { thread in
                for misuse in Misuse.all.dropFirst(thread * 7).prefix(60) {
                    var result: CFTypeRef?
                    let number = thread % 4
                    let status = SecItemCopyMatching(itemClass.item("\(number)", "s", [kSecReturnData: true]), &result)
                    if status != errSecSuccess || result as? Data != Data([UInt8(number)]) {
                        wrong.add("read gives \(status)")
                    }
                    let other = misuse.call(itemClass)
                    if other != misuse.status { wrong.add("\(misuse.testDescription) gives \(other)") }
                }
            }
            #expect(wrong.all.isEmpty)
            #expect(dump() == before)
        }
    }
}
