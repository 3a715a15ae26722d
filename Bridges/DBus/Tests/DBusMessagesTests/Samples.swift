// SPDX-License-Identifier: Apache-2.0

import DBusMessages

enum Samples {
    /// A value of each type, and nested containers.
    static let values: [Value] = [
        .byte(0xFE), .boolean(true), .boolean(false), .int16(-2), .uint16(65535), .int32(.min), .uint32(.max),
        .int64(.min), .uint64(.max), .double(-0.0), .double(.infinity), .string(""), .string("Grüße, \u{1F511}"),
        .objectPath("/org/freedesktop/login1"), .objectPath("/"), .descriptor(2),
        .signature(signature("a{sv}")), .signature(.empty), .variant(.variant(.byte(1))), .bytes([]),
        .bytes([0, 1, 255]),
        .array(of: .string, [.string("a"), .string("b")]), .array(of: .array(.byte), [.bytes([1]), .bytes([])]),
        .structure([.byte(1), .structure([.uint64(2), .bytes([3])]), .string("4")]),
        .array(
            of: .structure([.byte, .uint64]),
            [.structure([.byte(1), .uint64(2)]), .structure([.byte(3), .uint64(4)])]),
        .dictionary(
            key: .uint16, value: .string, [.init(.uint16(1), .string("one")), .init(.uint16(2), .string("two"))]),
        .dictionary(
            key: .string, value: .dictionary(key: .string, value: .variant),
            [
                .init(
                    .string("x"), .dictionary(key: .string, value: .variant, [.init(.string("y"), .variant(.int16(1)))])
                )
            ]),
    ]

    static func signature(_ text: String) -> Signature {
        do { return try Signature(text) } catch { preconditionFailure("\(text): \(error)") }
    }

    static func message() throws(CodingError) -> Message {
        try .call(
            "Inhibit", of: "org.freedesktop.login1.Manager", at: "/org/freedesktop/login1",
            on: "org.freedesktop.login1",
            values, flags: .noAutoStart, descriptorCount: 3)
    }
}

/// A generator that gives the same numbers in each run (SplitMix64).
struct FixedRandomness: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}
