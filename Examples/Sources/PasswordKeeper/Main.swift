// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// `PasswordKeeper set|get|delete SERVICE ACCOUNT`; `set` reads the password from standard input. Without arguments it
/// shows what it does.
@main
struct Main {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.isEmpty { return demonstrate() }
        guard arguments.count == 3 else { usage() }
        let (verb, service, account) = (arguments[0], arguments[1], arguments[2])
        switch verb {
        case "set":
            let password = readLine(strippingNewline: true) ?? ""
            if password.isEmpty { fail("no password on standard input") }
            check(PasswordKeeper.store(password, service: service, account: account))
        case "get":
            var password = ""
            check(PasswordKeeper.read(&password, service: service, account: account))
            print(password)
        case "delete":
            check(PasswordKeeper.remove(service: service, account: account))
        default:
            usage()
        }
    }

    /// Stores a password, reads it back and leaves it, for `chatelaine find-generic-password -s example.com` to find.
    private static func demonstrate() {
        let (service, account, password) = ("example.com", "ann", "correct horse battery staple")
        check(PasswordKeeper.store(password, service: service, account: account))
        print("stored a password for \(account) at \(service)")

        var found = ""
        check(PasswordKeeper.read(&found, service: service, account: account))
        let masked = found.prefix(2) + String(repeating: "*", count: max(0, found.count - 2))
        print("read it back: \(masked) (\(found == password ? "the same" : "another one"))")
    }

    private static func check(_ status: OSStatus) {
        if status == errSecSuccess { return }
        fail(SecCopyErrorMessageString(status, nil) as String? ?? "status \(status)")
    }

    private static func usage() -> Never {
        fail("usage: PasswordKeeper [set|get|delete SERVICE ACCOUNT]")
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("error: \(message)\n".utf8))
        exit(1)
    }
}
