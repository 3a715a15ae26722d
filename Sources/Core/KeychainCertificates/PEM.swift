// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// Text that holds bytes (RFC 7468): certificates, keys and their like between lines `-----BEGIN …-----` and
/// `-----END …-----`.
///
/// Read as OpenSSL reads it: other text before, between and behind; lines of any length; spaces at the ends of lines; any line
/// ends; headers as in RFC 1421, which are passed over.
public enum PEM {
    public struct Block: Hashable, Sendable {
        /// What the bytes are, as in `CERTIFICATE`.
        public let label: String
        public let bytes: [UInt8]
        /// The lines before the bytes that encrypted keys of the old kind have, as in `Proc-Type: 4,ENCRYPTED`.
        public let headers: [String]
        /// The line of `-----BEGIN`, counted from 1.
        public let line: Int
    }

    /// Whether there is a first line of a block in it. DER never has one in its first bytes.
    public static func isPresent(in text: some Collection<UInt8>) -> Bool {
        lines(text).contains { boundary($0, "BEGIN") != nil }
    }

    /// All blocks in their order; none where the text has none.
    ///
    /// - Throws: `notPEM` with the number of the line: for a block without its end or with another's, and for what is not base64.
    public static func blocks(in text: some Collection<UInt8>) throws(CertificateError) -> [Block] {
        var blocks: [Block] = []
        var open: OpenBlock?
        for (index, line) in lines(text).enumerated() {
            let number = index + 1
            if let label = open?.label {
                guard let end = boundary(line, "END") else {
                    // In its place: a copy for each line would take the square of the length.
                    try open?.add(line, number)
                    continue
                }
                guard end == label else {
                    throw failure(number, "the end of another block than the one that began")
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

    /// The text of one block, with 64 characters in a line, and a line end behind the last.
    public static func text(label: String, bytes: some Collection<UInt8>) -> String {
        let characters = Array(Data(bytes).base64EncodedString().utf8)
        let lines = stride(from: 0, to: characters.count, by: 64).map { start in
            String(decoding: characters[start..<min(start + 64, characters.count)], as: UTF8.self) + "\n"
        }
        return "-----BEGIN \(label)-----\n\(lines.joined())-----END \(label)-----\n"
    }

    /// Lines without the blanks at their ends, and without the mark that says that a text is UTF-8.
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
                    throw failure(number, "this is not base64")
                }
                base64.append(byte)
            }
        }

        func finished() throws(CertificateError) -> Block {
            guard let data = Data(base64Encoded: Data(base64)) else {
                throw failure(line, "the block that begins here is not whole in base64")
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

    /// The certificates in a text, in their order; blocks with other labels than `CERTIFICATE` and OpenSSL's older
    /// `X509 CERTIFICATE` are passed over.
    ///
    /// - Throws: `notPEM` as ``PEM/blocks(in:)``, and when there is no certificate in it; what ``init(_:)`` throws, with the line on which
    ///   the certificate begins.
    public static func certificates(inPEM text: some Collection<UInt8>) throws(CertificateError) -> [Certificate] {
        var certificates: [Certificate] = []
        for block in try PEM.blocks(in: text) where block.label == "CERTIFICATE" || block.label == "X509 CERTIFICATE" {
            do throws(CertificateError) {
                certificates.append(try Certificate(block.bytes))
            } catch {
                throw CertificateError(error.kind, "line \(block.line): \(error.reason)")
            }
        }
        guard !certificates.isEmpty else { throw CertificateError(.notPEM, "there is no certificate in this text") }
        return certificates
    }
}
