// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainWire
import Security
import Testing

/// The ways in which programs write these calls. That they compile is most of the test.
@Suite struct `Calls as programs write them` {
    private let service = RecordingService(
        .items([ReturnedItem(reference: .example, attributes: nil, secret: Array("secret".utf8))]))

    private var query: [String: Any] {
        [kSecClass as String: kSecClassGenericPassword, kSecReturnData as String: kCFBooleanTrue as Any]
    }

    @Test func `results go into an AnyObject or a CFTypeRef`() {
        service.run {
            var object: AnyObject?
            #expect(SecItemCopyMatching(query as CFDictionary, &object) == errSecSuccess)
            #expect(object as? Data == Data("secret".utf8))
            var reference: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &reference) == noErr)
            #expect(String(data: reference as! Data, encoding: .utf8) == "secret")
        }
    }

    @Test func `results go through a pointer`() {
        service.run {
            var result: AnyObject?
            let status = withUnsafeMutablePointer(to: &result) {
                SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
            }
            #expect(status == errSecSuccess)
            #expect(result is Data)
        }
    }

    @Test func `dictionaries of objects and mutable dictionaries are queries`() {
        service.run {
            var result: CFTypeRef?
            let objects: [String: AnyObject] = [
                kSecClass as String: kSecClassGenericPassword, kSecReturnData as String: kCFBooleanTrue,
                kSecAttrAccount as String: "joe" as CFString,
            ]
            #expect(SecItemCopyMatching(objects as CFDictionary, &result) == errSecSuccess)
            #expect(result is Data)
            let mutable = NSMutableDictionary(
                objects: [kSecClassGenericPassword, true], forKeys: [kSecClass, kSecReturnData])
            #expect(SecItemCopyMatching(mutable, &result) == errSecSuccess)
            #expect(SecItemCopyMatching(mutable as CFDictionary, &result) == errSecSuccess)
        }
    }

    @Test func `statuses may be thrown away or matched`() {
        service.run {
            SecItemAdd(query as CFDictionary, nil)
            SecItemDelete(query as CFDictionary)
            switch SecItemUpdate([:], [:]) {
            case errSecParam: break
            case let status: Issue.record("status \(status)")
            }
        }
    }

    @Test func `functions are values of Apple's types`() {
        let add: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemAdd
        let copy: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemCopyMatching
        let update: (CFDictionary, CFDictionary) -> OSStatus = SecItemUpdate
        let delete: (CFDictionary) -> OSStatus = SecItemDelete
        service.run {
            #expect([add([:], nil), copy([:], nil), update([:], [:]), delete([:])].allSatisfy { $0 == errSecParam })
        }
    }

    @Test func `a dictionary class of the program's own is read like any other`() {
        final class OwnDictionary: NSDictionary {
            private let entries: [String: String] = ["class": "genp", "acct": "joe"]
            override var count: Int { entries.count }
            override func object(forKey key: Any) -> Any? { entries[(key as? String) ?? "\(key)"] }
            override func keyEnumerator() -> NSEnumerator { (Array(entries.keys) as NSArray).objectEnumerator() }
        }
        #expect(sentQuery(OwnDictionary())?.attributes[.account] == .string("joe"))
    }

    @Test func `a service that cannot be reached is told by the status`() {
        struct Nowhere: KeychainTransport {
            func exchange(
                _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
                receive: (Frame) throws(WireError) -> AnswerProgress
            ) throws(ClientError) {
                throw .unavailable("there is none")
            }
            func watch() throws(ClientError) -> any ChangeStream { throw .unavailable("there is none") }

            func watchKeychains(_ filter: KeychainNoticeFilter) throws(ClientError) -> any KeychainNoticeStream {
                throw .unavailable("there is none")
            }
            func followLog() throws(ClientError) -> any LogStream { throw .unavailable("there is none") }
        }
        KeychainClient(Nowhere()).asCurrent {
            #expect(SecItemAdd(query as CFDictionary, nil) == errSecNotAvailable)
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecNotAvailable)
            #expect(SecItemUpdate([kSecClass: kSecClassGenericPassword], [:]) == errSecNotAvailable)
            #expect(SecItemDelete(query as CFDictionary) == errSecNotAvailable)
        }
    }
}
