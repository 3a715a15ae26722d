// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// A text form of bytes (RFC 7468): certificates, keys and similar data between lines `-----BEGIN …-----` and `-----END
/// …-----`.
///
/// Read as by OpenSSL: other text may surround the blocks; lines may have any length, spaces at their ends and any line
/// end; headers as in RFC 1421 are ignored.
public enum PEM {
    public struct Block: Hashable, Sendable {
        /// The kind of the bytes, as in `CERTIFICATE`.
        public let label: String
        public let bytes: [UInt8]
        /// The lines before the bytes of keys encrypted in the old scheme, as in `Proc-Type: 4,ENCRYPTED`.
        public let headers: [String]
        /// The line of `-----BEGIN`, counted from 1.
        public let line: Int
    }

    /// Returns whether the text contains the first line of a block. DER never has one in its first bytes.
    public static func isPresent(in text: some Collection<UInt8>) -> Bool {
        lines(text).contains { boundary($0, "BEGIN") != nil }
    }

    /// Returns all blocks in their order; an empty list if the text has none.
    ///
    /// - Throws: `notPEM` with the number of the line: for a block without its end or with another's, and for text that
    ///   is not base64.
    public static func blocks(in text: some Collection<UInt8>) throws(CertificateError) -> [Block] {
        var blocks: [Block] = []
        var open: OpenBlock?
        for (index, line) in lines(text).enumerated() {
            let number = index + 1
            if let label = open?.label {
                guard let end = boundary(line, "END") else {
                    // Changed in place, because a copy for each line would take the square of the length.
                    try open?.add(line, number)
                    continue
                }
                guard end == label else {
                    throw failure(number, "the end of a block does not match its beginning")
                }
                if let block = open { blocks.append(try block.finished()) }
                open = nil
            } else if let label = boundary(line, "BEGIN") {
                open = OpenBlock(label: label, line: number)
            }
        }
        if let open { throw failure(open.line, "a block that begins here has no end") }
        return blocks
    }

    /// Returns the text of one block, with 64 characters in a line, and a line end after the last.
    public static func text(label: String, bytes: some Collection<UInt8>) -> String {
        let characters = Array(Data(bytes).base64EncodedString().utf8)
        let lines = stride(from: 0, to: characters.count, by: 64).map { start in
            String(decoding: characters[start..<min(start + 64, characters.count)], as: UTF8.self) + "\n"
        }
        return "-----BEGIN \(label)-----\n\(lines.joined())-----END \(label)-----\n"
    }

    /// Returns the lines without the blanks at their ends, and without the byte order mark of UTF-8.
    private static func lines(_ text: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
        let bytes = Array(text)
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return text.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            line[..<((line.lastIndex { !isBlank($0) }).map { $0 + 1 } ?? line.startIndex)]
        }
    }

    private static func boundary(_ line: ArraySlice<UInt8>, _ word: String) -> String? {
        guard line.starts(with: "-----".utf8) else { return nil }
        let start = "-----\(word) ".utf8
        let end = "-----".utf8
        guard line.count >= start.count + end.count, line.starts(with: start), line.suffix(end.count).elementsEqual(end)
        else { return nil }
        return String(decoding: line.dropFirst(start.count).dropLast(end.count), as: UTF8.self)
    }

    private struct OpenBlock {
        let label: String
        let line: Int
        private var headers: [String] = []
        private var isInHeaders = false
        private var base64: [UInt8] = []
        private var ended = false

        init(label: String, line: Int) {
            self.label = label
            self.line = line
        }

        mutating func add(_ line: ArraySlice<UInt8>, _ number: Int) throws(CertificateError) {
            if line.isEmpty {
                isInHeaders = false
                return
            }
            if isInHeaders || (base64.isEmpty && line.contains(UInt8(ascii: ":"))) {
                headers.append(String(decoding: line, as: UTF8.self))
                isInHeaders = true
                return
            }
            for byte in line where !isBlank(byte) {
                if byte == UInt8(ascii: "=") {
                    ended = true
                } else if ended || !isBase64(byte) {
                    throw failure(number, "the text is not base64")
                }
                base64.append(byte)
            }
        }

        func finished() throws(CertificateError) -> Block {
            guard let data = Data(base64Encoded: Data(base64)) else {
                throw failure(line, "the base64 text of the block that begins here is incomplete")
            }
            return Block(label: label, bytes: Array(data), headers: headers, line: line)
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }

    fileprivate static func failure(_ line: Int, _ reason: String) -> CertificateError {
        CertificateError(.notPEM, "line \(line): \(reason)")
    }
}

extension Certificate {
    /// The certificate between `-----BEGIN CERTIFICATE-----` and its end.
    public var pem: String { PEM.text(label: "CERTIFICATE", bytes: encoded) }

    /// Returns the certificates in a text, in their order; blocks with labels other than `CERTIFICATE` and OpenSSL's
    /// older `X509 CERTIFICATE` are ignored.
    ///
    /// - Throws: `notPEM` as ``PEM/blocks(in:)``, and if the text has no certificate; the errors of ``init(_:)``, with
    ///   the line on which the certificate begins.
    public static func certificates(inPEM text: some Collection<UInt8>) throws(CertificateError) -> [Certificate] {
        var certificates: [Certificate] = []
        for block in try PEM.blocks(in: text) where block.label == "CERTIFICATE" || block.label == "X509 CERTIFICATE" {
            do throws(CertificateError) {
                certificates.append(try Certificate(block.bytes))
            } catch {
                throw CertificateError(error.kind, "line \(block.line): \(error.reason)")
            }
        }
        guard !certificates.isEmpty else { throw CertificateError(.notPEM, "the text contains no certificate") }
        return certificates
    }
}
