// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials

/// A hash function in the name of an algorithm for keys (FIPS 180-4).
public enum HashAlgorithm: String, Hashable, Sendable, CaseIterable {
    case sha1 = "SHA1"
    case sha224 = "SHA224"
    case sha256 = "SHA256"
    case sha384 = "SHA384"
    case sha512 = "SHA512"

    /// Bytes of a digest.
    public var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The implementation; swift-crypto has no SHA-224.
    var function: (any HashFunction.Type)? {
        switch self {
        case .sha1: Insecure.SHA1.self
        case .sha224: nil
        case .sha256: SHA256.self
        case .sha384: SHA384.self
        case .sha512: SHA512.self
        }
    }

    /// Returns the digest of a message, of ``byteCount`` bytes; nil if there is no implementation.
    func digest(of message: Data) -> Data? {
        guard let function else { return nil }
        return Self.digest(of: message, function)
    }

    private static func digest<H: HashFunction>(of message: Data, _: H.Type) -> Data {
        Data(Array(H.hash(data: message)))
    }
}
