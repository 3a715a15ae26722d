// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

enum InternetPasswords {
    private static let server = "idioms.example.com"
    private static var query: [String: Any] {
        [kSecClass as String: kSecClassInternetPassword, kSecAttrServer as String: server]
    }

    static func storeAndFind() throws {
        SecItemDelete(query as CFDictionary)
        let address = try some(URL(string: "https://\(server):8443/login"))
        let credential: (user: String?, password: String?) = ("ann", "secret")
        var item: [String: Any] = [kSecClass as String: kSecClassInternetPassword]
        item[kSecAttrServer as String] = address.host
        item[kSecAttrPort as String] = address.port
        item[kSecAttrPath as String] = address.path
        item[kSecAttrProtocol as String] = address.scheme == "https" ? kSecAttrProtocolHTTPS : kSecAttrProtocolHTTP
        item[kSecAttrAuthenticationType as String] = kSecAttrAuthenticationTypeHTMLForm
        item[kSecAttrAccount as String] = credential.user
        item[kSecValueData as String] = credential.password?.data(using: .utf8)
        try expect(SecItemAdd(item as CFDictionary, nil))

        var search = query
        search[kSecMatchLimit as String] = kSecMatchLimitOne
        search[kSecReturnAttributes as String] = true
        search[kSecReturnData as String] = true
        var result: CFTypeRef?
        try expect(SecItemCopyMatching(search as CFDictionary, &result))
        guard let found = result as? [String: Any],
            let password = (found[kSecValueData as String] as? Data).flatMap({ String(data: $0, encoding: .utf8) }),
            let account = found[kSecAttrAccount as String] as? String
        else { throw Unexpected(description: "not a password") }
        try expect((account, password) == ("ann", "secret"))
        try expect(found[kSecAttrPort as String] as? Int == 8443)
        try expect((found[kSecAttrPort as String] as? NSNumber)?.stringValue == "8443")
        try expect(found[kSecAttrProtocol as String] as? String == kSecAttrProtocolHTTPS as String)
        try expect(found[kSecAttrSecurityDomain as String] as? String == "")
        try expect(SecItemDelete(query as CFDictionary))
    }

    static func overlookCase() throws {
        SecItemDelete(query as CFDictionary)
        try expect(
            SecItemAdd(
                query.merging([kSecAttrAccount as String: "ImaUser"]) { $1 } as CFDictionary, nil))
        var result: AnyObject?
        let search =
            [
                kSecClass: kSecClassInternetPassword, kSecAttrAccount: "imauser", kSecMatchCaseInsensitive: true,
                kSecReturnAttributes: true,
            ] as [CFString: Any]
        try expect(SecItemCopyMatching(search as CFDictionary, &result))
        try expect((result as? [String: Any])?[kSecAttrAccount as String] as? String == "ImaUser")
        try expect(SecItemDelete(query as CFDictionary))
    }
}
