// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The item in which the preferred identity for a service is stored, as on macOS: a generic password without data, with
/// the type `iprf` and the creator `aapl`, named by the service, with the identity's persistent reference as the generic
/// attribute and the uses of the key as the script code.
package struct IdentityPreference: Sendable {
    package let name: String
    /// The bits of CSSM's key uses; 0: all.
    package let uses: Int

    package init(name: String, uses: Int) {
        self.name = name
        self.uses = uses
    }

    /// The attributes by which the item is found.
    package var key: [ItemAttributes.Entry] {
        [
            .init(.service, .string(name)), .init(.account, .string(account)),
            // `iprf`
            .init(.type, .number(0x6970_7266)),
        ]
    }

    /// The other attributes of the item.
    ///
    /// - Parameter identity: the persistent reference of the identity.
    package func values(_ identity: [UInt8]) -> [ItemAttributes.Entry] {
        [
            .init(.label, .string(name)), .init(.generic, .data(identity)),
            // `aapl`
            .init(.creator, .number(0x6161_706C)), .init(.scriptCode, .number(Int64(uses))),
        ]
    }

    /// Differs for different uses, because the script code is not part of the primary key.
    private var account: String { uses == 0 ? "identity preference" : "identity preference, key usage \(uses)" }

    /// The bits of `CSSM_KEYUSE`, which the script code of preferences and the command line use.
    package static let bits: [AttributeKey: Int] = [
        .canEncrypt: 1, .canDecrypt: 2, .canSign: 4, .canVerify: 8, .canSignRecover: 16, .canVerifyRecover: 32,
        .canWrap: 64, .canUnwrap: 128, .canDerive: 1024,
    ]

    /// Returns the preferences for a service and uses, the closest first: for each name, a preference for exactly these
    /// uses precedes a preference for all uses.
    package static func candidates(for name: String, uses: Int) -> [IdentityPreference] {
        names(matching: name).flatMap { name in
            (uses == 0 ? [0] : [uses, 0]).map { IdentityPreference(name: name, uses: $0) }
        }
    }

    /// Returns the names under which a matching preference may be stored, the closest first.
    private static func names(matching name: String) -> [String] {
        var names = [name]
        var host = name[...]
        if let scheme = name.firstRange(of: "://") {
            let rest = name[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            // Every part of the path that ends with a slash, the longest first; the root ends with a slash even if the
            // URL does not.
            var path = rest[end...]
            while let slash = path.lastIndex(of: "/") {
                names.append(String(name[..<slash]) + "/")
                path = path[..<slash]
            }
            names.append(String(name[..<end]) + "/")
            host = rest[..<end]
            if let user = host.lastIndex(of: "@") { host = host[host.index(after: user)...] }
            if let port = host.lastIndex(of: ":"), !host.hasSuffix("]") { host = host[..<port] }
            names.append(String(host))
        } else if name.contains("@") {
            return names
        }
        while let dot = host.firstIndex(of: ".") {
            host = host[host.index(after: dot)...]
            if !host.isEmpty { names.append("*." + host) }
        }
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
