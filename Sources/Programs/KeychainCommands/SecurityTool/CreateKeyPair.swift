// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel
internal import SecurityValues

/// `security create-keypair`
enum CreateKeyPair {
    static let usage = """
        [-a alg] [-s size] [-f date] [-t date] [-d days] [-k keychain] [-A|-T appPath] [name]
            -a  The algorithm: rsa or ecdsa (rsa, if omitted)
            -s  The size in bits (rsa: 2048, if omitted; ecdsa: 256)
            -f  Valid from this date, as 20260131120000Z
            -t  Valid until this date
            -d  Validity in days
            -k  The keychain to add to
            -A  Let any program use the keys
            -T  Let a program use the keys, a path or group://NAME; "" for none, so that each use shows a prompt
        """

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hA", withValue: "asftdkT", invocation.words)
        var type = KeyType.rsa
        var size: Int?
        var (start, end): (Timestamp?, Timestamp?)
        var days: Int?
        var keychainName: String?
        var programs = TrustedPrograms()
        while let option = options.next() {
            switch option {
            case .flag("A"): programs.allowAny()
            case .value("T", let path): programs.add(path)
            case .value("a", let name):
                switch name.lowercased() {
                case "rsa": type = .rsa
                case "ecdsa", "ec": type = .ellipticCurve
                default:
                    invocation.complain(
                        "create-keypair: \(name): this version of chatelaine cannot generate keys of this algorithm")
                    return SecurityResult(code: StatusCode.unimplemented.rawValue)
                }
            case .value("s", let text):
                guard let bits = Int(text) else { return .usage }
                size = bits
            case .value("f", let text):
                guard let moment = CivilTime.moment(compact: text) else { return .usage }
                start = moment
            case .value("t", let text):
                guard let moment = CivilTime.moment(compact: text) else { return .usage }
                end = moment
            case .value("d", let text):
                guard let count = Int(text), count > 0, count < 1 << 20 else { return .usage }
                days = count
            case .value("k", let name): keychainName = name
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        guard options.operands.count <= 1 else { return .usage }
        let function = "SecKeyCreatePair"
        let keychain: ToolKeychain
        var entries: [ItemAttributes.Entry] = []
        do throws(ClientError) {
            keychain = try invocation.keychain(namedOrDefault: keychainName)
            entries = try invocation.accessEntries(programs, description: options.operands.first ?? "key", in: keychain)
        } catch {
            return invocation.fail(function, error)
        }
        invocation.noteEffect(of: programs, in: keychain)
        if let label = options.operands.first { entries.append(.init(.label, .string(label))) }
        if let days {
            let from =
                start
                ?? Timestamp(
                    secondsSinceReferenceDate: Double(invocation.context.secondsSince1970() - CivilTime.referenceDate))
            start = from
            end = Timestamp(secondsSinceReferenceDate: from.secondsSinceReferenceDate + Double(days) * 86_400)
        }
        if let start { entries.append(.init(.startDate, .date(start))) }
        if let end { entries.append(.init(.endDate, .date(end))) }
        let key: PrivateKey
        do throws(KeyError) {
            key = try PrivateKey(generating: type, sizeInBits: size ?? (type == .rsa ? 2048 : 256))
        } catch {
            return invocation.fail(function, error.status.rawValue)
        }
        do throws(ClientError) {
            try store(key, entries, keychain.client)
        } catch {
            return invocation.fail(function, error.status.rawValue)
        }
        return .success
    }

    /// Adds both halves, or none.
    private static func store(
        _ key: PrivateKey, _ entries: [ItemAttributes.Entry], _ client: KeychainClient
    ) throws(ClientError) {
        let reference = try client.add(StoredKey(.privateKey(key)), entries)
        do throws(ClientError) {
            _ = try client.add(StoredKey(.publicKey(key.publicKey)), entries)
        } catch {
            // A pair without one half could be found, but not used. If the deletion fails, the reason is the same.
            try? client.delete(ItemQuery(reference))
            throw error
        }
    }
}
