// SPDX-License-Identifier: Apache-2.0

internal import CWipingAllocator
internal import KeychainEndpoint
internal import KeychainHelperWire
internal import KeychainPlatform
internal import SecretMemory
internal import SoftwareToken
internal import TokenConversation

/// The main program: keeps private keys for the keychain service, which starts it.
@main struct SoftwareTokenProgram {
    private static let usage = """
        usage: chatelaine-token-software FILE

        Keeps private keys for the keychain service. FILE contains the secret of the token and is created on first use.
        The keychain service starts this program; do not run it by hand. See chatelaine-token-software(8).
        """

    static func main() {
        TokenConversation.harden()
        switch Array(CommandLine.arguments.dropFirst()) {
        case ["--help"], ["-h"]: print(usage)
        case let words where words.count == 1 && words[0].hasPrefix("/"): serve(words[0])
        default: StandardError.write(usage)
        }
    }

    private static func serve(_ path: String) {
        // The link to this function makes the program overwrite freed memory.
        _ = cwa_is_wiping()
        if PageSource.memfdSecretIsAvailable { SecretArena.shared.takePages(from: .memfdSecret) }
        do throws(TokenError) {
            let machineID = MachineIdentity.current
            let token = try SoftwareToken(
                load(path, isBoundToMachine: machineID != nil), machineID: machineID, place: path)
            TokenConversation.confine()
            TokenConversation().run { (token.answer(to: $0), true) }
        } catch {
            // The failure is the answer to the first request; the next request starts another process, which checks
            // again.
            TokenConversation().run { _ in (.failure(error), false) }
        }
    }

    /// Returns the file's content, and creates the file on first use.
    private static func load(_ path: String, isBoundToMachine: Bool) throws(TokenError) -> SoftwareTokenFile {
        if let bytes = try read(path) {
            guard let file = SoftwareTokenFile(bytes) else {
                throw TokenError(.unavailable, "\(path) is damaged; nothing was changed")
            }
            return file
        }
        var random = RandomSource.live.bytes(32)
        let file = SoftwareTokenFile(secret: SecretBytes(moving: &random), isBoundToMachine: isBoundToMachine)
        do throws(DurableFile.Error) {
            // This never replaces a file, because the service runs one process of this program at a time for a file.
            try DurableFile.create(path, contents: file.bytes)
        } catch {
            throw TokenError(.unavailable, "\(path) cannot be created: \(error)")
        }
        return file
    }

    /// Returns the file's content; nil if the file does not exist.
    private static func read(_ path: String) throws(TokenError) -> SecretBytes? {
        do throws(DurableFile.Error) {
            return try DurableFile.read(path, limit: SoftwareTokenFile.byteCount)
        } catch .missing {
            return nil
        } catch {
            throw TokenError(.unavailable, "\(path) cannot be read: \(error)")
        }
    }
}
