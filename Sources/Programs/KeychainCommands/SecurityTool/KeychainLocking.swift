// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

/// `security lock-keychain` and `unlock-keychain`
enum KeychainLocking {
    static let lockUsage = """
        [-a | keychain]
            -a  Lock all keychains
        """

    static let unlockUsage = """
        [-u] [-p password] [keychain]
            -p  The password
            -u  Let the service prompt for the password
        Without -p and -u, the command asks for the password.
        """

    @Sendable static func runLock(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "ha", withValue: "", invocation.words)
        var locksAll = false
        while let option = options.next() {
            guard option == .flag("a") else { return .usage }
            locksAll = true
        }
        guard options.operands.count <= 1, options.operands.first != "" else { return .usage }
        let name = options.operands.first
        do throws(ClientError) {
            let client = invocation.context.client
            if locksAll, name == nil {
                try client.lockAllKeychains()
                // Without a passcode there is nothing to lock.
                if try client.lockState() != .noPasscode { try client.lock() }
                return .success
            }
            let keychain = try invocation.keychain(namedOrDefault: name)
            if keychain.isFile {
                try client.lockKeychain(at: keychain.path)
            } else {
                // Scripts lock the login keychain as a precaution. The note keeps the user from believing that it is
                // locked.
                guard try client.lockState() != .noPasscode else {
                    return invocation.noteNoPasscode("nothing was locked")
                }
                try client.lock()
            }
            return .success
        } catch {
            return invocation.fail("SecKeychainLock \(name ?? "<NULL>")", error)
        }
    }

    @Sendable static func runUnlock(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hu", withValue: "p", invocation.words)
        var password: SecretBytes?
        var serviceAsks = false
        while let option = options.next() {
            switch option {
            case .flag("u"): serviceAsks = true
            case .value("p", let text): password = SecretBytes(copying: text.utf8)
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        guard options.operands.count <= 1, options.operands.first != "" else { return .usage }
        let name = options.operands.first
        if password == nil, !serviceAsks {
            password = invocation.ask("password to unlock \(visible(name ?? "default")): ")
            guard password != nil else { return .failure }
        }
        do throws(ClientError) {
            let keychain = try invocation.keychain(namedOrDefault: name)
            if keychain.isFile {
                try invocation.context.client.unlockKeychain(at: keychain.path, password: password)
            } else {
                guard try invocation.context.client.lockState() != .noPasscode else {
                    return invocation.noteNoPasscode("no password was checked")
                }
                guard let password else { throw .refused(Refusal(.authenticationFailed, .authenticationNeeded)) }
                try invocation.context.client.unlock(with: ProtectorSecret(.passcode, password))
            }
            return .success
        } catch .refused(let refusal) where refusal.status == .interactionNotAllowed {
            // If no prompt can be shown, the error is that of a wrong password (semantics 8.2).
            return invocation.fail("SecKeychainUnlock \(name ?? "<NULL>")", StatusCode.authenticationFailed.rawValue)
        } catch {
            return invocation.fail("SecKeychainUnlock \(name ?? "<NULL>")", error)
        }
    }
}

/// `security set-keychain-settings` and `show-keychain-info`
enum KeychainInfo {
    static let setUsage = """
        [-lu] [-t timeout] [keychain]
            -l  Lock it when the machine sleeps
            -u  Lock it after a time; with -t
            -t  Seconds until it locks (never, if omitted)
        Omitted options are switched off.
        """

    static let showUsage = """
        [keychain]
            -s  Show the salt (refused, because it never leaves the service)
        """

    @Sendable static func runSet(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hlu", withValue: "t", invocation.words)
        var settings = FileKeychainSettings(locksOnSleep: false, idleLockSeconds: nil)
        while let option = options.next() {
            switch option {
            case .flag("l"): settings.locksOnSleep = true
            // On macOS, too, only -t has an effect.
            case .flag("u"): break
            case .value("t", let text):
                guard let seconds = UInt32(text), seconds <= Int32.max else { return .usage }
                // The largest number means never.
                settings.idleLockSeconds = seconds == UInt32(Int32.max) ? nil : seconds
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        guard options.operands.count <= 1, options.operands.first != "" else { return .usage }
        let name = options.operands.first
        do throws(ClientError) {
            let keychain = try invocation.keychain(namedOrDefault: name)
            guard keychain.isFile else {
                return invocation.refuseOwn("set-keychain-settings", instead: "chatelaine settings")
            }
            try invocation.context.client.changeKeychain(at: keychain.path, settings)
            return .success
        } catch {
            return invocation.fail("SecKeychainSetSettings \(name ?? "<NULL>")", error)
        }
    }

    @Sendable static func runShow(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hs", withValue: "", invocation.words)
        while let option = options.next() {
            guard option == .flag("s") else { return .usage }
            invocation.complain("show-keychain-info: the salt of a keychain never leaves the service")
            return .failure
        }
        guard options.operands.count <= 1, options.operands.first != "" else { return .usage }
        let name = options.operands.first
        do throws(ClientError) {
            let keychain = try invocation.keychain(namedOrDefault: name)
            let settings = try settings(of: keychain, invocation)
            var line = "Keychain \"\(visible(name ?? "<NULL>"))\""
            if settings.locksOnSleep { line += " lock-on-sleep" }
            line += settings.idleLockSeconds.map { " timeout=\($0)s" } ?? " no-timeout"
            invocation.context.diagnostics.writeIfPossible(line + "\n")
            return .success
        } catch {
            return invocation.fail("SecKeychainCopySettings \(name ?? "<NULL>")", error)
        }
    }

    private static func settings(
        of keychain: ToolKeychain, _ invocation: SecurityInvocation
    ) throws(ClientError) -> FileKeychainSettings {
        let client = invocation.context.client
        guard keychain.isFile else {
            let settings = try client.settings()
            let seconds = settings[.idleLockSeconds] ?? 0
            return FileKeychainSettings(
                locksOnSleep: settings[.locksOnSleep] != 0,
                idleLockSeconds: seconds == 0 ? nil : UInt32(clamping: seconds))
        }
        try invocation.checkKeychain(keychain)
        guard let settings = try client.keychain(at: keychain.path).settings else {
            throw .refused(Refusal(.invalidKeychain, .notAKeychain))
        }
        return settings
    }
}

extension SecurityInvocation {
    /// Reports that the data-protection keychain is always open, and succeeds.
    fileprivate func noteNoPasscode(_ consequence: String) -> SecurityResult {
        complain("note: no passcode is set, so the keychain is always open; \(consequence)")
        return .success
    }
}
