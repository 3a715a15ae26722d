// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Semantics 1.1 and 1.4 to 1.12: names that occur in stored data, or that programs write as literals.
struct Constant: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let actual: String
    let expected: String

    init(_ name: String, _ constant: CFString, _ expected: String) {
        testDescription = name
        actual = constant as String
        self.expected = expected
    }

    static let all: [Constant] = [
        Constant("kSecAttrProtocolFTP", kSecAttrProtocolFTP, "ftp "),
        Constant("kSecAttrProtocolFTPAccount", kSecAttrProtocolFTPAccount, "ftpa"),
        Constant("kSecAttrProtocolHTTP", kSecAttrProtocolHTTP, "http"),
        Constant("kSecAttrProtocolIRC", kSecAttrProtocolIRC, "irc "),
        Constant("kSecAttrProtocolNNTP", kSecAttrProtocolNNTP, "nntp"),
        Constant("kSecAttrProtocolPOP3", kSecAttrProtocolPOP3, "pop3"),
        Constant("kSecAttrProtocolSMTP", kSecAttrProtocolSMTP, "smtp"),
        Constant("kSecAttrProtocolSOCKS", kSecAttrProtocolSOCKS, "sox "),
        Constant("kSecAttrProtocolIMAP", kSecAttrProtocolIMAP, "imap"),
        Constant("kSecAttrProtocolLDAP", kSecAttrProtocolLDAP, "ldap"),
        Constant("kSecAttrProtocolAppleTalk", kSecAttrProtocolAppleTalk, "atlk"),
        Constant("kSecAttrProtocolAFP", kSecAttrProtocolAFP, "afp "),
        Constant("kSecAttrProtocolTelnet", kSecAttrProtocolTelnet, "teln"),
        Constant("kSecAttrProtocolSSH", kSecAttrProtocolSSH, "ssh "),
        Constant("kSecAttrProtocolFTPS", kSecAttrProtocolFTPS, "ftps"),
        Constant("kSecAttrProtocolHTTPS", kSecAttrProtocolHTTPS, "htps"),
        Constant("kSecAttrProtocolHTTPProxy", kSecAttrProtocolHTTPProxy, "htpx"),
        Constant("kSecAttrProtocolHTTPSProxy", kSecAttrProtocolHTTPSProxy, "htsx"),
        Constant("kSecAttrProtocolFTPProxy", kSecAttrProtocolFTPProxy, "ftpx"),
        Constant("kSecAttrProtocolSMB", kSecAttrProtocolSMB, "smb "),
        Constant("kSecAttrProtocolRTSP", kSecAttrProtocolRTSP, "rtsp"),
        Constant("kSecAttrProtocolRTSPProxy", kSecAttrProtocolRTSPProxy, "rtsx"),
        Constant("kSecAttrProtocolDAAP", kSecAttrProtocolDAAP, "daap"),
        Constant("kSecAttrProtocolEPPC", kSecAttrProtocolEPPC, "eppc"),
        Constant("kSecAttrProtocolIPP", kSecAttrProtocolIPP, "ipp "),
        Constant("kSecAttrProtocolNNTPS", kSecAttrProtocolNNTPS, "ntps"),
        Constant("kSecAttrProtocolLDAPS", kSecAttrProtocolLDAPS, "ldps"),
        Constant("kSecAttrProtocolTelnetS", kSecAttrProtocolTelnetS, "tels"),
        Constant("kSecAttrProtocolIMAPS", kSecAttrProtocolIMAPS, "imps"),
        Constant("kSecAttrProtocolIRCS", kSecAttrProtocolIRCS, "ircs"),
        Constant("kSecAttrProtocolPOP3S", kSecAttrProtocolPOP3S, "pops"),
        Constant("kSecAttrAuthenticationTypeNTLM", kSecAttrAuthenticationTypeNTLM, "ntlm"),
        Constant("kSecAttrAuthenticationTypeMSN", kSecAttrAuthenticationTypeMSN, "msna"),
        Constant("kSecAttrAuthenticationTypeDPA", kSecAttrAuthenticationTypeDPA, "dpaa"),
        Constant("kSecAttrAuthenticationTypeRPA", kSecAttrAuthenticationTypeRPA, "rpaa"),
        Constant("kSecAttrAuthenticationTypeHTTPBasic", kSecAttrAuthenticationTypeHTTPBasic, "http"),
        Constant("kSecAttrAuthenticationTypeHTTPDigest", kSecAttrAuthenticationTypeHTTPDigest, "httd"),
        Constant("kSecAttrAuthenticationTypeHTMLForm", kSecAttrAuthenticationTypeHTMLForm, "form"),
        Constant("kSecAttrAuthenticationTypeDefault", kSecAttrAuthenticationTypeDefault, "dflt"),
        Constant("kSecClass", kSecClass, "class"),
        Constant("kSecClassGenericPassword", kSecClassGenericPassword, "genp"),
        Constant("kSecClassInternetPassword", kSecClassInternetPassword, "inet"),
        Constant("kSecClassCertificate", kSecClassCertificate, "cert"),
        Constant("kSecClassKey", kSecClassKey, "keys"),
        Constant("kSecClassIdentity", kSecClassIdentity, "idnt"),
        Constant("kSecAttrAccess", kSecAttrAccess, "acls"),
        Constant("kSecAttrAccessGroup", kSecAttrAccessGroup, "agrp"),
        Constant("kSecAttrAccessible", kSecAttrAccessible, "pdmn"),
        Constant("kSecAttrAccessControl", kSecAttrAccessControl, "accc"),
        Constant("kSecAttrSynchronizable", kSecAttrSynchronizable, "sync"),
        Constant("kSecAttrCreationDate", kSecAttrCreationDate, "cdat"),
        Constant("kSecAttrModificationDate", kSecAttrModificationDate, "mdat"),
        Constant("kSecAttrLabel", kSecAttrLabel, "labl"),
        Constant("kSecAttrTokenID", kSecAttrTokenID, "tkid"),
        Constant("kSecAttrSyncViewHint", kSecAttrSyncViewHint, "vwht"),
        Constant("kSecAttrAccount", kSecAttrAccount, "acct"),
        Constant("kSecAttrService", kSecAttrService, "svce"),
        Constant("kSecAttrGeneric", kSecAttrGeneric, "gena"),
        Constant("kSecAttrDescription", kSecAttrDescription, "desc"),
        Constant("kSecAttrComment", kSecAttrComment, "icmt"),
        Constant("kSecAttrCreator", kSecAttrCreator, "crtr"),
        Constant("kSecAttrType", kSecAttrType, "type"),
        Constant("kSecAttrIsInvisible", kSecAttrIsInvisible, "invi"),
        Constant("kSecAttrIsNegative", kSecAttrIsNegative, "nega"),
        Constant("kSecAttrSecurityDomain", kSecAttrSecurityDomain, "sdmn"),
        Constant("kSecAttrServer", kSecAttrServer, "srvr"),
        Constant("kSecAttrProtocol", kSecAttrProtocol, "ptcl"),
        Constant("kSecAttrAuthenticationType", kSecAttrAuthenticationType, "atyp"),
        Constant("kSecAttrPort", kSecAttrPort, "port"),
        Constant("kSecAttrPath", kSecAttrPath, "path"),
        Constant("kSecAttrCertificateType", kSecAttrCertificateType, "ctyp"),
        Constant("kSecAttrIssuer", kSecAttrIssuer, "issr"),
        Constant("kSecAttrSerialNumber", kSecAttrSerialNumber, "slnr"),
        Constant("kSecAttrCertificateEncoding", kSecAttrCertificateEncoding, "cenc"),
        Constant("kSecAttrSubject", kSecAttrSubject, "subj"),
        Constant("kSecAttrSubjectKeyID", kSecAttrSubjectKeyID, "skid"),
        Constant("kSecAttrPublicKeyHash", kSecAttrPublicKeyHash, "pkhh"),
        Constant("kSecAttrKeyClass", kSecAttrKeyClass, "kcls"),
        Constant("kSecAttrApplicationLabel", kSecAttrApplicationLabel, "klbl"),
        Constant("kSecAttrApplicationTag", kSecAttrApplicationTag, "atag"),
        Constant("kSecAttrKeyType", kSecAttrKeyType, "type"),
        Constant("kSecAttrKeySizeInBits", kSecAttrKeySizeInBits, "bsiz"),
        Constant("kSecAttrEffectiveKeySize", kSecAttrEffectiveKeySize, "esiz"),
        Constant("kSecAttrIsPermanent", kSecAttrIsPermanent, "perm"),
        Constant("kSecAttrCanEncrypt", kSecAttrCanEncrypt, "encr"),
        Constant("kSecAttrCanDecrypt", kSecAttrCanDecrypt, "decr"),
        Constant("kSecAttrCanDerive", kSecAttrCanDerive, "drve"),
        Constant("kSecAttrCanSign", kSecAttrCanSign, "sign"),
        Constant("kSecAttrCanVerify", kSecAttrCanVerify, "vrfy"),
        Constant("kSecAttrCanWrap", kSecAttrCanWrap, "wrap"),
        Constant("kSecAttrCanUnwrap", kSecAttrCanUnwrap, "unwp"),
        Constant("kSecAttrKeyClassPublic", kSecAttrKeyClassPublic, "0"),
        Constant("kSecAttrKeyClassPrivate", kSecAttrKeyClassPrivate, "1"),
        Constant("kSecAttrKeyClassSymmetric", kSecAttrKeyClassSymmetric, "2"),
        Constant("kSecAttrKeyTypeRSA", kSecAttrKeyTypeRSA, "42"),
        Constant("kSecAttrKeyTypeEC", kSecAttrKeyTypeEC, "73"),
        Constant("kSecAttrKeyTypeECSECPrimeRandom", kSecAttrKeyTypeECSECPrimeRandom, "73"),
        Constant("kSecAttrAccessibleWhenUnlocked", kSecAttrAccessibleWhenUnlocked, "ak"),
        Constant("kSecAttrAccessibleAfterFirstUnlock", kSecAttrAccessibleAfterFirstUnlock, "ck"),
        Constant("kSecAttrAccessibleWhenUnlockedThisDeviceOnly", kSecAttrAccessibleWhenUnlockedThisDeviceOnly, "aku"),
        Constant(
            "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly", kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, "cku"),
        Constant(
            "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly", kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, "akpu"),
        Constant("kSecMatchLimit", kSecMatchLimit, "m_Limit"),
        Constant("kSecMatchLimitOne", kSecMatchLimitOne, "m_LimitOne"),
        Constant("kSecMatchLimitAll", kSecMatchLimitAll, "m_LimitAll"),
        Constant("kSecMatchPolicy", kSecMatchPolicy, "m_Policy"),
        Constant("kSecMatchItemList", kSecMatchItemList, "m_ItemList"),
        Constant("kSecMatchSearchList", kSecMatchSearchList, "m_SearchList"),
        Constant("kSecMatchIssuers", kSecMatchIssuers, "m_Issuers"),
        Constant("kSecMatchEmailAddressIfPresent", kSecMatchEmailAddressIfPresent, "m_EmailAddressIfPresent"),
        Constant("kSecMatchSubjectContains", kSecMatchSubjectContains, "m_SubjectContains"),
        Constant("kSecMatchHostOrSubdomainOfHost", kSecMatchHostOrSubdomainOfHost, "m_HostOrSubdomainOfHost"),
        Constant("kSecMatchCaseInsensitive", kSecMatchCaseInsensitive, "m_CaseInsensitive"),
        Constant("kSecMatchTrustedOnly", kSecMatchTrustedOnly, "m_TrustedOnly"),
        Constant("kSecMatchValidOnDate", kSecMatchValidOnDate, "m_ValidOnDate"),
        Constant("kSecReturnData", kSecReturnData, "r_Data"),
        Constant("kSecReturnAttributes", kSecReturnAttributes, "r_Attributes"),
        Constant("kSecReturnRef", kSecReturnRef, "r_Ref"),
        Constant("kSecReturnPersistentRef", kSecReturnPersistentRef, "r_PersistentRef"),
        Constant("kSecValueData", kSecValueData, "v_Data"),
        Constant("kSecValueRef", kSecValueRef, "v_Ref"),
        Constant("kSecValuePersistentRef", kSecValuePersistentRef, "v_PersistentRef"),
        Constant("kSecUseItemList", kSecUseItemList, "u_ItemList"),
        Constant("kSecUseOperationPrompt", kSecUseOperationPrompt, "u_OpPrompt"),
        Constant("kSecUseNoAuthenticationUI", kSecUseNoAuthenticationUI, "u_NoAuthUI"),
        Constant("kSecUseAuthenticationUI", kSecUseAuthenticationUI, "u_AuthUI"),
        Constant("kSecUseAuthenticationUIAllow", kSecUseAuthenticationUIAllow, "u_AuthUIA"),
        Constant("kSecUseAuthenticationUIFail", kSecUseAuthenticationUIFail, "u_AuthUIF"),
        Constant("kSecUseAuthenticationUISkip", kSecUseAuthenticationUISkip, "u_AuthUIS"),
        Constant("kSecUseAuthenticationContext", kSecUseAuthenticationContext, "u_AuthCtx"),
        Constant("kSecUseDataProtectionKeychain", kSecUseDataProtectionKeychain, "nleg"),
        Constant("kSecAttrSynchronizableAny", kSecAttrSynchronizableAny, "syna"),
        Constant("kSecAttrAccessGroupToken", kSecAttrAccessGroupToken, "com.apple.token"),
        Constant("kSecAttrTokenIDSecureEnclave", kSecAttrTokenIDSecureEnclave, "com.apple.setoken"),
    ]
}

extension Conformance {
    @Suite struct `Constants` {
        @Test(arguments: Constant.all)
        func `a constant has the value that programs and stored data know`(_ constant: Constant) {
            #expect(constant.actual == constant.expected)
        }

        @Test(
            arguments: [
                (errSecSuccess, 0), (errSecUnimplemented, -4), (errSecParam, -50), (errSecUserCanceled, -128),
                (errSecNotAvailable, -25291), (errSecAuthFailed, -25293), (errSecDuplicateItem, -25299),
                (errSecItemNotFound, -25300), (errSecNoSuchAttr, -25303), (errSecNoSuchClass, -25306),
                (errSecInteractionNotAllowed, -25308), (errSecDecode, -26275), (errSecMissingEntitlement, -34018),
            ] as [(OSStatus, Int)])
        func `a status has its number and a sentence`(_ status: OSStatus, _ number: Int) {
            #expect(Int(status) == number)
            let text = SecCopyErrorMessageString(status, nil) as String?
            #expect(text?.isEmpty == false)
        }

        @Test(arguments: PasswordClass.allCases)
        func `plain text works as well as the constants`(_ itemClass: PasswordClass) {
            let item: [String: Any] = ["class": itemClass.rawValue, "acct": "a", "v_Data": Data([1])]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            var result: CFTypeRef?
            let query: [String: Any] = [
                "class": itemClass.rawValue, "acct": "a", "r_Data": true, "m_Limit": "m_LimitAll",
            ]
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            #expect(result as? [Data] == [Data([1])])
        }
    }
}
