// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainTesting
import Security
import Testing

/// The typed API and Apple's functions work on the same items.
struct InteroperationTests {
    private let memory: InMemoryKeychain

    init() throws { memory = try InMemoryKeychain() }

    private let site = InternetPassword(
        server: "example.com", account: "ann", protocol: .https, port: 8443, path: "/login", securityDomain: "d",
        authenticationType: .htmlForm, label: "l", accessGroup: "tests")

    private let dictionary: [CFString: Any] = [
        kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com", kSecAttrAccount: "ann",
        kSecAttrProtocol: kSecAttrProtocolHTTPS, kSecAttrPort: 8443, kSecAttrPath: "/login",
        kSecAttrSecurityDomain: "d", kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTMLForm,
    ]

    @Test func `what SecItemAdd stored is found as the same item`() async throws {
        let status = memory.run {
            SecItemAdd(
                dictionary.merging([kSecAttrLabel: "l", kSecValueData: Data([1])]) { $1 } as CFDictionary, nil)
        }
        #expect(status == errSecSuccess)
        let found = try #require(try await memory.keychain.reveal(site))
        #expect(found.item.attributes == site && found.secret?.count == 1)
        await expectError(.duplicateItem) { () throws(KeychainError) in
            try await memory.keychain.add(site, secret: nil)
        }
    }

    @Test func `what was stored here SecItemCopyMatching finds by Apple's constants`() async throws {
        try await memory.keychain.store(site, secret: SecretData(copying: [1]))
        var result: CFTypeRef?
        let status = memory.run {
            SecItemCopyMatching(
                dictionary.merging([kSecReturnAttributes: true, kSecReturnData: true]) { $1 } as CFDictionary, &result)
        }
        #expect(status == errSecSuccess)
        let attributes = try #require(result as? [String: Any])
        #expect(attributes[kSecAttrProtocol as String] as? String == "htps")
        #expect(attributes[kSecAttrPort as String] as? Int == 8443)
        #expect(attributes[kSecValueData as String] as? Data == Data([1]))
        #expect(memory.run { SecItemAdd(dictionary as CFDictionary, nil) } == errSecDuplicateItem)
    }

    @Test func `an item added with nothing but a server is the same item both ways`() async throws {
        let bare: [CFString: Any] = [kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com"]
        #expect(memory.run { SecItemAdd(bare as CFDictionary, nil) } == errSecSuccess)
        let item = InternetPassword(server: "example.com", accessGroup: "tests")
        #expect(try await memory.keychain.find(item)?.attributes == item)
        #expect(try await memory.keychain.delete(item))
        try await memory.keychain.add(item, secret: nil)
        #expect(memory.run { SecItemAdd(bare as CFDictionary, nil) } == errSecDuplicateItem)
    }

    @Test func `a persistent reference of one is one of the other`() async throws {
        var result: CFTypeRef?
        let status = memory.run {
            SecItemAdd(dictionary.merging([kSecReturnPersistentRef: true]) { $1 } as CFDictionary, &result)
        }
        #expect(status == errSecSuccess)
        let bytes = try #require(result as? Data)
        let reference = try #require(ItemReference<InternetPassword>(bytes: bytes))
        #expect(try await memory.keychain.find(reference)?.server == "example.com")
        let query = [kSecValuePersistentRef: Data(reference.bytes)] as CFDictionary
        #expect(memory.run { SecItemDelete(query) } == errSecSuccess)
        #expect(try await !memory.keychain.contains(reference))
    }

    @Test func `text that another program stored as data or a number is read as a person would`() async throws {
        let odd: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: Data("mail".utf8), kSecAttrAccount: 7,
            kSecAttrLabel: Data([0xFF]),
        ]
        #expect(memory.run { SecItemAdd(odd as CFDictionary, nil) } == errSecSuccess)
        let found = try #require(try await memory.keychain.find(GenericPassword.Query(service: "mail")))
        #expect(found.service == "mail" && found.account == "7" && found.label == "\u{FFFD}")
        try await memory.keychain.update(found, applying: .init(label: "l"))
        #expect(try await memory.keychain.find(found.reference)?.label == "l")
    }

    @Test func `the constants are Apple's`() {
        let protocols: [(InternetProtocol, CFString)] = [
            (.ftp, kSecAttrProtocolFTP), (.ftpAccount, kSecAttrProtocolFTPAccount), (.http, kSecAttrProtocolHTTP),
            (.irc, kSecAttrProtocolIRC), (.nntp, kSecAttrProtocolNNTP), (.pop3, kSecAttrProtocolPOP3),
            (.smtp, kSecAttrProtocolSMTP), (.socks, kSecAttrProtocolSOCKS), (.imap, kSecAttrProtocolIMAP),
            (.ldap, kSecAttrProtocolLDAP), (.appleTalk, kSecAttrProtocolAppleTalk), (.afp, kSecAttrProtocolAFP),
            (.telnet, kSecAttrProtocolTelnet), (.ssh, kSecAttrProtocolSSH), (.ftps, kSecAttrProtocolFTPS),
            (.https, kSecAttrProtocolHTTPS), (.httpProxy, kSecAttrProtocolHTTPProxy),
            (.httpsProxy, kSecAttrProtocolHTTPSProxy), (.ftpProxy, kSecAttrProtocolFTPProxy),
            (.smb, kSecAttrProtocolSMB), (.rtsp, kSecAttrProtocolRTSP), (.rtspProxy, kSecAttrProtocolRTSPProxy),
            (.daap, kSecAttrProtocolDAAP), (.eppc, kSecAttrProtocolEPPC), (.ipp, kSecAttrProtocolIPP),
            (.nntps, kSecAttrProtocolNNTPS), (.ldaps, kSecAttrProtocolLDAPS), (.telnets, kSecAttrProtocolTelnetS),
            (.imaps, kSecAttrProtocolIMAPS), (.ircs, kSecAttrProtocolIRCS), (.pop3s, kSecAttrProtocolPOP3S),
        ]
        #expect(protocols.count == 31 && Set(protocols.map(\.0)).count == 31)
        for (ours, apples) in protocols { #expect(ours.rawValue == apples as String) }
        let types: [(AuthenticationType, CFString)] = [
            (.ntlm, kSecAttrAuthenticationTypeNTLM), (.msn, kSecAttrAuthenticationTypeMSN),
            (.dpa, kSecAttrAuthenticationTypeDPA), (.rpa, kSecAttrAuthenticationTypeRPA),
            (.httpBasic, kSecAttrAuthenticationTypeHTTPBasic), (.httpDigest, kSecAttrAuthenticationTypeHTTPDigest),
            (.htmlForm, kSecAttrAuthenticationTypeHTMLForm), (.default, kSecAttrAuthenticationTypeDefault),
        ]
        #expect(types.count == 8 && Set(types.map(\.0)).count == 8)
        for (ours, apples) in types { #expect(ours.rawValue == apples as String) }
    }
}
