// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Foundation
import Testing

/// The examples of README.md.
@Suite(.timeLimit(.minutes(5))) struct ExampleTests {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: ["Service", "Client"])
    func `README shows the program as it is`(_ name: String) throws {
        let readme = try String(contentsOf: Self.package.appending(path: "README.md"), encoding: .utf8)
        let program = try String(
            contentsOf: Self.package.appending(path: "Examples/\(name)/main.swift"), encoding: .utf8)
        let code = program.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)[1]
        #expect(readme.contains("```swift\n\(code)```\n"))
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `the client greets the service`(_ kind: PrivateBus.Kind) async throws {
        let (output, isOwned) = try await onThread {
            let bus = try PrivateBus(kind)
            // The programs lie beside the tests.
            let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
            let service = try ForeignProgram(folder + "/example-dbus-service", [], bus)
            let client = try bus.connect()
            let isOwned = try wait { try client.owner(of: "org.example.Greeter") != nil }
            let output = try ForeignProgram(folder + "/example-dbus-client", [], bus).run()
            service.kill()
            return (output, isOwned)
        }
        #expect(isOwned)
        #expect(
            output == """
                Hello, Ann!
                org.example.Greeter.Error.NoName: The name is empty.
                greetings: 1

                """)
    }
}
