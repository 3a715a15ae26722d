// SPDX-License-Identifier: Apache-2.0

public import KeychainCertificates
internal import SwiftASN1

/// Collections of certificates without signed contents: PKCS #7 (RFC 2315, 9; RFC 5652, 5) and Netscape's sequence.
public enum CertificateBag {
    /// Returns the certificates in a ContentInfo of SignedData, in their order. Signatures in it are ignored.
    ///
    /// - Throws: `malformed`; `unsupported` for contents other than SignedData.
    public static func certificates(inPKCS7 bytes: some Collection<UInt8>) throws(TransferError) -> [Certificate] {
        try certificates(inPKCS7: try readBER(bytes, "the PKCS #7 file"))
    }

    /// Returns a ContentInfo with SignedData that contains only certificates, in DER except for the order of the
    /// certificates, which stays as given.
    public static func pkcs7(_ certificates: [Certificate]) -> [UInt8] {
        let signed = Encoded.sequence(
            Encoded.number(1), Encoded.set(of: []), Encoded.sequence(Encoded.oid(.data)),
            Encoded.tagged(0, certificates.flatMap(\.encoded)), Encoded.set(of: []))
        return Encoded.sequence(Encoded.oid(.signedData), Encoded.tagged(0, signed))
    }

    /// Returns a ContentInfo of Netscape's type netscape-cert-sequence.
    public static func netscapeSequence(_ certificates: [Certificate]) -> [UInt8] {
        Encoded.sequence(
            Encoded.oid(.netscapeCertificateSequence),
            Encoded.tagged(0, Encoded.sequence(of: certificates.map(\.encoded))))
    }

    static func certificates(inPKCS7 node: ASN1Node) throws(TransferError) -> [Certificate] {
        let what = "the PKCS #7 file"
        var content = try node.fields(what)
        let type = try content.next(what).oid(what)
        guard type == .signedData else {
            throw TransferError(
                .unsupported, "only signed data of PKCS #7 is supported, which is the format for certificates")
        }
        var parts = try content.next(what).explicit(0, what).fields(what)
        try content.end(what)
        _ = try parts.next(what).number(what)
        _ = try parts.next(what)
        _ = try parts.next(what).fields(what)
        guard let certificates = parts.next(if: .context(0)) else { return [] }
        return try Self.certificates(try certificates.fields(what, .context(0)))
    }

    static func certificates(inNetscapeSequence node: ASN1Node) throws(TransferError) -> [Certificate] {
        let what = "the sequence of certificates"
        var content = try node.fields(what)
        _ = try content.next(what)
        let certificates = try content.next(what).explicit(0, what).fields(what)
        try content.end(what)
        return try Self.certificates(certificates)
    }

    private static func certificates(_ fields: Fields) throws(TransferError) -> [Certificate] {
        // The list may also contain attribute certificates and older types, each with its own tag.
        try fields.nodes.filter { $0.identifier == .sequence }.map { node throws(TransferError) in
            try Certificate(transferred: node.encodedBytes)
        }
    }
}

extension Certificate {
    /// Reads a certificate, with this module's errors.
    init(transferred bytes: some Collection<UInt8>) throws(TransferError) {
        do throws(CertificateError) {
            try self.init(bytes)
        } catch {
            throw TransferError(error)
        }
    }
}
