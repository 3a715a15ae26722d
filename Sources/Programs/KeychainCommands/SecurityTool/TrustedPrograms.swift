// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// The options -A and -T of commands that create items: the programs that may use the items without a prompt.
struct TrustedPrograms {
    private var allowsAny = false
    /// The paths; nil if -T was not given.
    private var paths: [String]?

    var isGiven: Bool { allowsAny || paths != nil }

    mutating func allowAny() { allowsAny = true }

    /// Adds a path. An empty path means no program.
    mutating func add(_ path: String) { paths = (paths ?? []) + (path.isEmpty ? [] : [path]) }

    /// Returns the access object of a new item; nil for the service's default, which trusts this command.
    ///
    /// - Parameter description: the name of the item in prompts.
    /// - Throws: `errSecParam` for a program that cannot be identified.
    func access(description: String, _ client: KeychainClient) throws(ClientError) -> AccessObject? {
        guard isGiven else { return nil }
        let name = description.isEmpty ? "?" : description
        let access: AccessObject?
        if allowsAny {
            access = AccessObject(openToAll: name)
        } else {
            access = AccessObject(description: name, trusting: try programs(client))
        }
        guard let access else { throw .refused(Refusal(.parameter, .none)) }
        return access
    }

    /// Returns the access object of an existing item with these programs added to its trusted ones.
    ///
    /// - Throws: `errSecNoAccessForItem` for an item without one, `errSecParam` as above.
    func merged(into item: ListedItem, _ client: KeychainClient) throws(ClientError) -> AccessObject {
        guard case .data(let bytes)? = item.attributes[.access], let old = try? AccessObject(encoded: bytes) else {
            throw .refused(Refusal(.noAccessForItem, .noAccessObject))
        }
        guard let merged = old.trusting(also: allowsAny ? nil : try programs(client)) else {
            throw .refused(Refusal(.parameter, .none))
        }
        return merged
    }

    private func programs(_ client: KeychainClient) throws(ClientError) -> [TrustedApplication] {
        var programs: [TrustedApplication] = []
        for path in paths ?? [] { programs.append(try Self.program(path, client)) }
        return programs
    }

    /// Returns the first path of -T that names a program which acts for every program: the command itself, under any of
    /// its names, or a general client. A program that cannot be identified is refused later.
    func nameOfDeputy(_ client: KeychainClient) -> String? {
        guard !allowsAny else { return nil }
        return (paths ?? []).first { path in
            guard !path.hasPrefix(TrustedApplication.groupScheme) else { return false }
            return (try? client.identity(of: .program(path: path)))?.identity.actsForEveryProgram == true
        }
    }

    private static func program(_ path: String, _ client: KeychainClient) throws(ClientError) -> TrustedApplication {
        if path.hasPrefix(TrustedApplication.groupScheme) {
            let group = String(path.dropFirst(TrustedApplication.groupScheme.count))
            guard let program = TrustedApplication(group: group) else { throw .refused(Refusal(.parameter, .none)) }
            return program
        }
        let report = try client.identity(of: .program(path: path))
        guard let program = TrustedApplication(report.identity, displayPath: path) else {
            throw .refused(Refusal(.parameter, .unidentifiedCaller))
        }
        return program
    }
}

extension SecurityInvocation {
    /// Notes that items of the data-protection keychain belong to the program that created them: a caller that wants a
    /// prompt for each use, or access for other programs, must not rely on the options. Warns of a trusted program that
    /// acts for every program.
    func noteEffect(of programs: TrustedPrograms, in keychain: ToolKeychain) {
        guard programs.isGiven else { return }
        guard !keychain.isFile else {
            guard let path = programs.nameOfDeputy(keychain.client) else { return }
            complain(
                "warning: -T names \(path), which each of your programs can run, so each of them can read the item "
                    + "without a prompt")
            return
        }
        complain("-A and -T have no effect in the data-protection keychain; create the item in a keychain file")
    }

    /// Returns the access object for an item of a keychain file, as attributes; none if no option requested it.
    ///
    /// - Parameter description: the name of the item in prompts.
    func accessEntries(
        _ programs: TrustedPrograms, description: String, in keychain: ToolKeychain
    ) throws(ClientError) -> [ItemAttributes.Entry] {
        guard keychain.isFile, let access = try programs.access(description: description, keychain.client) else {
            return []
        }
        return [.init(.access, .data(access.encoded))]
    }
}
