// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// `security list-keychains`, `default-keychain` and `login-keychain`.
///
/// The data-protection keychain is always searched first, and is the default if no other is. So the output lists it
/// among the user's own keychains, and the input may contain it, because scripts write back the list that they read.
enum KeychainLists {
    @Sendable static func runList(_ invocation: SecurityInvocation) -> SecurityResult {
        guard let arguments = Arguments(invocation) else { return .usage }
        guard arguments.sets || arguments.names.isEmpty else { return .usage }
        let domain = arguments.domain
        let function = "SecKeychain\(arguments.sets ? "Set" : "Copy")\(domain == nil ? "" : "Domain")SearchList"
        do throws(ClientError) {
            if arguments.sets {
                guard domain != .dynamic else { throw Self.noSuchDomain }
                try set(arguments.names, domain, invocation)
                return .success
            }
            var paths: [String] = []
            if domain == nil || domain == .user { paths.append(invocation.context.keychain.path) }
            if let domain {
                paths += try invocation.context.client.keychainList(of: domain).searched
            } else {
                paths += try invocation.searchedFiles()
            }
            return show(paths, invocation)
        } catch {
            _ = invocation.fail(function, error)
            return .failure
        }
    }

    private static func set(
        _ names: [String], _ domain: PreferencesDomain?, _ invocation: SecurityInvocation
    ) throws(ClientError) {
        let client = invocation.context.client
        // Keychains on the list for all users would be searched twice.
        let common = domain == nil ? try client.keychainList(of: .common).searched : []
        var paths: [String] = []
        for name in names {
            let keychain = try invocation.keychain(named: name)
            if keychain.isFile, !common.contains(keychain.path) { paths.append(keychain.path) }
        }
        try client.setSearchList(paths, of: domain ?? .user)
    }

    @Sendable static func runDefault(_ invocation: SecurityInvocation) -> SecurityResult {
        guard let arguments = Arguments(invocation), arguments.names.count <= 1 else { return .usage }
        guard arguments.sets || arguments.names.isEmpty else { return .usage }
        let domain = arguments.domain
        let function = "SecKeychain\(arguments.sets ? "Set" : "Copy")\(domain == nil ? "" : "Domain")Default"
        let client = invocation.context.client
        do throws(ClientError) {
            guard domain != .dynamic else { throw Self.noSuchDomain }
            if arguments.sets {
                let keychain: ToolKeychain?
                if let name = arguments.names.first {
                    keychain = try invocation.keychain(named: name)
                } else {
                    keychain = nil
                }
                try client.setDefaultKeychain(keychain?.client.keychainPath, of: domain ?? .user)
                return .success
            }
            let standard = try client.keychainList(of: domain ?? .user).standard
            let own = domain == nil || domain == .user ? invocation.context.keychain.path : nil
            guard let path = standard ?? own else {
                throw .refused(Refusal(.noDefaultKeychain, .noDefaultKeychain))
            }
            return show([path], invocation)
        } catch {
            _ = invocation.fail(function, error)
            return .failure
        }
    }

    @Sendable static func runLogin(_ invocation: SecurityInvocation) -> SecurityResult {
        guard let arguments = Arguments(invocation), arguments.names.count <= 1 else { return .usage }
        guard !arguments.sets else {
            invocation.complain("login-keychain: the login keychain cannot be changed")
            return .failure
        }
        guard arguments.names.isEmpty else { return .usage }
        do throws(ClientError) {
            return show([try invocation.keychain(named: "login.keychain").path], invocation)
        } catch {
            _ = invocation.fail("SecKeychainCopyLogin", error)
            return .failure
        }
    }

    private static func show(_ paths: [String], _ invocation: SecurityInvocation) -> SecurityResult {
        let lines = paths.map { "    \"\($0)\"\n" }
        return invocation.print(lines.joined().utf8) ? .success : .failure
    }

    /// `errSecInvalidPrefsDomain`
    private static var noSuchDomain: ClientError { .refused(Refusal(StatusCode(rawValue: -25319), .unchangeableList)) }

    private struct Arguments {
        var domain: PreferencesDomain?
        var sets = false
        let names: [String]

        /// Parses the domain; nil for wrong usage.
        init?(_ invocation: SecurityInvocation) {
            var options = ShortOptions(flags: "hs", withValue: "d", invocation.words)
            while let option = options.next() {
                switch option {
                case .flag("s"): sets = true
                case .value("d", let word):
                    guard let domain = Self.domains[word] else { return nil }
                    self.domain = domain
                case .flag, .value, .missingValue, .unknown: return nil
                }
            }
            names = Array(options.operands)
        }

        private static let domains: [String: PreferencesDomain] = [
            "user": .user, "system": .system, "common": .common, "dynamic": .dynamic,
        ]
    }
}
