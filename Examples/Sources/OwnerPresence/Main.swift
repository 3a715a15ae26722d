// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security

/// Prints the result of each command: a status, and the data that was read.
///
///     OwnerPresence add SERVER ACCOUNT PASSWORD
///     OwnerPresence read SERVER
///     OwnerPresence free SERVER
///     OwnerPresence set SERVICE ACCOUNT PASSWORD APPLICATION-PASSWORD
///     OwnerPresence get SERVICE ACCOUNT APPLICATION-PASSWORD
///     OwnerPresence set-for-owner SERVICE ACCOUNT PASSWORD
///     OwnerPresence load SERVICE ACCOUNT
///     OwnerPresence can
@main
struct Main {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        switch (words.first, words.count) {
        case ("add", 4):
            report { try ProtectedCredentials.add(account: words[2], password: Data(words[3].utf8), server: words[1]) }
        case ("read", 2):
            report {
                let found = try ProtectedCredentials.read(server: words[1])
                print("\(found.account) \(String(decoding: found.password, as: UTF8.self))")
            }
        case ("free", 2): print(ProtectedCredentials.isReadableWithoutAsking(server: words[1]))
        case ("set", 5):
            print(
                ProtectedPasswords.set(
                    words[3], service: words[1], account: words[2], applicationPassword: words[4]))
        case ("get", 4):
            let (status, text) = ProtectedPasswords.get(
                service: words[1], account: words[2], applicationPassword: words[3])
            print(status, text)
        case ("set-for-owner", 4):
            print(ProtectedPasswords.setForOwner(words[3], service: words[1], account: words[2]))
        case ("load", 3):
            ProtectedPasswords.loadForOwner(service: words[1], account: words[2]) { status, data in
                print(status, data.map { String(decoding: $0, as: UTF8.self) } ?? "")
                exit(0)
            }
            dispatchMain()
        case ("can", 1):
            let context = LAContext()
            var error: NSError?
            let can = context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error)
            print(can, (error as? LAError)?.code.rawValue ?? 0)
        default:
            FileHandle.standardError.write(Data("usage: see Main.swift\n".utf8))
            exit(64)
        }
    }

    private static func report(_ body: () throws -> Void) {
        do {
            try body()
            print(errSecSuccess)
        } catch {
            print((error as? KeychainError)?.status ?? -1)
        }
    }
}
