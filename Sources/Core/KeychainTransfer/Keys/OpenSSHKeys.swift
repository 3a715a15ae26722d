// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes
public import KeychainKeys

// The files of OpenSSH: PROTOCOL.key in its sources for private keys, sshd(8) for the lines of public keys.

extension PublicKey {
    /// Reads a line as in `id_ed25519.pub`: a type, the key in base64, and a comment, which is ignored.
    ///
    /// - Throws: `malformed`; `unsupported` for another type of key.
    public init(openSSHLine line: some Collection<UInt8>) throws(TransferError) {
        let what = "the public key for SSH"
        let words = line.split(maxSplits: 2) { $0 == 0x20 || $0 == 0x09 }
        guard words.count >= 2 else { throw .unexpected(what) }
        let name = String(decoding: words[0], as: UTF8.self)
        let type = try OpenSSHKeyType(name: name)
        guard let blob = base64(words[1]) else { throw TransferError(.malformed, "\(what): the text is not base64") }
        try self.init(openSSH: blob[...], of: type)
    }

    /// The line, without a comment and a line end. Nil for X25519, because SSH has no such keys.
    public var openSSHLine: String? {
        guard let type = OpenSSHKeyType(self), let blob = openSSHBlob else { return nil }
        return "\(type.name) \(base64(blob))"
    }

    /// Reads a public key.
    ///
    /// - Parameter expected: the type that the container of the key names.
    init(openSSH blob: ArraySlice<UInt8>, of expected: OpenSSHKeyType? = nil) throws(TransferError) {
        let what = "the public key for SSH"
        var reader = OpenSSHReader(Array(blob), what)
        let type = try OpenSSHKeyType(name: try reader.text())
        guard expected == nil || expected == type else { throw .unexpected(what) }
        switch type {
        case .rsa:
            let exponent = try reader.magnitude()
            let modulus = try reader.magnitude()
            try self.init(
                family: .rsa,
                representation: Encoded.sequence(Encoded.magnitude(modulus), Encoded.magnitude(exponent)))
        case .curve(let curve):
            guard try reader.text() == OpenSSHKeyType.curveName(curve) else { throw .unexpected(what) }
            let point = try reader.string()
            guard point.count == 1 + 2 * curve.coordinateByteCount else { throw .unexpected(what) }
            try self.init(family: .ellipticCurve, representation: point)
        case .ed25519: try self.init(family: .ed25519, representation: try reader.string())
        }
        guard reader.isAtEnd else { throw .unexpected(what) }
    }

    var openSSHBlob: [UInt8]? {
        guard let type = OpenSSHKeyType(self) else { return nil }
        var writer = ByteWriter()
        writer.block(type.name.utf8)
        switch type {
        case .rsa:
            guard let parts = try? readBER(externalRepresentation, "").fields(""), parts.nodes.count == 2,
                let modulus = try? parts.nodes.first?.magnitude(""), let exponent = try? parts.nodes.last?.magnitude("")
            else { return nil }
            writer.magnitude(exponent)
            writer.magnitude(modulus)
        case .curve(let curve):
            writer.block(OpenSSHKeyType.curveName(curve).utf8)
            writer.block(externalRepresentation)
        case .ed25519: writer.block(externalRepresentation)
        }
        return writer.bytes
    }
}

extension PrivateKey {
    private static var magic: [UInt8] { Array("openssh-key-v1\0".utf8) }

    /// Reads the contents of a PEM block `OPENSSH PRIVATE KEY`: one key that is not encrypted.
    ///
    /// - Throws: `malformed`; `unsupported` for another type of key, several keys, RSA keys below 2048 bits, and
    ///   encrypted keys, because no maintained library here has the derivation that they need (bcrypt_pbkdf).
    public init(openSSH bytes: some Collection<UInt8>) throws(TransferError) {
        let what = "the private key for SSH"
        let bytes = Array(bytes)
        guard bytes.starts(with: Self.magic) else { throw .unexpected(what) }
        var file = OpenSSHReader(bytes, from: Self.magic.count, what)
        let (cipher, derivation) = (try file.text(), try file.text())
        _ = try file.string()
        guard cipher == "none", derivation == "none" else {
            throw TransferError(
                .unsupported, "encrypted keys of OpenSSH are not supported",
                hint: "`ssh-keygen -p -m PKCS8 -f COPY-OF-THE-KEY` writes a supported key, with or without a passphrase"
            )
        }
        guard try file.number() == 1 else {
            throw TransferError(.unsupported, "\(what): the file contains several keys")
        }
        let publicKey = try PublicKey(openSSH: try file.string()[...])
        var secret = try file.string()
        defer { secret.wipe() }
        guard file.isAtEnd else { throw .unexpected(what) }
        self = try Self.key(inSection: secret, what)
        guard self.publicKey == publicKey else {
            throw TransferError(.malformed, "\(what): its public key belongs to a different private key")
        }
    }

    /// Returns the contents of a PEM block `OPENSSH PRIVATE KEY`, not encrypted. Nil for X25519. The caller wipes them.
    ///
    /// - Parameter check: any number; the file contains it twice, so that a wrong passphrase is detected if there is
    ///   one.
    public func openSSH(check: UInt32) -> [UInt8]? {
        guard let type = OpenSSHKeyType(publicKey), let blob = publicKey.openSSHBlob else { return nil }
        var section = ByteWriter()
        defer { section.bytes.wipe() }
        section.u32(check)
        section.u32(check)
        section.block(type.name.utf8)
        switch type {
        case .rsa:
            guard var numbers = RSANumbers(self) else { return nil }
            defer { numbers.wipe() }
            for number in [
                numbers.modulus, numbers.publicExponent, numbers.privateExponent, numbers.coefficient,
                numbers.firstPrime, numbers.secondPrime,
            ] {
                section.magnitude(number)
            }
        case .curve(let curve):
            section.block(OpenSSHKeyType.curveName(curve).utf8)
            section.block(publicKey.externalRepresentation)
            section.magnitude(externalRepresentation.suffix(curve.coordinateByteCount))
        case .ed25519:
            section.block(publicKey.externalRepresentation)
            section.block(externalRepresentation + publicKey.externalRepresentation)
        }
        section.block([])
        // Padded to blocks of 8 with 1, 2, 3 ...
        section.raw((0..<(8 - section.bytes.count % 8) % 8).map { UInt8($0 + 1) })

        var file = ByteWriter()
        file.raw(Self.magic)
        file.block("none".utf8)
        file.block("none".utf8)
        file.block([])
        file.u32(1)
        file.block(blob)
        file.block(section.bytes)
        return file.bytes
    }

    private static func key(inSection bytes: [UInt8], _ what: String) throws(TransferError) -> PrivateKey {
        var section = OpenSSHReader(bytes, what)
        guard try section.number() == section.number() else { throw .unexpected(what) }
        let key: PrivateKey
        switch try OpenSSHKeyType(name: try section.text()) {
        case .rsa:
            let (modulus, publicExponent) = (try section.magnitude(), try section.magnitude())
            let (privateExponent, coefficient) = (try section.magnitude(), try section.magnitude())
            var numbers = RSANumbers(
                modulus: modulus, publicExponent: publicExponent, privateExponent: privateExponent,
                firstPrime: try section.magnitude(), secondPrime: try section.magnitude(), coefficient: coefficient)
            defer { numbers.wipe() }
            key = try numbers.key()
        case .curve(let curve):
            guard try section.text() == OpenSSHKeyType.curveName(curve) else { throw .unexpected(what) }
            let point = try section.string()
            var scalar = try section.magnitude()
            defer { scalar.wipe() }
            key = try PrivateKey(scalar: scalar, on: curve)
            guard Array(key.publicKey.externalRepresentation) == point else { throw .unexpected(what) }
        case .ed25519:
            let point = try section.string()
            var pair = try section.string()
            defer { pair.wipe() }
            guard pair.count == 64, Array(pair.suffix(32)) == point else { throw .unexpected(what) }
            key = try PrivateKey(family: .ed25519, representation: Array(pair.prefix(32)))
            guard Array(key.publicKey.externalRepresentation) == point else { throw .unexpected(what) }
        }
        _ = try section.string()
        // Padded to a whole block, of any size.
        let padding = section.remaining
        guard padding.count <= 32, padding.enumerated().allSatisfy({ Int($1) == $0 + 1 }) else {
            throw .unexpected(what)
        }
        return key
    }
}
