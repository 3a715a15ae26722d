// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// `security create-keychain`
enum CreateKeychain {
    static let usage = """
        [-P] [-p password] [keychains...]
            -p  The password of the new keychains
            -P  Let the service prompt for the password
        Without -p and -P, the command asks for the password.
        """

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hP", withValue: "p", invocation.words)
        var password: SecretBytes?
        var serviceAsks = false
        while let option = options.next() {
            switch option {
            case .flag("P"): serviceAsks = true
            case .value("p", let text): password = SecretBytes(copying: text.utf8)
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        var names = Array(options.operands)
        if names.isEmpty {
            guard let name = invocation.askForName("keychain to create: ") else { return .failure }
            names = [name]
        }
        for name in names {
            guard !name.isEmpty else { return .usage }
            let result = create(name, password, serviceAsks: serviceAsks, invocation)
            guard result == .success else { return result }
        }
        return .success
    }

    private static func create(
        _ name: String, _ given: SecretBytes?, serviceAsks: Bool, _ invocation: SecurityInvocation
    ) -> SecurityResult {
        var password = given
        if password == nil, !serviceAsks {
            password = invocation.askNew("password for new keychain: ", "retype password for new keychain: ")
            guard password != nil else { return .failure }
        }
        do throws(ClientError) {
            // A keychain with the names of the login keychain exists already.
            guard try invocation.keychain(named: name).isFile else {
                throw .refused(Refusal(.duplicateKeychain, .duplicateKeychain))
            }
            _ = try invocation.context.client.createKeychain(at: name, password: password)
            return .success
        } catch {
            return invocation.fail("SecKeychainCreate \(name)", error)
        }
    }
}

/// `security delete-keychain`
enum DeleteKeychain {
    static let usage = "[keychains...]\nAll items in them are lost."

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "h", withValue: "", invocation.words)
        guard options.next() == nil else { return .usage }
        let function = "SecKeychainDelete"
        guard !options.operands.isEmpty else { return invocation.fail(function, StatusCode.invalidKeychain.rawValue) }
        for name in options.operands {
            do throws(ClientError) {
                let keychain = try invocation.keychain(named: name)
                guard keychain.isFile else {
                    return invocation.refuseOwn("delete-keychain", instead: "chatelaine remove")
                }
                try invocation.context.client.deleteKeychain(at: keychain.path)
            } catch {
                return invocation.fail(function, error)
            }
        }
        return .success
    }
}

/// `security set-keychain-password`
enum SetKeychainPassword {
    static let usage = """
        [-o oldPassword] [-p newPassword] [keychain]
            -o  The old password
            -p  The new password
        The command asks for omitted passwords.
        """

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "h", withValue: "op", invocation.words)
        var (old, new): (SecretBytes?, SecretBytes?)
        while let option = options.next() {
            switch option {
            case .value("o", let text): old = SecretBytes(copying: text.utf8)
            case .value("p", let text): new = SecretBytes(copying: text.utf8)
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        guard options.operands.count <= 1, options.operands.first != "" else { return .usage }
        let function = "SecKeychainChangePassword"
        do throws(ClientError) {
            let keychain = try invocation.keychain(namedOrDefault: options.operands.first)
            guard keychain.isFile else {
                return invocation.refuseOwn("set-keychain-password", instead: "chatelaine passcode")
            }
            // Before the user types a password for a keychain that does not exist.
            try invocation.checkKeychain(keychain)
            if old == nil { old = invocation.ask("Old Password: ") }
            guard let old else { return .failure }
            if new == nil {
                guard let first = invocation.ask("New Password: "),
                    let second = invocation.ask("Retype New Password: ")
                else { return .failure }
                guard first.isSameEntry(as: second) else {
                    invocation.context.diagnostics.writeIfPossible("try again\n")
                    return .failure
                }
                invocation.context.warnOfWeakness(of: first)
                new = first
            }
            try invocation.context.client.changePassword(ofKeychainAt: keychain.path, old: old, new: new)
            return .success
        } catch {
            return invocation.fail(function, error)
        }
    }
}

extension SecurityInvocation {
    /// Asks for a keychain's name, with echo: a line of standard input. Nil as for ``ask(_:)``.
    fileprivate func askForName(_ question: String) -> String? {
        guard print(question.utf8) else { return nil }
        do throws(StreamError) {
            switch try context.input.readLine(limit: 4096) {
            case .text(let line):
                if let name = String(validating: line.bytes, as: UTF8.self) { return name }
                complain("the name is not UTF-8")
            case .tooLong: complain("the name is too long")
            case .endOfInput: complain("no name was entered")
            }
        } catch {
            complain("cannot read standard input: \(error.reason)")
        }
        return nil
    }

    /// Checks that a keychain exists and is usable.
    ///
    /// - Throws: `errSecNoSuchKeychain`, `errSecInvalidKeychain`.
    func checkKeychain(_ keychain: ToolKeychain) throws(ClientError) {
        switch try context.client.keychain(at: keychain.path).state {
        case .missing: throw .refused(Refusal(.noSuchKeychain, .noSuchKeychain))
        case .unusable:
            // Throws the reason.
            try context.client.lockKeychain(at: keychain.path)
            throw .refused(Refusal(.invalidKeychain, .notAKeychain))
        case .locked, .unlocked: break
        }
    }
}
