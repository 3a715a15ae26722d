// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainCodeSigning
import KeychainModel
import Testing

/// The bytes of a program, signed as `chatelaine codesign` would.
struct SignedProgram {
    static let key = try! Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 5, count: 32))
    static var team: String { TeamIdentifier(publicKey: Array(key.publicKey.rawRepresentation)).text }

    var bytes: [UInt8]
    /// Where the signature lies.
    let range: Range<Int>

    init(
        _ original: [UInt8], identifier: String = "org.example.mail",
        _ entitlements: [(key: String, value: Entitlement.Value)] = []
    ) throws {
        func reading(_ bytes: [UInt8]) -> ELFFile.Reading {
            { offset, count throws(ELFError) in
                offset <= UInt64(bytes.count) ? Array(bytes[Int(offset)...].prefix(count)) : []
            }
        }
        let file = try ELFFile(size: UInt64(original.count), read: reading(original))
        var statement = CodeSignature.Statement(
            identifier: try #require(SigningIdentifier(identifier)), time: 1_700_000_000,
            entitlements: try Entitlements(entitlements))
        statement.earlierTable = file.sectionTable
        let edit = try file.addingSignature(byteCount: statement.encodedByteCount, read: reading(original))
        statement.fileSize = edit.size
        var bytes = Array(original.prefix(Int(edit.keptByteCount)))
        for patch in edit.patches {
            bytes.replaceSubrange(Int(patch.offset)..<Int(patch.offset) + patch.bytes.count, with: patch.bytes)
        }
        bytes += edit.tail
        let section = try #require(edit.signatureRange)
        let digest = try SignedFileDigest.digest(size: edit.size, zeroing: section, read: reading(bytes))
        range = Int(section.lowerBound)..<Int(section.upperBound)
        bytes.replaceSubrange(range, with: try CodeSignature(statement, digest: digest, by: Self.key).encoded)
        self.bytes = bytes
    }
}
