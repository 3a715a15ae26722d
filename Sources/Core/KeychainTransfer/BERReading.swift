// SPDX-License-Identifier: Apache-2.0

internal import SwiftASN1

// PKCS #7 and PKCS #12 are written in BER: lengths may come at the end, and strings in pieces. All other formats are
// DER, and are read with the same functions, because their containers may be BER.

/// Parses one value: at most 50 levels, no trailing bytes.
///
/// - Throws: `malformed`.
func readBER(_ bytes: some Collection<UInt8>, _ what: String) throws(TransferError) -> ASN1Node {
    do {
        return try BER.parse(Array(bytes))
    } catch {
        throw TransferError(.malformed, "\(what): the bytes are not a single BER or DER value")
    }
}

extension ASN1Node {
    /// Returns the values inside a constructed value.
    func fields(_ what: String, _ identifier: ASN1Identifier = .sequence) throws(TransferError) -> Fields {
        guard self.identifier == identifier, case .constructed(let nodes) = content else { throw .unexpected(what) }
        return Fields(nodes: Array(nodes)[...])
    }

    func primitive(_ identifier: ASN1Identifier, _ what: String) throws(TransferError) -> ArraySlice<UInt8> {
        guard self.identifier == identifier, case .primitive(let bytes) = content else { throw .unexpected(what) }
        return bytes
    }

    /// Returns the bytes of an octet string, in one piece or several.
    func octets(_ what: String, _ identifier: ASN1Identifier = .octetString) throws(TransferError) -> [UInt8] {
        guard self.identifier == identifier else { throw .unexpected(what) }
        switch content {
        case .primitive(let bytes): return Array(bytes)
        case .constructed(let pieces):
            var bytes: [UInt8] = []
            for piece in pieces { bytes += try piece.octets(what) }
            return bytes
        }
    }

    /// Returns a non-negative number that fits into an `Int`.
    func number(_ what: String) throws(TransferError) -> Int {
        let bytes = try primitive(.integer, what)
        guard let first = bytes.first, first < 0x80, bytes.count <= 8 else { throw .unexpected(what) }
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the bytes of a non-negative number, without leading zeros.
    func magnitude(_ what: String) throws(TransferError) -> [UInt8] {
        let bytes = try primitive(.integer, what)
        guard let first = bytes.first, first < 0x80 else { throw .unexpected(what) }
        return Array(bytes.drop { $0 == 0 })
    }

    func oid(_ what: String) throws(TransferError) -> ASN1ObjectIdentifier {
        guard let oid = try? ASN1ObjectIdentifier(derEncoded: self) else { throw .unexpected(what) }
        return oid
    }

    /// Returns the one value in a field with an explicit tag.
    func explicit(_ number: UInt, _ what: String) throws(TransferError) -> ASN1Node {
        var inside = try fields(what, .context(number))
        let node = try inside.next(what)
        try inside.end(what)
        return node
    }

    /// Parses an AlgorithmIdentifier.
    func algorithm(_ what: String) throws(TransferError) -> Algorithm {
        var parts = try fields(what)
        let type = try parts.next(what).oid(what)
        let parameters = parts.popNext()
        try parts.end(what)
        return Algorithm(type: type, parameters: parameters)
    }
}

struct Algorithm {
    let type: ASN1ObjectIdentifier
    let parameters: ASN1Node?
}

/// The fields of a sequence, read one after the other.
struct Fields {
    private(set) var nodes: ArraySlice<ASN1Node>

    init(nodes: ArraySlice<ASN1Node>) { self.nodes = nodes }

    mutating func popNext() -> ASN1Node? { nodes.popFirst() }

    mutating func next(_ what: String) throws(TransferError) -> ASN1Node {
        guard let node = nodes.popFirst() else { throw TransferError(.malformed, "\(what): missing") }
        return node
    }

    mutating func next(if identifier: ASN1Identifier) -> ASN1Node? {
        nodes.first?.identifier == identifier ? nodes.popFirst() : nil
    }

    func end(_ what: String) throws(TransferError) {
        guard nodes.isEmpty else { throw .unexpected(what) }
    }
}

extension ASN1Identifier {
    static func context(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}
