// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import KeychainBytes
public import KeychainKeys

/// A public key or a certificate, as messages contain it. Two are equal if their bytes are.
public struct SSHPublicKey: Hashable, Sendable {
    /// All bytes: those of the certificate, if it is one.
    public let blob: [UInt8]
    public let type: SSHKeyType
    public let key: PublicKey
    /// The application of a key of a security key, such as `ssh:`.
    public let application: String?
    public let certificate: SSHCertificate?
    /// The bytes of the key without its certificate.
    public let plainBlob: [UInt8]

    /// Reads a key. The signature of a certificate is verified.
    ///
    /// - Throws: `.invalid` for an unsupported type, numbers that are no key, and a certificate with a wrong signature.
    public init(blob: some Collection<UInt8>) throws(MessageError) {
        let blob = Array(blob)
        var reader = MessageReader(blob)
        guard let (type, isCertificate) = SSHKeyType.find(try reader.name()) else {
            throw .invalid("the type of the key is not supported")
        }
        if isCertificate { _ = try reader.string() }
        let start = reader.position
        (key, application) = try Self.fields(of: type, &reader)
        var plain = ByteWriter()
        plain.block(type.name)
        plain.raw(blob[start..<reader.position])
        plainBlob = plain.bytes
        certificate = isCertificate ? try SSHCertificate(&reader, blob) : nil
        try reader.finish()
        self.blob = blob
        self.type = type
    }

    /// Returns the fingerprint of the key, which is also that of its certificates, as `ssh-keygen -l` prints it.
    public func fingerprint(_ hash: FingerprintHash = .sha256) -> String {
        switch hash {
        case .sha256:
            let digest = Data(SHA256.hash(data: plainBlob)).base64EncodedString()
            return "SHA256:" + digest.prefix { $0 != "=" }
        case .md5:
            let digits = Insecure.MD5.hash(data: plainBlob).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            return "MD5:" + digits.joined(separator: ":")
        }
    }

    public static func == (left: SSHPublicKey, right: SSHPublicKey) -> Bool { left.blob == right.blob }

    public func hash(into hasher: inout Hasher) { hasher.combine(blob) }

    private static func fields(
        of type: SSHKeyType, _ reader: inout MessageReader
    ) throws(MessageError) -> (PublicKey, application: String?) {
        let key: PublicKey
        switch type {
        case .ed25519, .securityKeyEd25519: key = try publicKey(.ed25519, try reader.string())
        case .ecdsaP256, .ecdsaP384, .ecdsaP521, .securityKeyECDSA:
            guard let (curve, name) = type.curve, try reader.name() == name else {
                throw .invalid("the key names another curve than its type")
            }
            let point = try reader.string()
            guard point.count == 1 + 2 * curve.coordinateByteCount else {
                throw .invalid("the point of the key does not have the length of its curve")
            }
            key = try publicKey(.ellipticCurve, point)
        case .rsa:
            let exponent = try reader.magnitude(isCanonical: true)
            let modulus = try reader.magnitude(isCanonical: true)
            guard RSANumbers.sizes.contains(modulus.count), exponent.count <= RSANumbers.exponentBytes,
                let numbers = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
            else { throw .invalid("an RSA key must have 2048 to 8192 bits and a usual exponent") }
            key = try publicKey(.rsa, numbers.pkcs1DERRepresentation)
        }
        return (key, type.isSecurityKey ? try reader.text(atMost: MessageLimits.text) : nil)
    }

    private static func publicKey(
        _ family: KeyType, _ representation: some Collection<UInt8>
    ) throws(MessageError) -> PublicKey {
        do throws(KeyError) {
            return try PublicKey(type: family, externalRepresentation: representation)
        } catch {
            throw .invalid(error.reason)
        }
    }
}

/// The hash of fingerprints.
public enum FingerprintHash: String, Hashable, Sendable {
    case sha256, md5
}

enum RSANumbers {
    /// The bytes of a modulus.
    static let sizes = 256...1024
    /// The bytes of a public exponent.
    static let exponentBytes = 5
}
