// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire

/// A conversation of one request frame and one answer frame.
public struct CryptoService: ~Copyable {
    private let library: LibCrypto

    /// Loads libcrypto's providers. Operations need no other files afterwards, so the process can be confined.
    public init() throws(LibCryptoError) { library = try LibCrypto() }

    /// Returns the answer to a frame. The caller wipes both.
    public func answer(_ frame: [UInt8]) -> CryptoReply {
        do throws(HelperWireError) {
            switch try HelperFrameHeader(frame).kind {
            case .rsaRequest: return answer(try RSARequest(frame))
            case .decryptionRequest: return answer(try DecryptionRequest(frame))
            case let other: return .refusal(HelperRefusal(reason: "chatelaine-crypto does not accept \(other)"))
            }
        } catch {
            return .refusal(HelperRefusal(reason: "the request is malformed: \(error)"))
        }
    }

    private func answer(_ request: RSARequest) -> CryptoReply {
        reply { () throws(LibCryptoError) in
            let key = try RSAKey(
                request.key, isPrivate: request.operation == .sign || request.operation == .decrypt, library)
            var data = request.data
            if request.isMessage { data = try library.digest(of: data, request.hash) }
            switch request.operation {
            case .sign: return try key.signature(of: data, request.padding, request.hash)
            case .verify:
                try key.verify(request.signature, of: data, request.padding, request.hash)
                return []
            case .encrypt: return try key.encrypt(data, request.padding, request.hash)
            case .decrypt: return try key.decrypt(data, request.padding, request.hash)
            }
        }
    }

    private func answer(_ request: DecryptionRequest) -> CryptoReply {
        reply { () throws(LibCryptoError) in try library.decrypt(request) }
    }

    private func reply(_ work: () throws(LibCryptoError) -> [UInt8]) -> CryptoReply {
        do throws(LibCryptoError) {
            return .result(try work())
        } catch {
            if case .failure(let failure) = error { return .failure(failure) }
            return .refusal(HelperRefusal(reason: error.reason))
        }
    }
}

/// The reason why libcrypto returned no result.
public enum LibCryptoError: Error, Hashable, Sendable {
    case failure(CryptoFailure)
    /// A sentence without a full stop, and without contents of keys and data.
    case refused(String)

    public var reason: String {
        switch self {
        case .failure(.mismatch): "the data does not match the key or the passphrase"
        case .failure(.unsuitableData): "the data does not fit"
        case .refused(let reason): reason
        }
    }
}
