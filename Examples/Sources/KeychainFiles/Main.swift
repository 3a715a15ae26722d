// SPDX-License-Identifier: Apache-2.0

// Keychains that are files, by the high-level functions of Keychain Services: what Apple's documentation shows in C about adding,
// reading and changing a password in the default keychain, word for word in Swift. Apple deprecates these functions, so that there
// are warnings here as there.

import Foundation
import Security

let service = "myService"
let account = "username"

func fail(_ action: String, _ status: OSStatus) -> Never {
    let message = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "status \(status)"
    FileHandle.standardError.write(Data("\(action) failed: \(message)\n".utf8))
    exit(1)
}

func write(_ password: String) {
    let status = SecKeychainAddGenericPassword(
        nil,  // Use default keychain
        UInt32(service.utf8.count), service, UInt32(account.utf8.count), account, UInt32(password.utf8.count), password,
        nil)  // Do not need item reference
    if status != errSecSuccess { fail("Write", status) }  // Always check the status
}

func read() -> (password: String, item: SecKeychainItem) {
    var pwLength: UInt32 = 0
    var pwData: UnsafeMutableRawPointer? = nil
    var itemRef: SecKeychainItem? = nil
    let status = SecKeychainFindGenericPassword(
        nil,  // Search default keychains
        UInt32(service.utf8.count), service, UInt32(account.utf8.count), account, &pwLength, &pwData,
        &itemRef)  // Get a reference this time
    guard status == errSecSuccess, let bytes = pwData, let item = itemRef else { fail("Read", status) }
    let data = Data(bytes: bytes, count: Int(pwLength))
    SecKeychainItemFreeContent(nil, bytes)  // Free memory
    return (String(decoding: data, as: UTF8.self), item)
}

func change(_ item: SecKeychainItem, to password: String) {
    let status = SecKeychainItemModifyAttributesAndData(
        item,  // From the read
        nil,  // Attributes unchanged
        UInt32(password.utf8.count), password)
    if status != errSecSuccess { fail("Update", status) }
}

@main
struct KeychainFiles {
    static func main() {
        // A keychain of the example's own is the default keychain and the only one in the search list, until the end.
        var before: SecKeychain? = nil
        var list: CFArray? = nil
        SecKeychainCopyDefault(&before)
        SecKeychainCopyDomainSearchList(.user, &list)
        var keychain: SecKeychain? = nil
        let passphrase = "passphrase of the example"
        let status = SecKeychainCreate(
            "example.keychain", UInt32(passphrase.utf8.count), passphrase, false, nil, &keychain)
        guard status == errSecSuccess, let example = keychain else { fail("Making a keychain", status) }
        defer {
            SecKeychainDelete(example)
            if let before { SecKeychainSetDefault(before) }
            if let list { SecKeychainSetSearchList(list) }
        }
        SecKeychainSetDefault(example)
        SecKeychainSetSearchList([example] as CFArray)

        write("somethingSecret")
        let first = read()
        print("read: \(first.password)")
        change(first.item, to: "somethingElse")
        print("read: \(read().password)")

        // A locked keychain lists its items, but does not return their passwords.
        SecKeychainLock(example)
        SecKeychainSetUserInteractionAllowed(false)
        var length: UInt32 = 0
        var data: UnsafeMutableRawPointer? = nil
        let refused = SecKeychainItemCopyContent(first.item, nil, nil, &length, &data)
        print("locked: \(refused == errSecAuthFailed ? "not read" : "status \(refused)")")
        SecKeychainUnlock(example, UInt32(passphrase.utf8.count), passphrase, true)
        print("read: \(read().password)")
    }
}
