// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
public import KeychainPlatform

/// The reason why the service does not start, and how to fix it.
public struct StartError: Error, Sendable, CustomStringConvertible {
    public let description: String
    public let hint: String?
    /// Whether another service already serves this store.
    public let isAlreadyRunning: Bool

    /// - Parameters:
    ///   - description: The failure. A path in it may contain characters that deceive a terminal; they are replaced.
    ///   - hint: The next step.
    init(_ description: String, hint: String?, isAlreadyRunning: Bool = false) {
        self.description = description.printable
        self.hint = hint?.printable
        self.isAlreadyRunning = isAlreadyRunning
    }

    /// Creates the error for a socket of the service manager that cannot be used.
    public init(adopting failure: ListeningSocket.Error) {
        self.init(
            "the socket that the service manager passed cannot be used: \(failure)",
            hint: "check the Listen… lines of the socket unit")
    }

    /// Creates the error for a credential that was passed and cannot be read.
    public init(credential failure: SecretInput.Error) {
        let what =
            switch failure {
            case .tooLarge(let limit): "it has more than \(limit) bytes"
            case .system(let error): "\(error)"
            }
        self.init(
            "the credential cannot be read: \(what)",
            hint: "pass the credential that `chatelaine protector add credential` printed")
    }

    init(_ failure: DurableFile.Error) {
        let hint: String? =
            switch failure {
            case .exists, .missing, .system: nil
            case .notRegular: "move it away"
            case .notOwned: "change its owner to the user of the service"
            case .notPrivate(let path, _): "chmod 600 \(path)"
            case .tooLarge: "restore it from a backup"
            }
        self.init("\(failure)", hint: hint)
    }
}

extension StartError {
    /// Creates the error for a passcode that was passed and cannot be read.
    public init(passcode failure: SecretInput.Error) {
        switch failure {
        case .tooLarge(let limit): self.init("the passcode has more than \(limit - 1) bytes", hint: nil)
        case .system(let error): self.init("the passcode cannot be read: \(error)", hint: nil)
        }
    }
}
