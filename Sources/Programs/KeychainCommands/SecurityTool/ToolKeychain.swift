// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// The keychain of a `security` command: a file, or the data-protection keychain, which takes the place of a Mac's
/// login keychain.
struct ToolKeychain {
    /// The name on the command line; nil if it was not named.
    let name: String?
    /// The path as listings show it.
    var path: String { findPath() }
    /// The client whose item requests use this keychain.
    let client: KeychainClient
    private let findPath: () -> String

    /// Creates a keychain.
    ///
    /// - Parameter path: determined only when it is shown.
    init(name: String?, path: @escaping @autoclosure () -> String, client: KeychainClient) {
        self.name = name
        self.client = client
        findPath = path
    }

    var isFile: Bool { client.keychainPath != nil }

    /// The name as in messages of macOS.
    var title: String { name ?? "<NULL>" }
}

extension SecurityInvocation {
    /// Returns the data-protection keychain.
    func ownKeychain(named name: String? = nil) -> ToolKeychain {
        ToolKeychain(name: name, path: context.keychain.path, client: context.client)
    }

    /// Returns the keychain that a word means, whether it exists or not.
    ///
    /// - Throws: `errSecNoSuchKeychain` for an invalid keychain name.
    func keychain(named name: String) throws(ClientError) -> ToolKeychain {
        if name == context.keychain.path { return ownKeychain(named: name) }
        let report = try context.client.keychain(at: name)
        // Scripts name the login keychain with and without suffixes, and often by its path on a Mac. If a file of this
        // name exists, the file is used.
        if report.state == .missing, Self.isLoginKeychain(name) { return ownKeychain(named: name) }
        return ToolKeychain(name: name, path: report.path, client: try context.client.inKeychain(report.path))
    }

    private static func isLoginKeychain(_ name: String) -> Bool {
        let parts = name.split(separator: "/")
        guard ["login", "login.keychain", "login.keychain-db"].contains(parts.last ?? "") else { return false }
        return !name.contains("/") || parts.suffix(3).dropLast() == ["Library", "Keychains"]
    }

    /// Returns the keychain for items without a named one: the user's default keychain if one was chosen.
    func defaultKeychain() throws(ClientError) -> ToolKeychain {
        guard let path = try context.client.keychainList(of: .user).standard else { return ownKeychain() }
        return ToolKeychain(name: nil, path: path, client: try context.client.inKeychain(path))
    }

    func keychain(namedOrDefault name: String?) throws(ClientError) -> ToolKeychain {
        guard let name else { return try defaultKeychain() }
        return try keychain(named: name)
    }

    /// Returns the files that are searched without being named: the user's list, and the administrator's list for all
    /// users.
    func searchedFiles() throws(ClientError) -> [String] {
        let user = try context.client.keychainList(of: .user).searched
        let common = try context.client.keychainList(of: .common).searched
        return user + common.filter { !user.contains($0) }
    }

    /// Returns the first match in the named keychains, or without names in the data-protection keychain and those of
    /// the search list.
    ///
    /// Keychains that are missing or cannot be read are skipped, as on macOS.
    ///
    /// - Throws: the error of the first keychain if all fail.
    func first<R>(
        in names: some Sequence<String>, _ find: (ToolKeychain) throws(ClientError) -> R?
    ) throws(ClientError) -> R? {
        var found: R?
        try search(Array(names)) { keychain throws(ClientError) in
            found = try find(keychain)
            return found != nil
        }
        return found
    }

    /// Does what ``first(in:_:)`` describes; the closure returns whether the search ends.
    private func search(
        _ names: [String], _ find: (ToolKeychain) throws(ClientError) -> Bool
    ) throws(ClientError) {
        var names = names
        var failure: ClientError?
        var hasLooked = false
        func ends(in keychain: () throws(ClientError) -> ToolKeychain) -> Bool {
            do throws(ClientError) {
                let ends = try find(try keychain())
                hasLooked = true
                return ends
            } catch {
                failure = failure ?? error
                return false
            }
        }
        if names.isEmpty {
            if ends(in: { ownKeychain() }) { return }
            if !hasLooked, let failure { throw failure }
            // Most searches end before this.
            names = try searchedFiles()
        }
        for name in names where ends(in: { () throws(ClientError) in try keychain(named: name) }) { return }
        if !hasLooked, let failure { throw failure }
    }

    /// Returns all matches in these keychains, in the order of ``first(in:_:)``.
    func all<R>(
        in names: some Sequence<String>, _ find: (ToolKeychain) throws(ClientError) -> [R]
    ) throws(ClientError) -> [R] {
        var found: [R] = []
        _ = try first(in: names) { keychain throws(ClientError) -> Never? in
            found += try find(keychain)
            return nil
        }
        return found
    }

    /// Reports that a command works on keychain files only.
    func refuseOwn(_ command: String, instead: String) -> SecurityResult {
        complain("\(command): this is the data-protection keychain; use `\(instead)` for it")
        return SecurityResult(code: StatusCode.unimplemented.rawValue)
    }
}

// MARK: Prompting

extension SecurityInvocation {
    private var prompt: any SecretPrompt { context.prompt ?? InputPrompt(context: context) }

    /// Asks for a secret; nil on failure, which was reported.
    func ask(_ question: String) -> SecretBytes? {
        do throws(CommandFailure) {
            return try prompt.ask(question)
        } catch {
            complain(error.message)
            return nil
        }
    }

    /// Asks twice, with at most three attempts; nil as above.
    func askNew(_ question: String, _ repetition: String) -> SecretBytes? {
        for _ in 0..<3 {
            guard let secret = ask(question), let again = ask(repetition) else { return nil }
            if secret.isSameEntry(as: again) {
                context.warnOfWeakness(of: secret)
                return secret
            }
            context.diagnostics.writeIfPossible("passwords don't match\n")
        }
        return nil
    }
}
