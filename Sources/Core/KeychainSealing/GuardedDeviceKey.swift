// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials
import KeychainBytes

/// The third version of the device key file: the bytes of the first version, sealed to a token that opens them only
/// with an authorization derived from a PIN (Documentation/Formats/device-key.md).
public struct GuardedDeviceKey: Hashable, Sendable {
    /// The number of the kind of token that opens it.
    public let token: UInt8
    public let stretching: PINStretching
    /// The token's blob of the first version's bytes.
    public let blob: [UInt8]

    private static let head: [UInt8] = Array("CHTLDEV".utf8) + [3]

    public init(token: UInt8, stretching: PINStretching, blob: [UInt8]) {
        self.token = token
        self.stretching = stretching
        self.blob = blob
    }

    /// Reads a file; nil for other bytes: another version, damage, or invalid parameters for stretching.
    public init?(_ file: some Collection<UInt8>) {
        let bytes = Array(file)
        let content = Array(bytes.dropLast(SealingConstants.checksumSize))
        guard content.starts(with: Self.head),
            SHA256.hash(data: content).elementsEqual(bytes.suffix(SealingConstants.checksumSize))
        else { return nil }
        var reader = SealedReader(content.dropFirst(Self.head.count))
        do throws(SealingError) {
            token = try reader.u8()
            let logN = try reader.u8()
            let blockSize = try reader.u32()
            let parallelism = try reader.u32()
            guard let cost = ScryptCost(logN: logN, blockSize: blockSize, parallelism: parallelism),
                let stretching = PINStretching(cost: cost, salt: try reader.bytes(PINStretching.saltBytes))
            else { return nil }
            self.stretching = stretching
            blob = try reader.bytes(content.count - Self.head.count - Self.fieldBytes)
            guard !blob.isEmpty else { return nil }
            try reader.finish()
        } catch {
            return nil
        }
    }

    private static let fieldBytes = 10 + PINStretching.saltBytes

    public var bytes: [UInt8] {
        var content = Self.head + [token, stretching.cost.logN]
        content.append(bigEndian: stretching.cost.blockSize)
        content.append(bigEndian: stretching.cost.parallelism)
        content += stretching.salt + blob
        return content + SHA256.hash(data: content)
    }
}

/// The derivation that a PIN goes through before a token receives anything of it.
public struct PINStretching: Hashable, Sendable {
    public let cost: ScryptCost
    /// ``saltBytes`` random bytes.
    public let salt: [UInt8]

    public static let saltBytes = 32

    /// Creates the derivation; nil for a salt of another size.
    public init?(cost: ScryptCost, salt: [UInt8]) {
        guard salt.count == Self.saltBytes else { return nil }
        self.cost = cost
        self.salt = salt
    }

    /// Returns the 32 bytes that the token requires. The caller wipes them.
    ///
    /// - Throws: `.noKeyStorage` if there is not enough memory.
    public func authorization(for pin: some Collection<UInt8>) throws(SealingError) -> [UInt8] {
        var copy = Data(pin)
        defer { copy.wipe() }
        // A separate turn, because the device key, which has the user's turn, is not open yet; PINs are checked one at
        // a time.
        let stretched = try cost.stretch(copy, salt: salt, in: StretchingTurn())
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: stretched, info: Array("chatelaine device key PIN v1".utf8),
            outputByteCount: SealingConstants.keySize)
        var data = key.copyBytes()
        defer { data.wipe() }
        return Array(data)
    }
}
