// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainTesting
import Security
import Testing

/// The pitfalls that Apple's engineers warn of, one test each. Documentation/Pitfalls.md tells the same for readers, and
/// quotes what the log says; the tests hold it to that.
@Suite struct `Pitfalls of SecItem` {
    private let page: String

    init() throws {
        Recorder.install
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        page = try String(contentsOf: root.appending(path: "Documentation/Pitfalls.md"), encoding: .utf8)
    }

    /// Runs the body on an empty keychain, with what it logs compared to the page.
    private func onEmptyKeychain(
        groups: [String] = ["com.example.app"], quoted: Int = 0, _ body: () throws -> Void
    ) throws {
        let recorder = Recorder()
        try Recorder.$current.withValue(recorder) { try InMemoryKeychain(accessGroups: groups).run(body) }
        var found = 0
        for line in recorder.lines {
            let text = line.replacing(/[0-9a-f]{40}/, with: "…")
            if page.contains(text) { found += 1 } else { Issue.record("the page does not quote: \(text)") }
        }
        #expect(found == quoted)
    }

    private let password: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "AYS", kSecAttrAccount: "mrgumby",
    ]

    private func with(_ more: [CFString: Any]) -> CFDictionary {
        password.merging(more) { _, new in new } as CFDictionary
    }

    @Test func `a query that finds nothing and an addition that finds a duplicate`() throws {
        try onEmptyKeychain(quoted: 2) {
            #expect(SecItemAdd(with([kSecAttrGeneric: Data("old".utf8)]), nil) == errSecSuccess)
            let query = with([kSecAttrGeneric: Data("SecItemHints".utf8)])
            #expect(SecItemCopyMatching(query, nil) == errSecItemNotFound)
            #expect(
                SecItemAdd(
                    with([kSecAttrGeneric: Data("SecItemHints".utf8), kSecValueData: Data("opendoor".utf8)]), nil)
                    == errSecDuplicateItem)
        }
    }

    @Test func `an attribute that the class does not have`() throws {
        try onEmptyKeychain(quoted: 2) {
            let item: [CFString: Any] = [
                kSecClass: kSecClassInternetPassword, kSecAttrService: "mail", kSecAttrAccount: "ann",
            ]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecNoSuchAttr)
            #expect(SecItemCopyMatching(item as CFDictionary, nil) == errSecNoSuchAttr)
        }
    }

    @Test func `one match is found, all are deleted`() throws {
        try onEmptyKeychain(quoted: 2) {
            for account in ["a", "b", "c"] {
                #expect(SecItemAdd(with([kSecAttrAccount: account]), nil) == errSecSuccess)
            }
            let all = [kSecClass: kSecClassGenericPassword, kSecAttrService: "AYS"] as [CFString: Any]
            var result: CFTypeRef?
            let search = all.merging([kSecReturnAttributes: true]) { _, new in new }
            #expect(SecItemCopyMatching(search as CFDictionary, &result) == errSecSuccess)
            #expect(result is NSDictionary)
            // A limit does not help: where it would have no effect, it is refused.
            let limited = all.merging([kSecMatchLimit: kSecMatchLimitOne]) { _, new in new }
            #expect(SecItemDelete(limited as CFDictionary) == errSecParam)
            #expect(SecItemDelete(all as CFDictionary) == errSecSuccess)
            #expect(SecItemCopyMatching(all as CFDictionary, nil) == errSecItemNotFound)
        }
    }

    @Test func `a synchronizable item is invisible until it is asked for`() throws {
        try onEmptyKeychain(quoted: 1) {
            #expect(SecItemAdd(with([kSecAttrSynchronizable: true]), nil) == errSecSuccess)
            #expect(SecItemCopyMatching(password as CFDictionary, nil) == errSecItemNotFound)
            let any = with([kSecAttrSynchronizable: kSecAttrSynchronizableAny])
            #expect(SecItemCopyMatching(any, nil) == errSecSuccess)
            // And it is no duplicate of a local one.
            #expect(SecItemAdd(password as CFDictionary, nil) == errSecSuccess)
        }
    }

    @Test func `an update keeps what was chosen when the item was added`() throws {
        try onEmptyKeychain {
            #expect(
                SecItemAdd(with([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]), nil) == errSecSuccess)
            #expect(SecItemUpdate(password as CFDictionary, [kSecAttrLabel: "x"] as CFDictionary) == errSecSuccess)
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(with([kSecReturnAttributes: true]), &result) == errSecSuccess)
            let attributes = result as? [String: Any]
            #expect(
                attributes?[kSecAttrAccessible as String] as? String == kSecAttrAccessibleAfterFirstUnlock as String)
        }
    }

    @Test func `items are lost when the access group changes`() throws {
        let keychain = try InMemoryKeychain(accessGroups: ["TEAM.groupA", "TEAM.app"])
        keychain.run { #expect(SecItemAdd(password as CFDictionary, nil) == errSecSuccess) }
        let version2 = keychain.client(accessGroups: ["TEAM.groupB", "TEAM.app"])
        version2.asCurrent {
            #expect(SecItemCopyMatching(password as CFDictionary, nil) == errSecItemNotFound)
            #expect(
                SecItemCopyMatching(with([kSecAttrAccessGroup: "TEAM.groupA"]), nil) == errSecMissingEntitlement)
        }
        keychain.run { #expect(SecItemCopyMatching(password as CFDictionary, nil) == errSecSuccess) }
    }

    @Test func `a query that does not match is explained without dumping the keychain`() throws {
        try onEmptyKeychain(quoted: 1) {
            #expect(SecItemAdd(with([kSecAttrService: "AYS"]), nil) == errSecSuccess)
            #expect(SecItemAdd(with([kSecAttrAccount: "ann"]), nil) == errSecSuccess)
            #expect(SecItemCopyMatching(with([kSecAttrAccount: "MrGumby"]), nil) == errSecItemNotFound)
        }
    }

    @Test func `a dictionary is an NSDictionary, whatever it is written as`() throws {
        try onEmptyKeychain {
            let mutable = NSMutableDictionary(dictionary: password)
            mutable[kSecValueData] = Data("opendoor".utf8)
            #expect(SecItemAdd(mutable, nil) == errSecSuccess)
            #expect(SecItemCopyMatching(password as NSDictionary, nil) == errSecSuccess)
        }
    }

    @Test func `a number is no truth value`() throws {
        try onEmptyKeychain(quoted: 1) {
            #expect(SecItemCopyMatching(with([kSecReturnData: 1]), nil) == errSecParam)
        }
    }

    @Test func `a secret that is text has to be made data`() throws {
        try onEmptyKeychain(quoted: 1) {
            #expect(SecItemAdd(with([kSecValueData: "opendoor"]), nil) == errSecParam)
        }
    }

    // MARK: Identities, keys and certificates

    private let identities = [kSecClass: kSecClassIdentity] as CFDictionary

    private func add(_ object: AnyObject) -> OSStatus { SecItemAdd([kSecValueRef: object] as CFDictionary, nil) }

    private func isThere(_ object: AnyObject) -> Bool {
        SecItemCopyMatching([kSecValueRef: object] as CFDictionary, nil) == errSecSuccess
    }

    private func identity(_ certificate: SecCertificate) -> SecIdentity {
        SecIdentityCreate(nil, certificate, Samples.leafKey)!
    }

    @Test func `adding a certificate or a key can add an identity, removing one can remove it`() throws {
        try onEmptyKeychain(quoted: 3) {
            let (certificate, key) = (Samples.leaf, Samples.leafKey)
            #expect(SecItemCopyMatching(identities, nil) == errSecItemNotFound)
            #expect(add(certificate) == errSecSuccess)
            #expect(SecItemCopyMatching(identities, nil) == errSecItemNotFound)
            #expect(add(key) == errSecSuccess)
            #expect(SecItemCopyMatching(identities, nil) == errSecSuccess)
            #expect(SecItemDelete([kSecValueRef: certificate] as CFDictionary) == errSecSuccess)
            #expect(SecItemCopyMatching(identities, nil) == errSecItemNotFound)
            #expect(isThere(key))
        }
    }

    @Test func `adding an identity adds its missing parts`() throws {
        for half in [Samples.leaf, Samples.leafKey] as [AnyObject] {
            try onEmptyKeychain(quoted: 1) {
                #expect(add(half) == errSecSuccess)
                #expect(add(identity(Samples.leaf)) == errSecSuccess)
                #expect(isThere(Samples.leaf) && isThere(Samples.leafKey))
                #expect(add(identity(Samples.leaf)) == errSecDuplicateItem)
            }
        }
    }

    @Test func `removing an identity removes its certificate, and its key unless another identity uses it`() throws {
        try onEmptyKeychain {
            #expect(add(identity(Samples.leaf)) == errSecSuccess)
            #expect(add(Samples.renewed) == errSecSuccess)
            #expect(
                SecItemDelete([kSecValueRef: identity(Samples.leaf)] as CFDictionary) == errSecSuccess)
            #expect(isThere(Samples.leafKey) && isThere(identity(Samples.renewed)))
            #expect(SecItemDelete(identities) == errSecSuccess)
        }
        try onEmptyKeychain(quoted: 1) {
            #expect(add(identity(Samples.leaf)) == errSecSuccess)
            #expect(SecItemDelete(identities) == errSecSuccess)
            let keys = [kSecClass: kSecClassKey] as CFDictionary
            #expect(SecItemCopyMatching(keys, nil) == errSecItemNotFound)
        }
    }

    @Test func `data that is added without being imported has no attributes, and is no part of an identity`() throws {
        try onEmptyKeychain(quoted: 1) {
            #expect(add(Samples.leafKey) == errSecSuccess)
            let bytes = SecCertificateCopyData(Samples.leaf)
            let raw = [kSecClass: kSecClassCertificate, kSecValueData: bytes] as CFDictionary
            #expect(SecItemAdd(raw, nil) == errSecSuccess)
            #expect(SecItemCopyMatching(identities, nil) == errSecItemNotFound)
            // Imported first, the same bytes are.
            let imported = try #require(SecCertificateCreateWithData(nil, bytes))
            #expect(add(imported) == errSecSuccess)
            #expect(SecItemCopyMatching(identities, nil) == errSecSuccess)
        }
    }

    @Test func `a key that is no key fails where it is imported, not where it is added or used`() throws {
        try onEmptyKeychain {
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
            ]
            let pem = Data("-----BEGIN PRIVATE KEY-----".utf8)
            var error: Unmanaged<CFError>?
            #expect(SecKeyCreateWithData(pem as CFData, attributes as CFDictionary, &error) == nil)
            #expect(error?.takeRetainedValue().code == Int(errSecParam))
            let raw = attributes.merging([kSecClass: kSecClassKey, kSecValueData: pem]) { $1 }
            #expect(SecItemAdd(raw as CFDictionary, nil) == errSecSuccess)
            var result: CFTypeRef?
            let query = [kSecClass: kSecClassKey, kSecReturnRef: true] as CFDictionary
            #expect(SecItemCopyMatching(query, &result) == errSecSuccess)
            #expect(result == nil)
        }
    }
}
