// SPDX-License-Identifier: Apache-2.0

// Nothing but Security is imported beside the test framework: a file that uses the keychain and says no more must do.
import Security
import Testing

@Suite struct `Code that imports Security alone` {
    @Test func `builds a query of text keys`() {
        func passwordQuery(service: String, account: String) -> [String: Any] {
            let dictionary =
                [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrAccount as String: account,
                    kSecAttrService as String: service,
                    kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
                ] as [String: Any]
            return dictionary
        }
        var query = passwordQuery(service: "mail", account: "joe")
        query[kSecValueData as String] = "secret".data(using: String.Encoding.utf8, allowLossyConversion: false)
        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        let seen = query as CFDictionary
        #expect(seen[kSecClass] as? String == "genp")
        #expect(seen["pdmn"] as! String == "ak")
        #expect(seen[kSecValueData] as? Data == Data("secret".utf8))
        #expect(seen[kSecReturnData] as? Bool == true)
        #expect(seen[kSecMatchLimit] as! CFString == kSecMatchLimitOne)
    }

    @Test func `builds a query of CFString keys`() {
        let query: [CFString: Any] = [
            kSecClass: kSecClassInternetPassword, kSecAttrPort: 443, kSecAttrProtocol: kSecAttrProtocolHTTPS,
            kSecReturnAttributes: true,
        ]
        let seen = query as CFDictionary
        #expect(seen["port"] as? Int == 443)
        #expect(seen["ptcl"] as? String == "htps")
        let changing = [kSecClass: kSecClassKey, kSecAttrKeySizeInBits: 256] as NSMutableDictionary
        changing[kSecAttrKeyType] = kSecAttrKeyTypeECSECPrimeRandom
        #expect(changing["type"] as? String == "73")
    }

    @Test func `keeps the old-fashioned dictionary`() {
        let query = NSMutableDictionary(
            objects: [kSecClassGenericPassword, "mail", true], forKeys: [kSecClass, kSecAttrService, kSecReturnData])
        query.setValue("joe", forKey: kSecAttrAccount as String)
        #expect((query as CFDictionary)[kSecAttrAccount] as? String == "joe")
    }

    @Test func `reads an item by any kind of key`() {
        let item: CFTypeRef = [kSecAttrAccount: "joe", kSecAttrLabel: "Mail"] as NSDictionary
        #expect((item as! [AnyHashable: Any])[kSecAttrAccount] as? String == "joe")
        #expect((item as! [String: Any])[kSecAttrAccount as String] as? String == "joe")
        #expect((item as! [CFString: Any])[kSecAttrLabel] as? String == "Mail")
        #expect((item as? NSDictionary)?[String(kSecAttrLabel)] as? String == "Mail")
        #expect("\(kSecAttrAccount)" == "acct")
        #expect(CFGetTypeID(item) == CFDictionaryGetTypeID())
    }

    @Test func `switches over classes and codes`() {
        func name(_ itemClass: CFString) -> String {
            switch itemClass {
            case kSecClassGenericPassword: "generic"
            case kSecClassInternetPassword: "internet"
            default: "other"
            }
        }
        #expect(name("genp" as CFString) == "generic")
        #expect(name(kSecClassKey) == "other")

        func isMissing(_ status: OSStatus) -> Bool {
            switch status {
            case errSecSuccess: false
            case errSecItemNotFound, errSecNoSuchKeychain: true
            default: false
            }
        }
        #expect(isMissing(-25300))
        #expect(!isMissing(noErr))
        let classes: Set<CFString> = [kSecClassGenericPassword, kSecClassInternetPassword]
        #expect(classes.contains("genp" as CFString))
    }

    @Test func `keeps constants in statics and uses them from an actor`() async {
        enum Keys { static let account = kSecAttrAccount as String }
        actor Store { func key() -> String { kSecAttrService as String } }
        #expect(Keys.account == "acct")
        #expect(await Store().key() == "svce")
    }

    @Test func `makes an error of a status`() {
        let text = SecCopyErrorMessageString(errSecItemNotFound, nil) as String? ?? "unknown"
        let error = NSError(
            domain: NSOSStatusErrorDomain, code: Int(errSecItemNotFound), userInfo: [NSLocalizedDescriptionKey: text])
        #expect(error.localizedDescription == "The specified item could not be found in the keychain.")
        #expect(error.domain == kCFErrorDomainOSStatus as String)
    }

    @Test func `knows the names that headers misspell`() {
        #expect(errSecInvaldCRLAuthority == errSecInvalidCRLAuthority)
        #expect(errSecInvalidTupleCredendtials == errSecInvalidTupleCredentials)
        #expect(errSecDskFull == errSecDiskFull)
    }
}

@Suite struct `Values that stored data depends on` {
    // Written out a second time, apart from the table that the constants come from.
    @Test(arguments: [
        (kSecClassGenericPassword as String, "genp"), (kSecClassIdentity as String, "idnt"),
        (kSecAttrAccessGroup as String, "agrp"), (kSecAttrSynchronizableAny as String, "syna"),
        (kSecAttrProtocolFTP as String, "ftp "), (kSecAttrProtocolSOCKS as String, "sox "),
        (kSecAttrAuthenticationTypeDefault as String, "dflt"), (kSecAttrKeyClassSymmetric as String, "2"),
        (kSecAttrKeyTypeRSA as String, "42"), (kSecAttrKeyTypeAES as String, "2147483649"),
        (kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as String, "akpu"),
        (kSecMatchLimitAll as String, "m_LimitAll"), (kSecReturnPersistentRef as String, "r_PersistentRef"),
        (kSecValueData as String, "v_Data"), (kSecUseDataProtectionKeychain as String, "nleg"),
        (kSecUseAuthenticationUISkip as String, "u_AuthUIS"),
        (kSecAttrTokenIDSecureEnclave as String, "com.apple.setoken"),
    ])
    func `are Apple's`(constant: String, value: String) {
        #expect(constant == value)
    }
}

@Suite struct `Random bytes` {
    @Test func `fill a whole array, whatever its length`() {
        for count in [1, 7, 8, 9, 33] {
            // A byte that is zero in 16 draws running has a chance of 2^-128: the byte is not written.
            var seen = [UInt8](repeating: 0, count: count)
            for _ in 0..<16 {
                var bytes = [UInt8](repeating: 0, count: count)
                #expect(SecRandomCopyBytes(kSecRandomDefault, count, &bytes) == errSecSuccess)
                for index in bytes.indices { seen[index] |= bytes[index] }
            }
            #expect(!seen.contains(0))
        }
    }

    @Test func `stay within the length`() {
        var bytes = [UInt8](repeating: 0, count: 16)
        for _ in 0..<16 { SecRandomCopyBytes(nil, 5, &bytes) }
        #expect(bytes[5...].allSatisfy { $0 == 0 })
    }

    @Test func `go into Data and refuse a negative count`() {
        var data = Data(count: 32)
        let status = data.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, 32, $0.baseAddress!) }
        #expect(status == errSecSuccess)
        #expect(data != Data(count: 32))
        var byte: UInt8 = 0
        #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &byte) == errSecParam)
        #expect(SecRandomCopyBytes(kSecRandomDefault, 0, &byte) == errSecSuccess)
    }
}

@Suite struct `Shared web credential passwords` {
    @Test func `have Apple's form, each set, and another text each time`() throws {
        let form = #/([a-hkmnop-yA-HJ-NP-Z3-9]{3})(-[a-hkmnop-yA-HJ-NP-Z3-9]{3}){3}/#
        var seen: Set<String> = []
        for _ in 0..<100 {
            let password: CFString = try #require(SecCreateSharedWebCredentialPassword())
            let text = password as String
            #expect(text.wholeMatch(of: form) != nil, "\(text)")
            #expect(text.contains(where: \.isUppercase) && text.contains(where: \.isLowercase))
            #expect(text.contains { $0.isNumber })
            seen.insert(text)
        }
        #expect(seen.count == 100)
    }
}
