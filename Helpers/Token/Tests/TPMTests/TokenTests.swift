// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainHelperWire
import TPMDevices
import Testing

@testable import TPM

/// All operations of a token, with a software TPM.
@Suite(.serialized) struct TokenTests {
    private let tpm: SoftwareTPM

    init() throws { tpm = try SoftwareTPM() }

    @Test func `a token reports its kind`() throws {
        guard case .status(let status) = try tpm.token().answer(to: .status).answer else {
            Issue.record("no status")
            return
        }
        #expect(status.kind == .tpm && status.place == tpm.socket)
        #expect(status.manufacturer == "IBM" && status.firmware.split(separator: ".").count == 4)
        let lockout = try #require(status.lockout)
        #expect(lockout.failures == 0 && lockout.limit > 0 && lockout.interval > 0)
    }

    @Test func `a key signs, and the signature is right for its public half`() throws {
        let token = try tpm.token()
        let key = try newKey(token)
        for message in ["", "a message", String(repeating: "long ", count: 1000)] {
            let digest = Array(SHA256.hash(data: Data(message.utf8)))
            guard case .signature(let signature) = token.answer(to: .sign(blob: key.blob, digest: digest)).answer else {
                Issue.record("no signature")
                return
            }
            let publicKey = try P256.Signing.PublicKey(x963Representation: key.point)
            let parsed = try P256.Signing.ECDSASignature(rawRepresentation: signature)
            #expect(publicKey.isValidSignature(parsed, for: Data(message.utf8)))
        }
    }

    @Test func `both sides of a key agreement get the same secret`() throws {
        let token = try tpm.token()
        let key = try newKey(token)
        for _ in 0..<8 {
            let peer = P256.KeyAgreement.PrivateKey()
            let point = Array(peer.publicKey.x963Representation)
            let secret = try peer.sharedSecretFromKeyAgreement(with: .init(x963Representation: key.point))
            #expect(
                token.answer(to: .agree(blob: key.blob, point: point)).answer
                    == .coordinate(secret.withUnsafeBytes { Array($0) }))
        }
    }

    @Test func `a point that is not on the curve is refused, and the token goes on`() throws {
        let token = try tpm.token()
        let key = try newKey(token)
        let (answer, goesOn) = token.answer(to: .agree(blob: key.blob, point: [4] + [UInt8](repeating: 7, count: 64)))
        guard case .failure(let failure) = answer else {
            Issue.record("agreed with a point that is none")
            return
        }
        #expect(failure.reason == .unusableInput && goesOn)
        _ = try signature(token, key.blob)
    }

    @Test(arguments: [1, 32, 128]) func `a sealed secret opens again`(size: Int) throws {
        let token = try tpm.token()
        let secret = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        guard case .blob(let blob) = token.answer(to: .seal(secret)).answer else {
            Issue.record("not closed in")
            return
        }
        #expect(token.answer(to: .unseal(blob: blob)).answer == .secret(secret))
        #expect(blob.count <= TokenLimits.blobBytes)
    }

    @Test func `more than the slots of a TPM can be done, one after another and by one process after another`() throws {
        var blobs: [[UInt8]] = []
        for _ in 0..<3 {
            // Each token leaves its key and session in the TPM, like a killed process.
            let token = try tpm.token()
            for _ in 0..<3 { blobs.append(try newKey(token).blob) }
            for blob in blobs { _ = try signature(token, blob) }
        }
    }

    @Test func `keys survive the end of the power`() throws {
        let key = try newKey(try tpm.token())
        tpm.stop()
        try tpm.start()
        _ = try signature(try tpm.token(), key.blob)
    }

    @Test func `a TPM that another program reset is still used`() throws {
        let token = try tpm.token()
        let key = try newKey(token)
        // The session and the storage key are lost, as after a reset.
        let other = TPMToken(
            LoneTransport(token), place: "", random: { [UInt8](repeating: 0, count: 16) }, pause: {})
        other.removeLeftovers()
        _ = try signature(token, key.blob)
    }

    @Test func `a cleared TPM reports that the key belongs to another TPM, and makes new keys`() throws {
        let key = try newKey(try tpm.token())
        try tpm.clear()
        let token = try tpm.token()
        #expect(try failure(token, .sign(blob: key.blob, digest: Self.digest)).reason == .foreignBlob)
        _ = try signature(token, newKey(token).blob)
    }

    @Test func `a key under another storage key, or changed anywhere, is refused`() throws {
        let token = try tpm.token()
        let blob = try newKey(token).blob
        for place in blob.indices {
            var changed = blob
            changed[place] ^= 1
            let reason = try failure(token, .sign(blob: changed, digest: Self.digest)).reason
            #expect(reason == .foreignBlob, "\(place)")
        }
        for count in 1..<blob.count where count % 7 == 0 {
            #expect(
                try failure(token, .sign(blob: Array(blob.prefix(count)), digest: Self.digest)).reason == .foreignBlob)
        }
        _ = try signature(token, blob)
    }

    @Test func `a secret is no key, and a key is no secret`() throws {
        let token = try tpm.token()
        let key = try newKey(token).blob
        guard case .blob(let secret) = token.answer(to: .seal([1, 2, 3])).answer else {
            Issue.record("not closed in")
            return
        }
        _ = try failure(token, .unseal(blob: key))
        _ = try failure(token, .sign(blob: secret, digest: Self.digest))
        _ = try signature(token, key)
    }

    // MARK: Guarded secrets

    private func guarded(_ token: TPMToken, _ secret: [UInt8], _ authorization: [UInt8]) throws -> [UInt8] {
        let answer = token.answer(to: .sealGuarded(secret, authorization: authorization)).answer
        guard case .blob(let blob) = answer else { throw NoAnswer(answer) }
        return blob
    }

    private static let authorization = (0..<32).map { UInt8($0 + 1) }

    @Test func `a guarded secret opens only with the authorization that it was sealed with`() throws {
        let token = try tpm.token()
        // A TPM omits trailing zeros.
        let all = [Self.authorization, [UInt8](repeating: 7, count: 30) + [0, 0], [UInt8](repeating: 0, count: 32)]
        for authorization in all {
            let blob = try guarded(token, [1, 2, 3], authorization)
            #expect(
                token.answer(to: .unsealGuarded(blob: blob, authorization: authorization)).answer == .secret([1, 2, 3]))
            #expect(try failure(token, .unseal(blob: blob)).reason == .foreignBlob)
        }
        let blob = try guarded(token, [1, 2, 3], Self.authorization)
        var other = Self.authorization
        other[0] ^= 1
        #expect(try failure(token, .unsealGuarded(blob: blob, authorization: other)).reason == .wrongAuthorization)
        #expect(
            token.answer(to: .unsealGuarded(blob: blob, authorization: Self.authorization)).answer
                == .secret([1, 2, 3]))
        guard case .blob(let free) = token.answer(to: .seal([4])).answer else { throw NoAnswer() }
        #expect(
            try failure(token, .unsealGuarded(blob: free, authorization: Self.authorization)).reason == .foreignBlob)
    }

    @Test func `the TPM counts each wrong authorization once, and refuses the right one after too many`() throws {
        let token = try tpm.token()
        let blob = try guarded(token, [1, 2, 3], Self.authorization)
        let wrong = [UInt8](repeating: 9, count: 32)
        func lockout() throws -> TokenStatus.Lockout {
            guard case .status(let status) = token.answer(to: .status).answer, let lockout = status.lockout else {
                throw NoAnswer()
            }
            return lockout
        }
        let limit = try lockout().limit
        for count in 1...limit {
            let reason = try failure(token, .unsealGuarded(blob: blob, authorization: wrong)).reason
            #expect(reason == .wrongAuthorization)
            #expect(try lockout().failures == count)
        }
        #expect(
            try failure(token, .unsealGuarded(blob: blob, authorization: Self.authorization)).reason == .lockedOut)
        // Keys and secrets without a guard are not affected.
        _ = try signature(token, newKey(token).blob)
        let reset: [UInt8] = [
            0x80, 0x02, 0, 0, 0, 27, 0, 0, 0x01, 0x39, 0x40, 0, 0, 0x0A, 0, 0, 0, 9, 0x40, 0, 0, 0x09, 0, 0, 1, 0, 0,
        ]
        #expect(try Array(token.transport.exchange(reset)[6..<10]) == [0, 0, 0, 0])
        #expect(
            token.answer(to: .unsealGuarded(blob: blob, authorization: Self.authorization)).answer
                == .secret([1, 2, 3]))
    }

    @Test func `neither a guarded secret nor what opens it crosses in clear`() throws {
        let listening = ListeningTransport(try tpm.token().transport)
        let token = TPMToken(
            listening, place: "", random: { (0..<16).map { _ in UInt8.random(in: 0...255) } }, pause: {})
        let secret = (0..<72).map { UInt8(200 - $0) }
        let blob = try guarded(token, secret, Self.authorization)
        #expect(
            token.answer(to: .unsealGuarded(blob: blob, authorization: Self.authorization)).answer == .secret(secret))
        #expect(listening.heard.count > 200)
        for part in [Array(secret.prefix(16)), Array(secret.suffix(16)), Array(Self.authorization.prefix(16))] {
            #expect(Data(listening.heard).range(of: Data(part)) == nil)
        }
        // The search does find a value that was sent.
        let publicArea = try #require(TPMBlob(blob)).publicArea
        #expect(Data(listening.heard).range(of: Data(publicArea)) != nil)
    }

    @Test func `a missing TPM is reported, and the token ends`() throws {
        let token = try tpm.token()
        let key = try newKey(token)
        tpm.stop()
        let (answer, goesOn) = token.answer(to: .sign(blob: key.blob, digest: Self.digest))
        guard case .failure(let failure) = answer else {
            Issue.record("signed without a TPM")
            return
        }
        #expect(failure.reason == .unavailable && !goesOn)
        #expect(throws: TPMTransportError.self) { try tpm.token() }
    }

    // MARK: Support

    private static let digest = [UInt8](repeating: 9, count: 32)

    private func newKey(_ token: TPMToken) throws -> (point: [UInt8], blob: [UInt8]) {
        guard case .key(let point, let blob) = token.answer(to: .createKey).answer else { throw NoAnswer() }
        return (point, blob)
    }

    private func signature(_ token: TPMToken, _ blob: [UInt8]) throws -> [UInt8] {
        let answer = token.answer(to: .sign(blob: blob, digest: Self.digest)).answer
        guard case .signature(let signature) = answer else { throw NoAnswer(answer) }
        return signature
    }

    private func failure(_ token: TPMToken, _ request: TokenRequest) throws -> TokenError {
        let answer = token.answer(to: request).answer
        guard case .failure(let failure) = answer else { throw NoAnswer(answer) }
        return failure
    }

    private struct NoAnswer: Error {
        let answer: TokenAnswer?
        init(_ answer: TokenAnswer? = nil) { self.answer = answer }
    }
}

/// A listener on the wires between the processor and its TPM.
private final class ListeningTransport: TPMTransport {
    private let transport: any TPMTransport
    private(set) var heard: [UInt8] = []
    init(_ transport: any TPMTransport) { self.transport = transport }
    func exchange(_ command: [UInt8]) throws(TPMTransportError) -> [UInt8] {
        let response = try transport.exchange(command)
        heard += command + response
        return response
    }
}

/// A connection to the TPM for a client other than the token.
private struct LoneTransport: TPMTransport {
    let token: TPMToken
    init(_ token: TPMToken) { self.token = token }
    func exchange(_ command: [UInt8]) throws(TPMTransportError) -> [UInt8] { try token.transport.exchange(command) }
}
