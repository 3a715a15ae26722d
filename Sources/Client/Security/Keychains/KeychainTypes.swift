// SPDX-License-Identifier: Apache-2.0

public import CFTypes

// The types of the functions for items of keychain files. Names and values are Apple's.

/// The class of an item, as a four-character code; for certificates and keys, a CSSM record type.
public enum SecItemClass: FourCharCode, Sendable {
    /// "inet"
    case internetPasswordItemClass = 0x696E_6574
    /// "genp"
    case genericPasswordItemClass = 0x6765_6E70
    /// "ashp". Such items are not supported.
    case appleSharePasswordItemClass = 0x6173_6870
    case certificateItemClass = 0x8000_1000
    case publicKeyItemClass = 0x0000_000F
    case privateKeyItemClass = 0x0000_0010
    case symmetricKeyItemClass = 0x0000_0011
}

/// The name of an attribute: a four-character code, which ``SecItemAttr`` lists.
public typealias SecKeychainAttrType = OSType

/// Attributes of items.
public enum SecItemAttr: FourCharCode, Sendable {
    /// "cdat": 16 bytes, `20240131235959Z` and a zero byte.
    case creationDateItemAttr = 0x6364_6174
    /// "mdat": 16 bytes.
    case modDateItemAttr = 0x6D64_6174
    /// "desc": the kind of item, for display.
    case descriptionItemAttr = 0x6465_7363
    /// "icmt"
    case commentItemAttr = 0x6963_6D74
    /// "crtr": a four-character code.
    case creatorItemAttr = 0x6372_7472
    /// "type": a four-character code.
    case typeItemAttr = 0x7479_7065
    /// "scrp": a script code.
    case scriptCodeItemAttr = 0x7363_7270
    /// "labl": the item's name, for display.
    case labelItemAttr = 0x6C61_626C
    /// "invi": a number, not 0 for a hidden item.
    case invisibleItemAttr = 0x696E_7669
    /// "nega": a number, not 0 if the item has no valid password.
    case negativeItemAttr = 0x6E65_6761
    /// "cusi": a number.
    case customIconItemAttr = 0x6375_7369
    /// "acct"
    case accountItemAttr = 0x6163_6374
    /// "svce"
    case serviceItemAttr = 0x7376_6365
    /// "gena": bytes that the program defines.
    case genericItemAttr = 0x6765_6E61
    /// "sdmn"
    case securityDomainItemAttr = 0x7364_6D6E
    /// "srvr"
    case serverItemAttr = 0x7372_7672
    /// "atyp": a ``SecAuthenticationType``.
    case authenticationTypeItemAttr = 0x6174_7970
    /// "port": a number.
    case portItemAttr = 0x706F_7274
    /// "path"
    case pathItemAttr = 0x7061_7468
    /// "vlme": for AppleShare.
    case volumeItemAttr = 0x766C_6D65
    /// "addr": for AppleShare.
    case addressItemAttr = 0x6164_6472
    /// "ssig": for AppleShare.
    case signatureItemAttr = 0x7373_6967
    /// "ptcl": a ``SecProtocolType``.
    case protocolItemAttr = 0x7074_636C
    /// "ctyp": a number.
    case certificateType = 0x6374_7970
    /// "cenc": a number.
    case certificateEncoding = 0x6365_6E63
    /// "crtp": for revocation lists.
    case crlType = 0x6372_7470
    /// "crnc": for revocation lists.
    case crlEncoding = 0x6372_6E63
    /// "alis"
    case alias = 0x616C_6973
}

/// The protocol of an internet password.
public enum SecProtocolType: FourCharCode, Sendable {
    case FTP = 0x6674_7020
    case ftpAccount = 0x6674_7061
    case HTTP = 0x6874_7470
    case IRC = 0x6972_6320
    case NNTP = 0x6E6E_7470
    case POP3 = 0x706F_7033
    case SMTP = 0x736D_7470
    case SOCKS = 0x736F_7820
    case IMAP = 0x696D_6170
    case LDAP = 0x6C64_6170
    case appleTalk = 0x6174_6C6B
    case AFP = 0x6166_7020
    case telnet = 0x7465_6C6E
    case SSH = 0x7373_6820
    case FTPS = 0x6674_7073
    case HTTPS = 0x6874_7073
    case httpProxy = 0x6874_7078
    case httpsProxy = 0x6874_7378
    case ftpProxy = 0x6674_7078
    case CIFS = 0x6369_6673
    case SMB = 0x736D_6220
    case RTSP = 0x7274_7370
    case rtspProxy = 0x7274_7378
    case DAAP = 0x6461_6170
    case EPPC = 0x6570_7063
    case IPP = 0x6970_7020
    case NNTPS = 0x6E74_7073
    case LDAPS = 0x6C64_7073
    case telnetS = 0x7465_6C73
    case IMAPS = 0x696D_7073
    case IRCS = 0x6972_6373
    case POP3S = 0x706F_7073
    case cvSpserver = 0x6376_7370
    case SVN = 0x7376_6E20
    case adiumMessenger = 0x4164_494D
    /// In a search: any protocol.
    case any = 0
}

/// The authentication type of an internet password. As in Apple's values, the characters are in memory order, the first
/// in the least significant byte.
public enum SecAuthenticationType: FourCharCode, Sendable {
    /// "ntlm"
    case NTLM = 0x6D6C_746E
    /// "msna"
    case MSN = 0x616E_736D
    /// "dpaa"
    case DPA = 0x6161_7064
    /// "rpaa"
    case RPA = 0x6161_7072
    /// "http"
    case httpBasic = 0x7074_7468
    /// "httd"
    case httpDigest = 0x6474_7468
    /// "form"
    case htmlForm = 0x6D72_6F66
    /// "dflt"
    case `default` = 0x746C_6664
    /// In a search: any type.
    case any = 0
}

/// One attribute of an item. The creator owns the bytes.
@unsafe public struct SecKeychainAttribute {
    public var tag: SecKeychainAttrType
    /// In bytes.
    public var length: UInt32
    public var data: UnsafeMutableRawPointer?

    /// All zero, as in C.
    public init() { unsafe self.init(tag: 0, length: 0, data: nil) }

    public init(tag: SecKeychainAttrType, length: UInt32, data: UnsafeMutableRawPointer?) {
        unsafe self.tag = tag
        unsafe self.length = length
        unsafe self.data = data
    }
}

/// Attributes of an item.
@unsafe public struct SecKeychainAttributeList {
    public var count: UInt32
    public var attr: UnsafeMutablePointer<SecKeychainAttribute>?

    /// All zero, as in C.
    public init() { unsafe self.init(count: 0, attr: nil) }

    public init(count: UInt32, attr: UnsafeMutablePointer<SecKeychainAttribute>?) {
        unsafe self.count = count
        unsafe self.attr = attr
    }
}

/// Names of attributes, and the format of their values.
@unsafe public struct SecKeychainAttributeInfo {
    public var count: UInt32
    /// The ``SecKeychainAttrType`` of each attribute.
    public var tag: UnsafeMutablePointer<UInt32>
    /// CSSM's number of each format: 0 text, 1 a signed and 2 an unsigned number of 32 bits, 5 a date, 6 bytes.
    public var format: UnsafeMutablePointer<UInt32>?

    public init(count: UInt32, tag: UnsafeMutablePointer<UInt32>, format: UnsafeMutablePointer<UInt32>?) {
        unsafe self.count = count
        unsafe self.tag = tag
        unsafe self.format = format
    }
}
