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
        switch failure {
        case .exists(let path): self.init("\(path) already exists", hint: nil)
        case .missing(let path): self.init("\(path) is missing", hint: nil)
        case .notRegular(let path): self.init("\(path) is not a regular file", hint: "move it away")
        case .notOwned(let path, let owner):
            self.init("\(path) belongs to user \(owner)", hint: "change its owner to the user of the service")
        case .notPrivate(let path, let mode):
            self.init(
                "\(path) can be read by other users (mode \(String(mode & 0o7777, radix: 8)))",
                hint: "chmod 600 \(path)")
        case .tooLarge(let path, let limit):
            self.init("\(path) has more than \(limit) bytes", hint: "restore it from a backup")
        case .system(let path, let error): self.init("\(path): \(error)", hint: nil)
        }
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
