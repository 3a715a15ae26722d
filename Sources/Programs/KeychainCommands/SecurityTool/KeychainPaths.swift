// SPDX-License-Identifier: Apache-2.0

/// `security list-keychains`, `default-keychain` and `login-keychain`, as far as they show paths: all show the one keychain
/// there is.
enum KeychainPaths {
    @Sendable static func runList(_ invocation: SecurityInvocation) -> SecurityResult {
        show(invocation)
    }

    @Sendable static func runSingle(_ invocation: SecurityInvocation) -> SecurityResult {
        show(invocation)
    }

    private static func show(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hs", withValue: "d", invocation.words)
        var sets = false
        while let option = options.next() {
            switch option {
            case .flag("s"): sets = true
            case .value("d", let domain):
                guard ["user", "system", "common", "dynamic"].contains(domain) else { return .usage }
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        guard sets || options.operands.isEmpty else { return .usage }
        guard !sets else {
            invocation.complain("there is one keychain for each user, and the choice cannot be changed yet")
            return SecurityResult(code: -4)
        }
        return invocation.print("    \"\(invocation.context.keychain.path)\"\n".utf8) ? .success : .failure
    }
}
