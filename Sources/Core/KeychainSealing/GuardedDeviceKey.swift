// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials

/// The third version of the device key file: the bytes of the first one, closed into a token that opens them only with what is made of a
/// PIN (Documentation/Formats/device-key.md).
public struct GuardedDeviceKey: Hashable, Sendable {
    /// The number of the kind of token that opens it.
    public let token: UInt8
    public let stretching: PINStretching
    /// What that token made of the first version's bytes.
    public let blob: [UInt8]

    private static let head: [UInt8] = Array("CHTLDEV".utf8) + [3]

    public init(token: UInt8, stretching: PINStretching, blob: [UInt8]) {
        self.token = token
        self.stretching = stretching
        self.blob = blob
    }

    /// Nil for other bytes: of another version, damaged, or with parameters that nothing can be stretched with.
    public init?(_ file: some Collection<UInt8>) {
        let bytes = Array(file)
        let content = Array(bytes.dropLast(SealingConstants.checksumSize))
        guard content.starts(with: Self.head),
            SHA256.hash(data: content).elementsEqual(bytes.suffix(SealingConstants.checksumSize))
        else { return nil }
        var reader = ByteReader(content.dropFirst(Self.head.count))
        do throws(SealingError) {
            token = try reader.byte()
            let logN = try reader.byte()
            let blockSize = try reader.integer(UInt32.self)
            let parallelism = try reader.integer(UInt32.self)
            guard let cost = ScryptCost(logN: logN, blockSize: blockSize, parallelism: parallelism),
                let stretching = PINStretching(cost: cost, salt: try reader.bytes(PINStretching.saltBytes))
            else { return nil }
            self.stretching = stretching
            blob = try reader.bytes(content.count - Self.head.count - Self.fieldBytes)
            guard !blob.isEmpty else { return nil }
            try reader.end()
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

/// What a PIN is made into before any token sees anything of it.
public struct PINStretching: Hashable, Sendable {
    public let cost: ScryptCost
    /// Random; ``saltBytes`` of them.
    public let salt: [UInt8]

    public static let saltBytes = 32

    /// Nil for a salt of another size.
    public init?(cost: ScryptCost, salt: [UInt8]) {
        guard salt.count == Self.saltBytes else { return nil }
        self.cost = cost
        self.salt = salt
    }

    /// The 32 bytes that the token wants. Whoever takes them wipes them.
    ///
    /// - Throws: `.noKeyStorage` where the memory for it is missing.
    public func authorization(for pin: some Collection<UInt8>) throws(SealingError) -> [UInt8] {
        var copy = Data(pin)
        defer { copy.wipe() }
        // The device key, which has the user's turn, is not open yet; PINs are looked at one at a time.
        let stretched = try cost.stretch(copy, salt: salt, in: StretchingTurn())
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: stretched, info: Array("chatelaine device key PIN v1".utf8),
            outputByteCount: SealingConstants.keySize)
        var data = key.copyBytes()
        defer { data.wipe() }
        return Array(data)
    }
}
