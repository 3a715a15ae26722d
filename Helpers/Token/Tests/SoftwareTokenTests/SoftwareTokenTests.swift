// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainHelperWire
import SecretMemory
import SoftwareToken
import Testing

struct SoftwareTokenTests {
    private let secret = (0..<32).map { UInt8($0) }
    private let machine = Array("0123456789abcdef0123456789abcdef".utf8)
    private let digest = Array(SHA256.hash(data: Data("a message".utf8)))

    private func file(_ secret: [UInt8]? = nil, bound: Bool = true) -> SoftwareTokenFile {
        SoftwareTokenFile(secret: SecretBytes(copying: secret ?? self.secret), isBoundToMachine: bound)
    }

    private func token(_ secret: [UInt8]? = nil, machine: [UInt8]? = nil) throws -> SoftwareToken {
        try SoftwareToken(file(secret), machineID: machine ?? self.machine, place: "/token")
    }

    private func newKey(_ token: SoftwareToken) throws -> (point: [UInt8], blob: [UInt8]) {
        guard case .key(let point, let blob) = token.answer(to: .createKey) else { throw TokenError(.failed, "") }
        return (point, blob)
    }

    private func reason(_ answer: TokenAnswer) -> TokenError.Reason? {
        if case .failure(let failure) = answer { failure.reason } else { nil }
    }

    @Test func `a software token reports its kind`() throws {
        let status = TokenStatus(kind: .software, manufacturer: "", firmware: "", place: "/token", lockout: nil)
        #expect(try token().answer(to: .status) == .status(status))
    }

    @Test func `a key signs and agrees as its public half says, also in the next process`() throws {
        let key = try newKey(try token())
        let next = try token()
        guard case .signature(let signature) = next.answer(to: .sign(blob: key.blob, digest: digest)) else {
            Issue.record("no signature")
            return
        }
        let publicKey = try P256.Signing.PublicKey(x963Representation: key.point)
        #expect(
            publicKey.isValidSignature(
                try P256.Signing.ECDSASignature(rawRepresentation: signature), for: Data("a message".utf8)))
        let peer = P256.KeyAgreement.PrivateKey()
        let shared = try peer.sharedSecretFromKeyAgreement(with: .init(x963Representation: key.point))
        let answer = next.answer(to: .agree(blob: key.blob, point: Array(peer.publicKey.x963Representation)))
        #expect(answer == .coordinate(shared.withUnsafeBytes { Array($0) }))
    }

    @Test func `another token, and the same file on another machine, cannot use a key`() throws {
        let key = try newKey(try token())
        let others = [
            try token([UInt8](repeating: 1, count: 32)),
            try token(machine: Array("00000000000000000000000000000000".utf8)),
            try SoftwareToken(file(bound: false), machineID: machine, place: ""),
        ]
        for other in others {
            #expect(reason(other.answer(to: .sign(blob: key.blob, digest: digest))) == .foreignBlob)
        }
        #expect(throws: TokenError.self) { try SoftwareToken(file(), machineID: nil, place: "") }
    }

    @Test func `a file that is bound to no machine works on every one`() throws {
        let key = try newKey(try SoftwareToken(file(bound: false), machineID: nil, place: ""))
        let other = try SoftwareToken(file(bound: false), machineID: machine, place: "")
        #expect(reason(other.answer(to: .sign(blob: key.blob, digest: digest))) == nil)
    }

    @Test func `a blob that was changed anywhere is refused`() throws {
        let token = try token()
        let blob = try newKey(token).blob
        for place in blob.indices {
            var changed = blob
            changed[place] ^= 0x10
            #expect(reason(token.answer(to: .sign(blob: changed, digest: digest))) == .foreignBlob)
            #expect(reason(token.answer(to: .sign(blob: Array(blob.prefix(place)), digest: digest))) == .foreignBlob)
        }
    }

    @Test func `a guarded secret opens only with its authorization, and only in this token`() throws {
        let token = try token()
        let authorization = [UInt8](repeating: 5, count: 32)
        guard case .blob(let blob) = token.answer(to: .sealGuarded(secret, authorization: authorization)) else {
            Issue.record("not closed in")
            return
        }
        #expect(token.answer(to: .unsealGuarded(blob: blob, authorization: authorization)) == .secret(secret))
        var wrong = authorization
        wrong[31] ^= 1
        #expect(reason(token.answer(to: .unsealGuarded(blob: blob, authorization: wrong))) == .wrongAuthorization)
        #expect(reason(token.answer(to: .unseal(blob: blob))) == .foreignBlob)
        let other = try self.token([UInt8](repeating: 1, count: 32))
        #expect(reason(other.answer(to: .unsealGuarded(blob: blob, authorization: authorization))) == .foreignBlob)
        for place in blob.indices {
            var changed = blob
            changed[place] ^= 1
            #expect(
                reason(token.answer(to: .unsealGuarded(blob: changed, authorization: authorization))) == .foreignBlob)
        }
    }

    @Test func `a key is not given out as a secret, nor a secret used as a key`() throws {
        let token = try token()
        #expect(reason(token.answer(to: .unseal(blob: try newKey(token).blob))) == .foreignBlob)
        guard case .blob(let blob) = token.answer(to: .seal(secret)) else {
            Issue.record("not closed in")
            return
        }
        #expect(token.answer(to: .unseal(blob: blob)) == .secret(secret))
        #expect(reason(token.answer(to: .sign(blob: blob, digest: digest))) == .foreignBlob)
    }

    @Test func `a point that is not on the curve is refused`() throws {
        let token = try token()
        let point: [UInt8] = [4] + [UInt8](repeating: 7, count: 64)
        #expect(reason(token.answer(to: .agree(blob: try newKey(token).blob, point: point))) == .unusableInput)
    }

    @Test func `a file is read as it was written, and refused when anything of it is changed`() throws {
        for bound in [false, true] {
            let bytes = Array(file(bound: bound).bytes.bytes)
            #expect(bytes.count == SoftwareTokenFile.byteCount && bytes.starts(with: Array("CHTLSWT".utf8) + [1]))
            let read = try #require(SoftwareTokenFile(SecretBytes(copying: bytes)))
            #expect(read.isBoundToMachine == bound && Array(read.secret.bytes) == secret)
            for place in bytes.indices {
                var changed = bytes
                changed[place] ^= 1
                #expect(SoftwareTokenFile(SecretBytes(copying: changed)) == nil)
                #expect(SoftwareTokenFile(SecretBytes(copying: bytes.prefix(place))) == nil)
            }
            #expect(SoftwareTokenFile(SecretBytes(copying: bytes + [0])) == nil)
        }
    }
}
