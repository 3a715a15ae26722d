// SPDX-License-Identifier: Apache-2.0

internal import SwiftASN1

// SwiftASN1 has initialisers for whole types, some of them stricter than certificates in use and than Apple's parser (a
// SET must be sorted, a truth value that is the default must be absent). The functions here parse trees without such
// rules, and name the field that is invalid.

/// Parses one value in DER: definite and shortest lengths, at most 50 levels, no trailing bytes.
///
/// - Throws: `notDER`.
func parseDER(_ bytes: ArraySlice<UInt8>, _ what: String) throws(CertificateError) -> ASN1Node {
    do {
        return try DER.parse(bytes)
    } catch {
        throw CertificateError(.notDER, "\(what): the bytes are not a single DER value")
    }
}

extension ASN1Node {
    /// Returns the values inside a constructed value.
    func children(_ identifier: ASN1Identifier, _ what: String) throws(CertificateError) -> [ASN1Node] {
        guard self.identifier == identifier, case .constructed(let nodes) = content else {
            throw .unexpected(what)
        }
        return Array(nodes)
    }

    /// Returns the content of a primitive value.
    func primitive(_ identifier: ASN1Identifier, _ what: String) throws(CertificateError) -> ArraySlice<UInt8> {
        guard self.identifier == identifier, case .primitive(let bytes) = content else {
            throw .unexpected(what)
        }
        return bytes
    }

    func oid(_ what: String) throws(CertificateError) -> OID {
        guard let oid = OID(content: try primitive(.objectIdentifier, what)) else { throw .unexpected(what) }
        return oid
    }

    func bool(_ what: String) throws(CertificateError) -> Bool {
        switch try primitive(.boolean, what) {
        case [0x00]: return false
        case [0xFF]: return true
        default: throw .unexpected(what)
        }
    }

    /// Returns the bytes of a bit string of whole bytes.
    func wholeBytes(_ what: String) throws(CertificateError) -> ArraySlice<UInt8> {
        let content = try primitive(.bitString, what)
        guard content.first == 0 else { throw .unexpected(what) }
        return content.dropFirst()
    }
}

extension CertificateError {
    static func unexpected(_ what: String) -> CertificateError {
        CertificateError(.malformed, "\(what): the value does not conform to X.509")
    }
}

extension ASN1Identifier {
    static func context(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}

/// Returns a value in DER: tag, length, content.
func encodeDER(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
    var length: [UInt8] = []
    var rest = content.count
    while rest > 0 {
        length.insert(UInt8(rest & 0xFF), at: 0)
        rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length + content
}
