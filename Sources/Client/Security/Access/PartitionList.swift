// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel

/// The partition list of an access object in the form of Apple's functions: the description of a separate ACL entry,
/// which contains a property list in hexadecimal digits.
struct PartitionList {
    let partitions: [PartitionID]

    init(_ partitions: [PartitionID]) { self.partitions = partitions }

    private static let key = "Partitions"

    /// - Throws: `errSecParam` for a text that is not a partition list.
    init(text: String) throws(AccessFailure) {
        let digits = Array(text.utf8)
        // The largest partition list has fewer digits.
        guard digits.count.isMultiple(of: 2), digits.count <= 4 * AccessLimits.bytes else {
            throw AccessFailure(.parameter)
        }
        var bytes = Data(capacity: digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.value(digits[place]), let low = Self.value(digits[place + 1]) else {
                throw AccessFailure(.parameter)
            }
            bytes.append(high << 4 | low)
        }
        // The call passes no pointer that could be invalid.
        let read = unsafe try? PropertyListSerialization.propertyList(from: bytes, format: nil)
        guard let list = read as? [String: Any],
            let names = list[Self.key] as? [String]
        else { throw AccessFailure(.parameter) }
        let partitions = names.compactMap(PartitionID.init)
        guard partitions.count == names.count else { throw AccessFailure(.parameter) }
        self.partitions = partitions
    }

    /// - Throws: never for a valid partition list; the error type of the property list's encoder requires it.
    func text() throws(AccessFailure) -> String {
        guard
            let data = try? PropertyListSerialization.data(
                fromPropertyList: [Self.key: partitions.map(\.text)], format: .xml, options: 0)
        else { throw AccessFailure(.internalError) }
        return data.hexadecimal
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
