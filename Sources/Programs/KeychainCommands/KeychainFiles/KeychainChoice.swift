// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

/// The keychain of a command for items.
struct KeychainChoice: ParsableArguments {
    @Option(
        name: .customLong("keychain"),
        help: ArgumentHelp(
            "Keychain file: a name in your keychain folder, or a path. (default: the data-protection keychain)",
            valueName: "keychain"))
    private(set) var keychain: String?

    /// Returns the context with item requests for that keychain.
    func context(_ context: CommandContext) throws(CommandFailure) -> CommandContext {
        guard let keychain else { return context }
        do throws(ClientError) {
            var context = context
            context.client = try context.client.inKeychain(try context.client.keychain(at: keychain).path)
            return context
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
    }
}

/// A keychain file, by its name.
struct KeychainName: ParsableArguments {
    @Argument(help: "Name in your keychain folder, or a path.")
    private(set) var keychain: String
}

extension CommandContext {
    /// Sends a request on keychain files.
    func ofKeychains<R>(_ body: (KeychainClient) throws(ClientError) -> R) throws(CommandFailure) -> R {
        do throws(ClientError) {
            return try body(client)
        } catch {
            throw failureOfKeychain(error)
        }
    }

    private func failureOfKeychain(_ error: ClientError) -> CommandFailure {
        if case .refused(let refusal) = error, refusal.reason == .wrongSecret {
            return CommandFailure("the password of the keychain is wrong", exitCode: .refused, isWrongSecret: true)
        }
        return CommandFailure(error, message: statusMessage)
    }

    /// Returns an existing keychain.
    ///
    /// - Throws: a failure for a keychain that does not exist, before the user types a password for it.
    func existingKeychain(_ name: String) throws(CommandFailure) -> FileKeychainReport {
        let report = try ofKeychains { client throws(ClientError) in try client.keychain(at: name) }
        switch report.state {
        case .missing: throw CommandFailure(.noKeychain, message: statusMessage)
        case .unusable:
            // Throws the reason.
            try ofKeychains { client throws(ClientError) in try client.lockKeychain(at: report.path) }
            throw CommandFailure(.damagedKeychain, message: statusMessage)
        case .locked, .unlocked: return report
        }
    }
}

extension ClientError {
    fileprivate static var noKeychain: ClientError { .refused(Refusal(.noSuchKeychain, .noSuchKeychain)) }
    fileprivate static var damagedKeychain: ClientError { .refused(Refusal(.invalidKeychain, .notAKeychain)) }
}
