// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainHelperWire
import TPM
import TPMDevices
import Testing

/// An attacker between the token and its TPM, who changes one response.
@Suite(.serialized) struct ChangedResponseTests {
    private let tpm: SoftwareTPM

    init() throws { tpm = try SoftwareTPM() }

    /// A connection to a TPM that changes one response.
    private final class Meddler: TPMTransport {
        private let way: TPMDevice
        private let number: Int
        private let change: (inout [UInt8]) -> Void
        private(set) var count = 0
        /// The size of the changed response.
        private(set) var size: Int?

        init(_ way: TPMDevice, changing number: Int, _ change: @escaping (inout [UInt8]) -> Void) {
            self.way = way
            self.number = number
            self.change = change
        }

        func exchange(_ command: [UInt8]) throws(TPMTransportError) -> [UInt8] {
            var response = try way.exchange(command)
            if count == number {
                size = response.count
                change(&response)
            }
            count += 1
            return response
        }
    }

    private func token(_ meddler: Meddler) -> TPMToken {
        TPMToken(
            meddler, place: "", random: { (0..<16).map { _ in UInt8.random(in: 0...255) } }, pause: {})
    }

    /// Signs with a key while one response is changed.
    ///
    /// - Returns: whether the response occurred, and its size.
    private func sign(
        _ key: (point: [UInt8], blob: [UInt8]), meddlingWith number: Int, _ change: @escaping (inout [UInt8]) -> Void
    ) throws -> Int? {
        _ = try made(.status)
        let meddler = Meddler(try TPMDevice(tpm.socket), changing: number, change)
        let token = token(meddler)
        let message = Data("a message".utf8)
        switch token.answer(to: .sign(blob: key.blob, digest: Array(SHA256.hash(data: message)))).answer {
        case .failure: break
        case .signature(let signature):
            // The change had no effect, or the command was sent again.
            let publicKey = try P256.Signing.PublicKey(x963Representation: key.point)
            let parsed = try P256.Signing.ECDSASignature(rawRepresentation: signature)
            #expect(publicKey.isValidSignature(parsed, for: message), "response \(number)")
        default: Issue.record("an answer to something else")
        }
        token.end()
        return meddler.size
    }

    /// Returns the answer of an unchanged token and releases the token, because a software TPM serves one client at a
    /// time.
    private func made(_ request: TokenRequest) throws -> TokenAnswer {
        let token = try tpm.token()
        defer { token.end() }
        return token.answer(to: request).answer
    }

    @Test func `no response, however changed, makes a wrong signature or a trap`() throws {
        guard case .key(let point, let blob) = try made(.createKey) else {
            Issue.record("no key")
            return
        }
        let key = (point: point, blob: blob)
        var number = 0
        while let size = try sign(key, meddlingWith: number, { $0[$0.count - 1] ^= 1 }) {
            for place in stride(from: 0, to: size, by: 3) {
                _ = try sign(key, meddlingWith: number) { $0[place] ^= 0x41 }
            }
            for count in stride(from: 0, to: size, by: 7) {
                _ = try sign(key, meddlingWith: number) { response in
                    response = Array(response.prefix(count))
                    guard count >= 6 else { return }
                    // The size is correct, so the missing bytes are detected further inside.
                    response.replaceSubrange(2..<6, with: [0, 0, UInt8(count >> 8), UInt8(count & 0xFF)])
                }
            }
            number += 1
        }
        #expect(number >= 4, "storage key, session, loading, signing")
    }

    private func unseal(
        _ blob: [UInt8], _ secret: [UInt8], meddlingWith number: Int, _ change: @escaping (inout [UInt8]) -> Void
    ) throws {
        let token = token(Meddler(try TPMDevice(tpm.socket), changing: number, change))
        if case .secret(let opened) = token.answer(to: .unseal(blob: blob)).answer { #expect(opened == secret) }
        token.end()
    }

    @Test func `a sealed secret opens unchanged or not at all`() throws {
        let secret = Array("a device key".utf8)
        guard case .blob(let blob) = try made(.seal(secret)) else {
            Issue.record("not closed in")
            return
        }
        for number in 0..<4 {
            for place in stride(from: 0, to: 200, by: 5) {
                _ = try made(.status)
                try unseal(blob, secret, meddlingWith: number) { response in
                    if place < response.count { response[place] ^= 0x10 }
                }
            }
        }
    }
}
