// SPDX-License-Identifier: Apache-2.0

internal import LocalAuthentication
internal import Security
internal import X509

/// Uses Apple's two modules for keychains beside swift-certificates, which must not take ours for Apple's.
@main
enum AliasedImports {
    static func main() throws {
        let name = try DistinguishedName { CommonName("aliased-imports") }
        let context = LAContext()
        guard PresenceRequirement.isSupported,
            let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil)
        else { return print("no access control object") }
        let status = StoredPassword(service: String(describing: name) as CFString, access: access).store("secret")
        print("\(name): \(status), reuse for \(context.touchIDAuthenticationAllowableReuseDuration) s")
    }
}
