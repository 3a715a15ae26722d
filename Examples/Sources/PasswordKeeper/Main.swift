// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// `PasswordKeeper set|get|delete SERVICE ACCOUNT`; `set` reads the password from standard input. Without arguments it
/// runs a demonstration.
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

    /// Stores a password, reads it, and leaves it in the keychain for the command line to list.
    private static func demonstrate() {
        let (service, account) = ("com.example.PasswordKeeper", "ann@example.com")
        check(PasswordKeeper.store("correct horse battery staple", service: service, account: account))
        print("stored a password for \(account) at \(service)")

        var password = ""
        check(PasswordKeeper.read(&password, service: service, account: account))
        print("read it back: \(password)")
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
