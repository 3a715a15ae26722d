// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel

/// One file of TestVectors: one case and its one outcome. Bytes are in hexadecimal.
struct Vector: Codable, Equatable {
    enum Format: String, Codable {
        case deviceKey = "device-key"
        case keybag
        case indexDigest = "index-digest"
        case item
        case grant
    }

    enum Outcome: String, Codable {
        case opens
        case damaged
        case unsupportedVersion = "unsupported-version"
        case wrongDeviceKey = "wrong-device-key"
        case wrongSecret = "wrong-secret"
        case noSuchProtector = "no-such-protector"
    }

    struct ClassKeys: Codable, Equatable {
        var classKey: String
        var metadataKey: String
    }

    /// The secret that opens a protected keybag.
    struct Secret: Codable, Equatable {
        /// The number of the protector's kind.
        var kind: UInt8
        var bytes: String
    }

    struct Keys: Codable, Equatable {
        var indexKey: String
        var keybagKey: String
        /// By Apple's short name of the class.
        var classes: [String: ClassKeys]
    }

    /// A value as text: strings as they are, data in hexadecimal, numbers and dates in decimal, access controls as
    /// protection and flags in decimal with a space between.
    struct Value: Codable, Equatable {
        var key: String
        var type: String
        var value: String
    }

    struct Binding: Codable, Equatable {
        var itemClass: String
        var accessibility: String
        var synchronizable: Bool
        var item: String
        var version: UInt64
        var accessGroup: String
        /// Empty where the item has no such attribute.
        var uniqueness: [String]
    }

    struct Item: Codable, Equatable {
        var binding: Binding
        var wrappedKey: String
        var attributes: String
        var data: String
    }

    /// A row of the table of grants.
    struct Grant: Codable, Equatable {
        var number: UInt64
        var item: String
        var bytes: String
    }

    struct OpenedGrant: Codable, Equatable {
        var itemClass: String
        /// The names of both.
        var operation: String
        var tier: String
        /// Seconds since 2001-01-01 00:00:00 UTC.
        var date: Double
        /// The kind of the object, and its identity among objects of the kind; a digest in hexadecimal.
        var identity: [String]
    }

    struct Opened: Codable, Equatable {
        var attributes: [Value]
        /// Missing for an item without a secret.
        var secret: String?
    }

    var about: String
    var format: Format
    var outcome: Outcome

    var deviceKey: String?
    var deviceKeyFile: String?
    var keybag: String?
    var secret: Secret?
    var keys: Keys?
    var itemClass: String?
    var value: Value?
    var digest: String?
    var item: Item?
    var opened: Opened?
    var grant: Grant?
    var openedGrant: OpenedGrant?

    var encoded: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }

    static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("TestVectors/v1")
}

extension Vector.OpenedGrant {
    init(_ grant: RememberedGrant) {
        itemClass = grant.itemClass.code
        operation = grant.operation.name
        tier = grant.tier.name
        date = grant.date.secondsSinceReferenceDate
        identity =
            switch grant.identity {
            case .unidentified: ["unidentified"]
            case .command: ["command"]
            case .signed(let team, let identifier): ["signed", team, identifier]
            case .installed(let path): ["installed", path]
            case .unsigned(let digest): ["unsigned", digest.hex]
            case .application(let name): ["application", name]
            }
    }
}

extension Vector.Value {
    init(_ key: AttributeKey, _ value: AttributeValue) {
        self.key = key.name
        switch value {
        case .string(let text): (type, self.value) = ("string", text)
        case .data(let bytes): (type, self.value) = ("data", bytes.hex)
        case .number(let number): (type, self.value) = ("number", "\(number)")
        case .date(let date): (type, self.value) = ("date", "\(date.secondsSinceReferenceDate)")
        case .accessControl(let control):
            (type, self.value) = ("access-control", "\(control.protection.rawValue) \(control.flags.rawValue)")
        }
    }

    var attribute: (AttributeKey, AttributeValue)? {
        guard let key = AttributeKey(name: key) else { return nil }
        switch type {
        case "string": return (key, .string(value))
        case "data": return [UInt8](hex: value).map { (key, .data($0)) }
        case "number": return Int64(value).map { (key, .number($0)) }
        case "date": return Double(value).map { (key, .date(Timestamp(secondsSinceReferenceDate: $0))) }
        case "access-control":
            let numbers = value.split(separator: " ").compactMap { UInt32($0) }
            guard numbers.count == 2, let protection = Accessibility(rawValue: UInt8(numbers[0])),
                let control = AccessControl(protection: protection, flags: .init(rawValue: numbers[1]))
            else { return nil }
            return (key, .accessControl(control))
        default: return nil
        }
    }
}

extension Sequence<UInt8> {
    var hex: String { map { String(UInt16($0) + 256, radix: 16).suffix(2) }.joined() }
}

extension [UInt8] {
    init?(hex: String) {
        let digits = Array<Character>(hex)
        guard digits.count % 2 == 0 else { return nil }
        self = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(digits[place...(place + 1)]), radix: 16) else { return nil }
            append(byte)
        }
    }
}
