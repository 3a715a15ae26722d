// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

/// Which keychain a command for items is about.
struct KeychainChoice: ParsableArguments {
    @Option(
        name: .customLong("keychain"),
        help: ArgumentHelp(
            "Use a keychain that is a file: a name in its folder, or a path. (default: the data-protection keychain)",
            valueName: "keychain"))
    var keychain: String?

    /// The context, with requests for items about that keychain.
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

/// A keychain that is a file, by its name.
struct KeychainName: ParsableArguments {
    @Argument(help: "A name in the folder of your keychains, or a path.")
    var keychain: String
}

extension CommandContext {
    /// Asks something about keychains that are files.
    func ofKeychains<R>(_ body: (KeychainClient) throws(ClientError) -> R) throws(CommandFailure) -> R {
        do throws(ClientError) {
            return try body(client)
        } catch {
            if case .refused(let refusal) = error, refusal.reason == .wrongSecret {
                throw CommandFailure("that is not the password of this keychain", exitCode: .refused)
            }
            throw CommandFailure(error, message: statusMessage)
        }
    }

    /// - Throws: a failure for a keychain that is not there, before anybody types for it.
    func existingKeychain(_ name: String) throws(CommandFailure) -> FileKeychainReport {
        let report = try ofKeychains { client throws(ClientError) in try client.keychain(at: name) }
        switch report.state {
        case .missing: throw CommandFailure(.noKeychain, message: statusMessage)
        case .unusable:
            // Says why.
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
