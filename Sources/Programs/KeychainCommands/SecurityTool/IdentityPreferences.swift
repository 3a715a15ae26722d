// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel
internal import SecurityValues

/// `security set-identity-preference` and `get-identity-preference`
enum IdentityPreferences {
    static let setUsage = """
        [-n] [-c identity] [-s service] [-u keyUsage] [-Z hash] [keychain...]
            -n  Choose no identity: remove the preference
            -c  The common name of its certificate, or a part of it
            -s  The service: a URL, a host, an e-mail address or another name (required)
            -u  The uses of the key (0, all, if omitted)
            -Z  The SHA-1 or SHA-256 hash of its certificate
        \(uses)
        """

    static let getUsage = """
        [-s service] [-u keyUsage] [-p] [-c] [-Z] [keychain...]
            -s  The service (required)
            -u  The uses of the key (0, all, if omitted)
            -p  Print the certificate in PEM
            -c  Print the common name of the certificate
            -Z  Print the SHA-1 hash of the certificate
        \(uses)
        """

    private static let uses = """
        Key usages, added up for several: 1 encrypt, 2 decrypt, 4 sign, 8 verify, 16 sign with recovery,
        32 verify with recovery, 64 wrap, 128 unwrap, 1024 derive.
        """

    @Sendable static func runSet(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hn", withValue: "csuZ", invocation.words)
        var filter = CertificateFilter()
        var service: String?
        var usage = 0
        var clears = false
        while let option = options.next() {
            switch option {
            case .flag("n"): clears = true
            case .value("c", let name): filter.name = name
            case .value("s", let name): service = name
            case .value("u", let number):
                guard let uses = keyUses(number) else { return .usage }
                usage = uses
            case .value("Z", let hash): filter.hash = hash
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        guard let service, clears != (filter.name != nil || filter.hash != nil) else { return .usage }
        let function = "SecIdentitySetPreferred"
        if let result = refuseFiles(options.operands, function, invocation) { return result }
        var identity: PersistentReference?
        if !clears {
            do throws(ClientError) {
                let found = try invocation.context.client.listIdentities().first { filter.accepts($0.certificate) }
                identity = found?.certificate.item.reference.of(.identity)
            } catch {
                return invocation.fail(function, error)
            }
            guard identity != nil else {
                return invocation.fail("SecIdentitySearchCopyNext", StatusCode.itemNotFound.rawValue)
            }
        }
        guard !service.isEmpty else { return invocation.fail(function, StatusCode.parameter.rawValue) }
        do throws(ClientError) {
            try set(IdentityPreference(name: service, uses: usage), identity, invocation.context.client)
        } catch {
            return invocation.fail(function, error.status.rawValue)
        }
        return .success
    }

    /// Stores a preference, or removes it if there is no identity.
    private static func set(
        _ preference: IdentityPreference, _ identity: PersistentReference?, _ client: KeychainClient
    ) throws(ClientError) {
        let query = try query(preference, client)
        guard let identity else { return try client.delete(query) }
        let addition = try client.attributes(
            .genericPassword, for: .add, preference.key + preference.values(identity.bytes))
        do throws(ClientError) {
            _ = try client.add(addition, secret: [UInt8]?.none) { _ in }
        } catch {
            guard error.status == .duplicateItem else { throw error }
            let changes = try client.attributes(
                .genericPassword, for: .update, [.init(.generic, .data(identity.bytes))])
            try client.update(query, changes: changes, secret: [UInt8]?.none)
        }
    }

    private static func query(
        _ preference: IdentityPreference, _ client: KeychainClient
    ) throws(ClientError) -> ItemQuery {
        var query = ItemQuery(.genericPassword)
        query.attributes = try client.attributes(.genericPassword, for: .query, preference.key)
        return query
    }

    @Sendable static func runGet(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hpcZ", withValue: "su", invocation.words)
        var flags: Set<Character> = []
        var service: String?
        var usage = 0
        while let option = options.next() {
            switch option {
            case .flag("h"): return .usage
            case .flag(let letter): flags.insert(letter)
            case .value("s", let name): service = name
            case .value("u", let number):
                guard let uses = keyUses(number) else { return .usage }
                usage = uses
            case .value, .missingValue, .unknown: return .usage
            }
        }
        guard let service else { return .usage }
        let function = "SecIdentityCopyPreferred"
        if let result = refuseFiles(options.operands, function, invocation) { return result }
        guard let certificate = preferred(for: service, uses: usage, invocation.context.client) else {
            return invocation.fail(function, StatusCode.itemNotFound.rawValue)
        }
        var text = ""
        if flags.isEmpty || flags.contains("c") {
            text += "common name: \"\(visible(certificate.commonName ?? certificate.subjectSummary ?? ""))\"\n"
        }
        if flags.contains("Z") { text += "SHA-1 hash: \(certificate.sha1Fingerprint.hexadecimal.uppercased())\n" }
        if flags.contains("p") { text += certificate.pem }
        return invocation.print(text.utf8) ? .success : .failure
    }

    /// Refuses keychain files, because preferences, and the identities that they choose, are in the data-protection
    /// keychain.
    private static func refuseFiles(
        _ names: ArraySlice<String>, _ function: String, _ invocation: SecurityInvocation
    ) -> SecurityResult? {
        do throws(ClientError) {
            for name in names where try invocation.keychain(named: name).isFile {
                invocation.complain("\(function): keychain files have no identity preferences")
                return SecurityResult(code: StatusCode.unimplemented.rawValue)
            }
            return nil
        } catch {
            return invocation.fail(function, error)
        }
    }

    /// Returns the certificate of the preferred identity; nil if no preference exists, if the identity was deleted, and
    /// if the service cannot be reached.
    private static func preferred(for name: String, uses: Int, _ client: KeychainClient) -> Certificate? {
        for preference in IdentityPreference.candidates(for: name, uses: uses) {
            guard let query = try? query(preference, client),
                let item = try? client.copyMatching(query, limit: .one, returning: .attributes, copy: { _ in }).first,
                case .data(let bytes)? = item.attributes?[.generic]
            else { continue }
            guard let reference = PersistentReference(bytes: bytes), reference.itemClass == .identity,
                let found = try? client.copyIdentities(
                    ItemQuery(reference), limit: .one, returning: .attributes, copy: { _ in }),
                let half = found.first?.certificate.reference,
                let certificate = try? client.copyMatching(
                    ItemQuery(half), limit: .one, returning: .data, copy: { try? Certificate($0) })
            else { return nil }
            return certificate.first?.secret ?? nil
        }
        return nil
    }

    /// Returns the key uses; nil for a number with an unknown bit.
    private static func keyUses(_ text: String) -> Int? {
        guard let uses = Int(text), uses >= 0 else { return nil }
        let known = IdentityPreference.bits.values.reduce(0, |)
        return uses & ~known == 0 ? uses : nil
    }
}
