// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// The options -A and -T of commands that make items: which programs may use them without being asked about.
struct TrustedPrograms {
    private var allowsAny = false
    /// Nil: -T was not given.
    private var paths: [String]?

    var isGiven: Bool { allowsAny || paths != nil }

    mutating func allowAny() { allowsAny = true }

    /// An empty path stands for nobody.
    mutating func add(_ path: String) { paths = (paths ?? []) + (path.isEmpty ? [] : [path]) }

    /// The access object of a new item; nil for the service's own, which trusts this command.
    ///
    /// - Parameter description: what questions call the item.
    /// - Throws: `errSecParam` for a program that cannot be told from others.
    func access(description: String, _ client: KeychainClient) throws(ClientError) -> AccessObject? {
        guard isGiven else { return nil }
        let name = description.isEmpty ? "?" : description
        let access: AccessObject?
        if allowsAny {
            let owner = AccessEntry([.changeACL], .applications([]), description: name)
            let all = AccessEntry(
                AccessAuthorization.restricted.union([.encrypt]), .anyApplication, description: name)
            access = owner.flatMap { owner in all.flatMap { AccessObject(owner: owner, entries: [$0]) } }
        } else {
            var trusted: [TrustedApplication] = []
            for path in paths ?? [] { trusted.append(try Self.program(path, client)) }
            access = AccessObject(description: name, trusting: trusted)
        }
        guard let access else { throw .refused(Refusal(.parameter, .none)) }
        return access
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
    /// Says that keys of keychain files get no other programs yet; nil where nobody asked for it.
    func refuse(_ programs: TrustedPrograms, in keychain: ToolKeychain) -> SecurityResult? {
        guard programs.isGiven, keychain.isFile else { return nil }
        complain("-A and -T are not there yet for keys of keychain files")
        return SecurityResult(code: StatusCode.unimplemented.rawValue)
    }
}
