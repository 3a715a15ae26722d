// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainClient
internal import KeychainModel
internal import Security

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
        var parameters: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA]
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
                case "rsa": parameters[kSecAttrKeyType] = kSecAttrKeyTypeRSA
                case "ecdsa", "ec": parameters[kSecAttrKeyType] = kSecAttrKeyTypeECSECPrimeRandom
                default:
                    invocation.complain(
                        "create-keypair: \(name): this version of chatelaine cannot generate keys of this algorithm")
                    return SecurityResult(code: errSecUnimplemented)
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
        do throws(ClientError) {
            keychain = try invocation.keychain(namedOrDefault: keychainName)
            let label = options.operands.first ?? "key"
            parameters.merge(try invocation.accessEntries(programs, description: label, in: keychain)) { $1 }
        } catch {
            return invocation.fail(function, error)
        }
        invocation.noteEffect(of: programs, in: keychain)
        let isRSA = parameters[kSecAttrKeyType] as? String == kSecAttrKeyTypeRSA as String
        parameters[kSecAttrKeySizeInBits] = size ?? (isRSA ? 2048 : 256)
        parameters[kSecAttrIsPermanent] = true
        if let label = options.operands.first { parameters[kSecAttrLabel] = label }
        if let days {
            let from =
                start
                ?? Timestamp(
                    secondsSinceReferenceDate: Double(invocation.context.secondsSince1970() - CivilTime.referenceDate))
            start = from
            end = Timestamp(secondsSinceReferenceDate: from.secondsSinceReferenceDate + Double(days) * 86_400)
        }
        for (key, moment) in [("sdat" as CFString, start), ("edat" as CFString, end)] {
            if let moment {
                parameters[key] = Date(timeIntervalSinceReferenceDate: moment.secondsSinceReferenceDate)
            }
        }
        let status = keychain.client.asCurrent {
            CallsWithoutPointers.createKey(parameters as CFDictionary)
        }
        return status == errSecSuccess ? .success : invocation.fail(function, status)
    }
}
