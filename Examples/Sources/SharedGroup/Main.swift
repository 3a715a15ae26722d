// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Security

/// Shows the effect of a program's access groups: `SharedGroup add|find|delete SERVICE [GROUP]`, `SharedGroup
/// entitlement NAME`. Prints the status of each call, and the secret and group of each found item.
///
/// Sign two copies with `chatelaine codesign --entitlements` to see which items they share. With
/// `SHARED_GROUP_LOG=debug` in the environment, the module logs on standard error why a call found no item.
@main
struct Main {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else {
            FileHandle.standardError.write(Data("usage: SharedGroup add|find|delete SERVICE [GROUP]\n".utf8))
            exit(64)
        }
        if ProcessInfo.processInfo.environment["SHARED_GROUP_LOG"] == "debug" {
            LoggingSystem.bootstrap { label in
                var handler = StreamLogHandler.standardError(label: label)
                handler.logLevel = .debug
                return handler
            }
        }
        let name = arguments[1]
        if arguments[0] == "entitlement" { return showEntitlement(name) }
        var query: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: name]
        if arguments.count > 2 { query[kSecAttrAccessGroup as String] = arguments[2] }
        switch arguments[0] {
        case "add":
            query[kSecValueData as String] = Data("secret of \(name)".utf8)
            query[kSecReturnAttributes as String] = true
            show { SecItemAdd(query as CFDictionary, $0) }
        case "find":
            query[kSecMatchLimit as String] = kSecMatchLimitAll
            query[kSecReturnAttributes as String] = true
            query[kSecReturnData as String] = true
            show { SecItemCopyMatching(query as CFDictionary, $0) }
        case "delete":
            show { _ in SecItemDelete(query as CFDictionary) }
        default:
            exit(64)
        }
    }

    private static func show(_ call: (UnsafeMutablePointer<CFTypeRef?>) -> OSStatus) {
        var result: CFTypeRef?
        let status = call(&result)
        print("status \(status)")
        let items = result as? [[String: Any]] ?? (result as? [String: Any]).map { [$0] } ?? []
        for item in items {
            let secret = (item[kSecValueData as String] as? Data).map { String(decoding: $0, as: UTF8.self) } ?? "-"
            print("\(item[kSecAttrAccessGroup as String] ?? "-") \(secret)")
        }
    }

    private static func showEntitlement(_ name: String) {
        guard let task = SecTaskCreateFromSelf(nil) else { exit(1) }
        var error: Unmanaged<CFError>?
        let value = SecTaskCopyValueForEntitlement(task, name as CFString, &error)
        if let error { print("error \(error.takeRetainedValue())") }
        switch value {
        case let list as [String]: print(list.joined(separator: " "))
        case let value?: print(value)
        case nil: print("none")
        }
        print(SecTaskCopySigningIdentifier(task, nil) as String? ?? "not signed")
    }
}
