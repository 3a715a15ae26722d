// SPDX-License-Identifier: Apache-2.0

// Prints the events of keychain files, with the callbacks of Keychain Services: a line for each event, up to the number
// of events in its argument. Apple deprecates these functions, so they cause warnings here as well.

import Foundation
import Security

func name(_ event: SecKeychainEvent) -> String {
    switch event {
    case .lockEvent: "locked"
    case .unlockEvent: "unlocked"
    case .addEvent: "added"
    case .deleteEvent: "deleted"
    case .updateEvent: "access changed"
    case .passwordChangedEvent: "password changed"
    case .defaultChangedEvent: "default changed"
    case .dataAccessEvent: "data read"
    case .keychainListChangedEvent: "list changed"
    case .trustSettingsChangedEvent: "trust settings changed"
    }
}

func write(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// The counter of the callback.
struct Count {
    var left: Int
}

func keychainEvent(
    _ event: SecKeychainEvent, _ info: UnsafeMutablePointer<SecKeychainCallbackInfo>,
    _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    var line = name(event)
    if let keychain = info.pointee.keychain?.takeUnretainedValue() {
        var length: UInt32 = 4096
        var path = [CChar](repeating: 0, count: Int(length))
        if SecKeychainGetPath(keychain, &length, &path) == errSecSuccess {
            let bytes = path.prefix(Int(length)).map { UInt8(bitPattern: $0) }
            line += " " + URL(fileURLWithPath: String(decoding: bytes, as: UTF8.self)).lastPathComponent
        }
    }
    if let item = info.pointee.item?.takeUnretainedValue(), event == .addEvent {
        line += " " + account(of: item)
    }
    write(line + (info.pointee.pid == getpid() ? " (by this process)" : ""))
    context?.assumingMemoryBound(to: Count.self).pointee.left -= 1
    return errSecSuccess
}

func account(of item: SecKeychainItem) -> String {
    var tag = SecItemAttr.accountItemAttr.rawValue
    var attributes: UnsafeMutablePointer<SecKeychainAttributeList>?
    let status = withUnsafeMutablePointer(to: &tag) { tag in
        var info = SecKeychainAttributeInfo(count: 1, tag: tag, format: nil)
        return SecKeychainItemCopyAttributesAndData(item, &info, nil, &attributes, nil, nil)
    }
    guard status == errSecSuccess, let list = attributes else { return "?" }
    defer { SecKeychainItemFreeAttributesAndData(list, nil) }
    guard let account = list.pointee.attr?.pointee, let bytes = account.data else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(account.length)), as: UTF8.self)
}

@main
struct KeychainEvents {
    static func main() {
        guard CommandLine.arguments.count == 2, let count = Int(CommandLine.arguments[1]) else {
            FileHandle.standardError.write(Data("usage: KeychainEvents COUNT\n".utf8))
            exit(2)
        }
        let counted = UnsafeMutablePointer<Count>.allocate(capacity: 1)
        counted.initialize(to: Count(left: count))
        let status = SecKeychainAddCallback(keychainEvent, .everyEventMask, counted)
        guard status == errSecSuccess else {
            let message = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "status \(status)"
            FileHandle.standardError.write(Data("\(message)\n".utf8))
            exit(1)
        }
        write("listening")
        while counted.pointee.left > 0, RunLoop.main.run(mode: .default, before: .distantFuture) {}
        SecKeychainRemoveCallback(keychainEvent)
        counted.deallocate()
    }
}
