// SPDX-License-Identifier: Apache-2.0

internal import DBusMessages
internal import SecretService

/// The errors of the Secret Service specification.
extension MethodError {
    static func noSession(_ path: ObjectPath) -> MethodError {
        MethodError(
            "org.freedesktop.Secret.Error.NoSession", "The session \(path) does not exist. Open a session first.")
    }

    static let noSuchObject = MethodError(
        "org.freedesktop.Secret.Error.NoSuchObject", "The collection, item or prompt does not exist.")

    static let isLocked = MethodError(
        "org.freedesktop.Secret.Error.IsLocked", "The item or its collection is locked. Unlock it first.")

    /// Takes the error of a handler.
    init(secretService error: any Error) {
        switch error {
        case let error as StorageError: self.init(error)
        case let error as SessionError: self.init(error)
        default: self.init(error)
        }
    }

    init(_ error: StorageError) {
        switch error {
        case .noSuchObject: self = .noSuchObject
        case .locked: self = .isLocked
        case .dismissed: self = .accessDenied("The user denied the access, or no prompt is possible.")
        case .denied(let text): self = .accessDenied(text)
        case .unsupported(let text): self = .notSupported(text)
        case .invalid(let text): self = .invalidArguments(text)
        case .limitExceeded(let text): self = .limitsExceeded(text)
        case .unavailable(let text): self = .failed(text)
        }
    }

    init(_ error: SessionError) {
        switch error {
        case .unknownAlgorithm:
            self = .notSupported(
                "The algorithm is not supported. Use ‘plain’ or ‘dh-ietf1024-sha256-aes128-cbc-pkcs7’.")
        case .invalidInput: self = .invalidArguments("The algorithm needs a public key, an array of bytes.")
        case .invalidPublicKey:
            self = .invalidArguments("The public key is not a number between 1 and the prime minus 1.")
        case .invalidParameters:
            self = .invalidArguments(
                "The parameters of the secret do not fit the session: 16 bytes if it is encrypted, otherwise none.")
        case .invalidCiphertext:
            self = .invalidArguments("The secret is not encrypted for this session, or its padding is wrong.")
        case .cryptographyFailed: self = .failed("The cryptography of the session failed.")
        }
    }
}
