// SPDX-License-Identifier: Apache-2.0

import Crypto
import KeychainModel

/// The content of an index column in place of an attribute's value: the first 16 bytes of HMAC-SHA256 under the store's
/// index key. Equal values of one attribute have equal digests; a digest reveals nothing else.
public struct IndexDigest: Hashable, Sendable {
    /// The 16 bytes as one big-endian number: a number needs no heap memory, and every lookup handles several.
    public let value: UInt128

    public init(value: UInt128) { self.value = value }

    /// Reads a digest; nil unless there are exactly 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == SealingConstants.digestSize else { return nil }
        value = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(SealingConstants.digestSize)
        bytes.append(bigEndian: value)
        return bytes
    }

    fileprivate init(_ code: HMAC<SHA256>.MAC) {
        // Read inside the closure only, within the 32 bytes of a code; reading it byte by byte would cost more than
        // computing it.
        value = unsafe code.withUnsafeBytes { unsafe UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
    }
}

/// The store's index key, ready for use: HMAC's state after processing the key. Copying it saves two of the four
/// compressions that a short value costs.
struct IndexKey: Sendable {
    private let keyed: HMAC<SHA256>

    init(_ key: SymmetricKey) { keyed = HMAC(key: key) }

    /// Computes a digest. Input: class byte, attribute code as 4 bytes, type tag, value; integers big-endian. The value
    /// is last, so two inputs are equal only if all parts are, without a length.
    func digest(of value: AttributeValue, for key: AttributeKey, in itemClass: ItemClass) -> IndexDigest {
        var input: [UInt8] = []
        input.reserveCapacity(64)
        input.append(itemClass.rawValue)
        input.append(bigEndian: key.code)
        switch value {
        case .string(let text):
            input.append(SealingConstants.bytesTag)
            input.append(contentsOf: text.utf8)
        case .data(let bytes):
            input.append(SealingConstants.bytesTag)
            input.append(contentsOf: bytes)
        case .number(let number):
            input.append(SealingConstants.numberTag)
            input.append(bigEndian: UInt64(bitPattern: number))
        case .date(let date):
            input.append(SealingConstants.dateTag)
            // Adding zero turns negative zero into the equal positive zero.
            input.append(bigEndian: (date.secondsSinceReferenceDate + 0).bitPattern)
        case .accessControl(let control):
            input.append(SealingConstants.accessControlTag)
            input.append(control.protection.rawValue)
            input.append(bigEndian: control.flags.rawValue)
        }
        var hmac = keyed
        hmac.update(data: input)
        return IndexDigest(hmac.finalize())
    }
}
