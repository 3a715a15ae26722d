// SPDX-License-Identifier: Apache-2.0

import DBus
import DBusMessages

let bus = try BusConnection(to: ServerAddress.sessionBus())
try bus.add(MatchRule(sender: "org.example.Greeter", member: "PropertiesChanged"))

func greet(_ name: String, on bus: BusConnection) throws -> String? {
    let answer = try bus.call(
        .call(
            "Greet", of: "org.example.Greeter", at: "/org/example/Greeter", on: "org.example.Greeter",
            [.string(name)]))
    return try answer.argument().string
}

print(try greet("Ann", on: bus) ?? "no text")
do {
    _ = try greet("", on: bus)
} catch BusError.refused(let error, let text) {
    print("\(error): \(text)")
}

// Signals that arrived during the calls were kept.
while let next = try bus.next(until: .now + .seconds(60), or: nil) {
    guard next.message.member == "PropertiesChanged" else { continue }
    let arguments = try next.message.arguments()
    print("greetings: \(arguments[1]["Count"]?.unwrapped.uint32 ?? 0)")
    break
}
