// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import KeychainCodeSigning
import KeychainModel

/// TestVectors/code-signature-v1.json, which another program made from the document alone.
@Suite("vectors of code signatures")
struct VectorTests {
    struct Vector: Decodable, CustomTestStringConvertible {
        struct Content: Decodable {
            let team: String
            let time: UInt64
            let fileSize: UInt64
            let earlierTable: [UInt64]
            let identifier: String
            let entitlements: [String: Value]
            let digest: String
        }

        enum Value: Decodable {
            case value(Entitlements.Value)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let value = try? container.decode(Bool.self) {
                    self = .value(.bool(value))
                } else if let value = try? container.decode(String.self) {
                    self = .value(.text(value))
                } else {
                    self = .value(.list(try container.decode([String].self)))
                }
            }
        }

        let about: String
        let section: String
        let outcome: String
        let content: Content?

        var testDescription: String { about }

        var bytes: [UInt8] {
            let digits = Array(section.utf8)
            return stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
            }
        }

        static let all: [Vector] = {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let data = try! Data(contentsOf: root.appending(path: "TestVectors/code-signature-v1.json"))
            return try! JSONDecoder().decode([Vector].self, from: data)
        }()
    }

    @Test(arguments: Vector.all) func `each vector has its outcome`(_ vector: Vector) throws {
        let signature: CodeSignature
        do throws(CodeSignatureError) {
            signature = try CodeSignature(vector.bytes)
        } catch {
            let outcome =
                switch error {
                case .notASignature, .malformed: "damaged"
                case .version: "unsupported-version"
                case .wrongSignature: "wrong-signature"
                }
            #expect(outcome == vector.outcome)
            return
        }
        #expect(vector.outcome == "valid")
        let content = try #require(vector.content)
        let statement = signature.statement
        #expect(signature.team.text == content.team)
        #expect(statement.identifier.text == content.identifier)
        #expect(statement.time == content.time)
        #expect(statement.fileSize == content.fileSize)
        let table = statement.earlierTable
        #expect([table.offset, UInt64(table.count), UInt64(table.nameIndex)] == content.earlierTable)
        #expect(signature.digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == content.digest)
        let expected = try Entitlements(
            content.entitlements.map { key, value in
                switch value {
                case .value(let value): (key, value)
                }
            })
        #expect(statement.entitlements == expected)
        #expect(signature.encoded == vector.bytes)
    }
}
