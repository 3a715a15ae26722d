// SPDX-License-Identifier: Apache-2.0

import DBus
import DBusMessages
import Synchronization

/// Greets by name, and counts its greetings.
final class Greeter: BusObject {
    static let interfaces: [Interface<Greeter>] = [
        Interface(
            "org.example.Greeter",
            methods: [
                Method("Greet", in: [Argument("name", "s")], out: [Argument("greeting", "s")]) { greeter, call in
                    guard let name = call.arguments[0].string, !name.isEmpty else {
                        throw MethodError("org.example.Greeter.Error.NoName", "The name is empty.")
                    }
                    try greeter.countGreeting()
                    return [.string("Hello, \(name)!")]
                }
            ],
            properties: [
                Property("Count", "u") { greeter in .uint32(greeter.count.withLock { $0 }) }
            ])
    ]

    private let count = Mutex<UInt32>(0)
    private let server: BusServer

    init(_ server: BusServer) {
        self.server = server
    }

    private func countGreeting() throws {
        count.withLock { $0 += 1 }
        try server.announceChange(of: ["Count"], in: "org.example.Greeter", of: self, at: "/org/example/Greeter")
    }
}

let connection = try BusConnection(to: ServerAddress.sessionBus())
let server = try BusServer()
server.export(Greeter(server), at: "/org/example/Greeter")
if try connection.perform(.name("org.example.Greeter", .doNotQueue)) == .primaryOwner {
    try server.run(on: connection)
} else {
    print("Another program owns the name org.example.Greeter.")
}
