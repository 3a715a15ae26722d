// SPDX-License-Identifier: Apache-2.0

import DBusMessages

/// Fuzzes the input of a program from a message bus: messages in pieces, with their values, and for calls the way to
/// their methods; before them lines, addresses, signatures.
func fuzzBus(_ bytes: [UInt8]) {
    switch bytes.first {
    case 0: try? readMessages(bytes.dropFirst())
    case 1: try? readLines(bytes.dropFirst())
    case 2: _ = try? ServerAddress.list(String(decoding: bytes.dropFirst(), as: UTF8.self))
    case 3: try? readSignature(String(decoding: bytes.dropFirst(), as: UTF8.self))
    default: break
    }
}

/// The first byte of a piece is its length.
private func readMessages(_ bytes: ArraySlice<UInt8>) throws(CodingError) {
    var stream = MessageStream<Int>(limit: 1024)
    var rest = bytes
    while !rest.isEmpty {
        let piece = rest.prefix(Int(rest[rest.startIndex]) % 61 + 1)
        rest = rest.dropFirst(piece.count)
        stream.receive(piece)
        while let (message, _) = try stream.next() {
            if message.kind == .methodCall { checkRoutes(message) }
            try check(message)
        }
        for call in stream.takeSkippedCalls() {
            guard call.kind == .methodCall, call.path != nil, call.serial != 0 else { finding("no call was skipped") }
        }
    }
}

private let interfaces = [
    InterfaceDescription(
        "org.example.A",
        methods: [
            MethodDescription("Add", in: [Argument("a", "i"), Argument("b", "i")]),
            MethodDescription("Put", in: [Argument("values", "a{sv}"), Argument("file", "h")]),
        ],
        properties: [
            PropertyDescription("Name", "s", access: .readWrite), PropertyDescription("Key", "ay", access: .write),
        ]),
    InterfaceDescription("org.example.B", methods: [MethodDescription("Add")]),
]

/// A call reaches a method only with values of the declared types, and an object only if there is one.
private func checkRoutes(_ call: Message) {
    for (described, isManager) in [(interfaces, true), (interfaces, false), (nil, false)] {
        guard let route = try? CallRoute(call, of: described, isManager: isManager) else { continue }
        switch route {
        case .ping, .machineID, .introspection: break
        case .managedObjects: if !isManager { finding("an object is a manager") }
        case .get(let found):
            if described?[found.interface].properties[found.property].isReadable != true {
                finding("a property is read that cannot be")
            }
        case .set(let found, let value):
            let property = described?[found.interface].properties[found.property]
            if property?.isWritable != true || property?.type != value.type { finding("a property takes any value") }
        case .getAll(let found):
            if described == nil || !found.allSatisfy(interfaces.indices.contains) { finding("an interface is missing") }
        case .method(let interface, let method, let arguments):
            let inputs = described?[interface].methods[method].inputs
            if inputs?.map(\.type) != arguments.map(\.type) { finding("a method takes any values") }
        }
    }
}

/// Each set of values has exactly one encoding.
private func check(_ message: Message) throws(CodingError) {
    // Messages in the other byte order are only read.
    guard let bytes = try? message.bytes(serial: message.serial) else {
        _ = try message.arguments()
        return
    }
    guard try Message(bytes: bytes) == message else { finding("a message reads as something else") }
    let arguments = try message.arguments()
    let again = try Message.signal("M", of: "a.b", at: "/", arguments).bytes(serial: 1)
    guard again.suffix(message.bodyByteCount) == bytes.suffix(message.bodyByteCount) else {
        finding("values are written as something else")
    }
}

private func readLines(_ bytes: ArraySlice<UInt8>) throws(Authentication.Error) {
    var authentication = Authentication()
    var rest = bytes
    while !authentication.isFinished, try authentication.receive(&rest) != nil {}
}

private func readSignature(_ text: String) throws(CodingError) {
    let signature = try Signature(text)
    guard try Signature(of: signature.types) == signature else {
        finding("a signature is written as something else")
    }
}
