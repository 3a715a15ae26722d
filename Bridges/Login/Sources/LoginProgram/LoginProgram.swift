// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import CWipingAllocator
internal import Glibc
internal import KeychainClient
internal import KeychainEndpoint
internal import KeychainLogin
internal import KeychainPlatform
internal import SecretMemory

@main
struct LoginProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chatelaine-login",
        abstract: "Unlock the keychain with the login password.",
        discussion: """
            The PAM module pam_chatelaine.so starts this program as the user and passes the login password to its \
            standard input. A keychain without a login password stays as it is; `chatelaine setup login` adds one. \
            The program reports failures on standard error.
            """)

    private enum Action: String, ExpressibleByArgument, CaseIterable {
        case unlock
        case change
    }

    @Argument(help: "unlock after a login, or change after a change of the password.")
    private var action: Action

    /// In seconds. A service that does not answer must not leave programs behind.
    private static let timeLimit: UInt32 = 60

    func run() throws {
        _ = ProcessHardening.resetCrashSignals()
        // The service may close the connection.
        _ = ProcessHardening.ignoreBrokenPipes()
        // Linking this library makes freed memory be overwritten.
        _ = cwa_is_wiping()
        // The kernel ends the program, which has nothing to finish.
        _ = alarm(Self.timeLimit)
        let endpoint: ServiceEndpoint
        do throws(EndpointError) {
            endpoint = try .current()
        } catch {
            throw Self.failure("\(error)")
        }
        // A user service starts at the first request and would create a keychain.
        guard endpoint.kind == .system || FileIdentity(path: endpoint.databasePath) != nil else { return }
        // The user service must be able to inspect the process; the system service can inspect all processes.
        if endpoint.kind == .system { _ = ProcessHardening.disableCoreDumps() }
        let login = KeychainLogin(.current) { Self.report($0) }
        let passwords = try Self.passwords()
        switch action {
        case .unlock: login.unlock(with: passwords)
        case .change: login.change(passwords)
        }
    }

    private static func passwords() throws(ExitCode) -> LoginPasswords {
        let malformed = "the input is not that of pam_chatelaine.so; install the module and this program together"
        let input = DescriptorStream.standardInput
        guard
            var message = input.message(
                atMost: LoginPasswords.inputBytes, isSecret: true, size: { try LoginPasswords.size(of: $0) })
        else { throw failure(malformed) }
        defer { wipe(&message) }
        var more: [UInt8] = [0]
        guard (try? input.read(into: &more)) == 0 else { throw failure(malformed) }
        do throws(LoginPasswords.Malformed) {
            return try LoginPasswords(message)
        } catch {
            throw failure(malformed)
        }
    }

    private static func failure(_ sentence: String) -> ExitCode {
        report(sentence)
        return .failure
    }

    /// Writes a line for the system log, to which the module connects standard error.
    @Sendable private static func report(_ sentence: String) {
        // A failure to write the log cannot be reported.
        try? DescriptorStream.standardError.write("chatelaine-login: \(sentence)\n".utf8)
    }
}
