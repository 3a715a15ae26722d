// SPDX-License-Identifier: Apache-2.0

import Crypto
import KeychainModel

/// What an index column holds in place of an attribute's value: the first 16 bytes of HMAC-SHA256 under the store's
/// index key. Equal values of one attribute have equal digests, and nothing else can be seen of them.
public struct IndexDigest: Hashable, Sendable {
    public let bytes: [UInt8]

    /// Nil unless there are exactly 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == SealingConstants.digestSize else { return nil }
        self.bytes = bytes
    }

    fileprivate init(_ code: HMAC<SHA256>.MAC) {
        // The pointer is read inside the closure only; iterating the code byte by byte costs more than computing it.
        bytes = unsafe code.withUnsafeBytes { unsafe Array($0.prefix(SealingConstants.digestSize)) }
    }
}

/// The store's index key, ready for use: HMAC's state after taking in the key. Copying it saves two of the four
/// compressions that a short value costs.
struct IndexKey: Sendable {
    private let keyed: HMAC<SHA256>

    init(_ key: SymmetricKey) { keyed = HMAC(key: key) }

    /// Input: class byte, attribute code as 4 bytes, type tag, value; integers big-endian. The value comes last, so no
    /// length is needed for two inputs to be equal only when all parts are.
    func digest(of value: AttributeValue, for key: AttributeKey, in itemClass: ItemClass) -> IndexDigest {
        var input = ContiguousArray<UInt8>()
        input.reserveCapacity(64)
        input.append(itemClass.rawValue)
        append(key.code, to: &input)
        switch value {
        case .string(let text):
            input.append(SealingConstants.bytesTag)
            input.append(contentsOf: text.utf8)
        case .data(let bytes):
            input.append(SealingConstants.bytesTag)
            input.append(contentsOf: bytes)
        case .number(let number):
            input.append(SealingConstants.numberTag)
            append(UInt64(bitPattern: number), to: &input)
        case .date(let date):
            input.append(SealingConstants.dateTag)
            // Adding zero turns the negative zero into the positive one, which it equals.
            append((date.secondsSinceReferenceDate + 0).bitPattern, to: &input)
        case .accessControl(let control):
            input.append(SealingConstants.accessControlTag)
            input.append(control.protection.rawValue)
            append(control.flags.rawValue, to: &input)
        }
        var hmac = keyed
        hmac.update(data: input)
        return IndexDigest(hmac.finalize())
    }

    private func append(_ integer: some FixedWidthInteger, to input: inout ContiguousArray<UInt8>) {
        for shift in stride(from: type(of: integer).bitWidth - 8, through: 0, by: -8) {
            input.append(UInt8(truncatingIfNeeded: integer >> shift))
        }
    }
}
