// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import SecretMemory
internal import SecurityValues

/// The functions that `security import` and `security export` share.
enum TransferFile {
    /// The limit of `SecItemImport`.
    static let maximumByteCount = 4 << 20

    /// The words after `-f`.
    static let formats: [String: ExternalFormat] = [
        "openssl": .openSSL, "openssh1": .ssh, "openssh2": .sshv2, "bsafe": .bsafe, "raw": .rawKey, "pkcs7": .pkcs7,
        "pkcs8": .wrappedPKCS8, "pkcs12": .pkcs12, "netscape": .netscapeSequence, "x509": .x509,
        "pemseq": .pemSequence,
    ]

    /// Returns the format for encrypted keys, by `-w`; nil if there is none.
    static func wrapped(_ format: ExternalFormat) -> ExternalFormat? {
        switch format {
        case .unknown, .openSSL, .sshv2: .wrappedOpenSSL
        case .ssh: .wrappedSSH
        case .wrappedPKCS8, .pkcs12: format
        default: nil
        }
    }

    /// Asks for the passphrase of a file; nil on failure, which was reported.
    static func passphrase(_ question: String, _ invocation: SecurityInvocation) -> SecretBytes? {
        invocation.ask(question)
    }

    /// Asks for a new passphrase, twice.
    static func newPassphrase(_ invocation: SecurityInvocation) -> SecretBytes? {
        guard let first = passphrase("passphrase for the file: ", invocation),
            let second = passphrase("retype passphrase for the file: ", invocation)
        else { return nil }
        guard first.isSameEntry(as: second) else {
            invocation.context.diagnostics.writeIfPossible("passphrases don't match\n")
            return nil
        }
        invocation.context.warnOfWeakness(of: first)
        return first
    }

    /// Reports an error as macOS does, followed by the reason and the hint.
    static func report(_ function: String, _ failure: TransferFailure, _ invocation: SecurityInvocation) {
        _ = invocation.fail(function, failure.status.rawValue)
        invocation.complain(failure.reason)
    }
}

extension FileAccess {
    /// Returns the contents of a file.
    ///
    /// - Throws: also if it is longer than the limit.
    func contents(of path: String, limit: Int) throws(StreamError) -> [UInt8] {
        let source = try read(path)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try source.read(into: &buffer)
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
            guard bytes.count <= limit else { throw StreamError(reason: "the file is too large") }
        }
    }
}
