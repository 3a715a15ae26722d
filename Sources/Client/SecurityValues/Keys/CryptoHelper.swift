// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
package import KeychainEndpoint
internal import KeychainHelperWire
package import KeychainKeys
package import KeychainTransfer

/// The cryptography that swift-crypto lacks: the helper program `chatelaine-crypto`, one process per request. Keys and
/// passphrases reach it only through its standard input.
package struct CryptoHelper: Sendable {
    /// Sends a request frame and returns the response frame.
    package typealias Ask = @Sendable (_ request: [UInt8]) throws(HelperError) -> [UInt8]

    /// Nil if the program is not installed.
    private let ask: @Sendable () -> Ask?

    /// - Parameter ask: nil for no program.
    package init(ask: Ask?) { self.ask = { ask } }

    package init(_ program: HelperProgram) {
        ask = {
            guard program.isInstalled else { return nil }
            return { request throws(HelperError) in
                try program.answer(to: request, timeout: .seconds(30), size: HelperFrameHeader.frameSize)
            }
        }
    }

    /// The program next to the service, as it is installed, unless a test has replaced it for the duration of a closure.
    @TaskLocal package static var current = CryptoHelper(.installed("chatelaine-crypto"))

    /// RSA's further algorithms; nil without the program.
    package var rsa: RSALibrary? {
        guard let ask = ask() else { return nil }
        return RSALibrary { operation, algorithm, key, data throws(KeyError) in
            guard let (padding, hash, isMessage) = algorithm.helperForm else {
                throw KeyError(.unsupportedAlgorithm, "chatelaine-crypto does not have \(algorithm.identifier)")
            }
            var key = Array(key)
            defer { Self.wipe(&key) }
            let kind: RSARequest.Operation
            var signature: [UInt8] = []
            switch operation {
            case .sign: kind = .sign
            case .verify(let bytes):
                kind = .verify
                signature = Array(bytes)
                // No key makes such a signature, and the request has no room for it.
                guard signature.count <= CryptoLimits.signatureBytes else { throw Self.error(.mismatch, operation) }
            case .encrypt: kind = .encrypt
            case .decrypt: kind = .decrypt
            }
            guard
                let request = RSARequest(
                    kind, padding, hash, isMessage: isMessage, key: key, data: Array(data), signature: signature)
            else {
                throw KeyError(
                    .invalid, "\(algorithm.identifier) is limited to \(CryptoLimits.dataBytes) bytes of data")
            }
            switch Self.reply(to: request.frame, ask) {
            case .success(.result(var bytes)):
                defer { Self.wipe(&bytes) }
                return Data(bytes)
            case .success(.failure(let failure)): throw Self.error(failure, operation)
            case .success(.refusal(let refusal)): throw KeyError(.failed, refusal.reason)
            case .failure(let failure): throw KeyError(.failed, failure.reason)
            }
        }
    }

    /// The ciphers of older files of keys; nil without the program.
    package var ciphers: OlderCiphers? {
        guard let ask = ask() else { return nil }
        return OlderCiphers { algorithm, passphrase, ciphertext throws(TransferError) in
            guard
                let request = DecryptionRequest(
                    algorithm: algorithm, passphrase: passphrase, ciphertext: ciphertext)
            else {
                throw TransferError(
                    .unsupported, "the passphrase or the encrypted part is longer than chatelaine-crypto supports")
            }
            switch Self.reply(to: request.frame, ask) {
            case .success(.result(let bytes)): return bytes
            case .success(.failure): return nil
            case .success(.refusal(let refusal)): throw TransferError(.unsupported, refusal.reason)
            case .failure(let failure): throw TransferError(.unsupported, failure.reason)
            }
        }
    }

    private struct Failure: Error {
        /// A sentence without a full stop.
        let reason: String
    }

    /// Sends a request, and wipes it and the frame of the reply.
    private static func reply(to request: consuming [UInt8], _ ask: Ask) -> Result<CryptoReply, Failure> {
        defer { wipe(&request) }
        do throws(HelperError) {
            var frame = try ask(request)
            defer { wipe(&frame) }
            do throws(HelperWireError) {
                return .success(try CryptoReply(frame))
            } catch {
                return .failure(Failure(reason: "cannot read the answer of chatelaine-crypto: \(error)"))
            }
        } catch {
            return .failure(Failure(reason: "\(error)"))
        }
    }

    private static func error(_ failure: CryptoFailure, _ operation: RSALibrary.Operation) -> KeyError {
        switch (failure, operation) {
        case (.mismatch, .verify):
            KeyError(.verificationFailed, "the signature does not match the data and the key")
        case (.mismatch, _):
            KeyError(.invalid, "the data was not encrypted with this algorithm and the key's public key")
        case (.unsuitableData, _): KeyError(.invalid, "the data is too long for the key and this algorithm")
        }
    }

    /// Not inlined, because a compiler could otherwise remove the write as unused.
    @inline(never)
    private static func wipe(_ bytes: inout [UInt8]) {
        for index in bytes.indices { bytes[index] = 0 }
    }
}

extension KeyAlgorithm {
    /// The form of the algorithm in a request; nil if the protocol does not have it.
    fileprivate var helperForm: (RSARequest.Padding, RSARequest.Hash, isMessage: Bool)? {
        switch self {
        case .rsaSignature(.pkcs1v15, let input, let hash): (.pkcs1, hash.helperForm, input == .message)
        case .rsaSignature(.pss, let input, let hash): (.pss, hash.helperForm, input == .message)
        case .rsaSignatureWithoutHashName: (.pkcs1, .none, false)
        case .rsaSignatureRaw, .rsaEncryptionRaw: (.none, .none, false)
        case .rsaEncryptionOAEP(let hash): (.oaep, hash.helperForm, false)
        case .ecdsa, .ecdsaRFC4754, .ed25519, .rsaEncryptionPKCS1, .rsaEncryptionOAEPAESGCM, .ecies, .keyExchange: nil
        }
    }
}

extension HashAlgorithm {
    fileprivate var helperForm: RSARequest.Hash {
        switch self {
        case .sha1: .sha1
        case .sha224: .sha224
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}
