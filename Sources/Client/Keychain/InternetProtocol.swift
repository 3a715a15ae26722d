// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The protocol of an internet password: the value of `kSecAttrProtocol`.
///
/// The named protocols are Apple's; a program may define others.
public struct InternetProtocol: RawRepresentable, Hashable, Sendable {
    /// Apple's four-character code, such as `"htps"`, which is also the value of the `kSecAttrProtocol…` constant.
    /// Empty: not specified.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Not specified: the value of items that are added without a protocol.
    public static let unspecified = Self(rawValue: "")

    /// `kSecAttrProtocolFTP`
    public static let ftp = Self(rawValue: "ftp ")
    /// `kSecAttrProtocolFTPAccount`
    public static let ftpAccount = Self(rawValue: "ftpa")
    /// `kSecAttrProtocolHTTP`
    public static let http = Self(rawValue: "http")
    /// `kSecAttrProtocolIRC`
    public static let irc = Self(rawValue: "irc ")
    /// `kSecAttrProtocolNNTP`
    public static let nntp = Self(rawValue: "nntp")
    /// `kSecAttrProtocolPOP3`
    public static let pop3 = Self(rawValue: "pop3")
    /// `kSecAttrProtocolSMTP`
    public static let smtp = Self(rawValue: "smtp")
    /// `kSecAttrProtocolSOCKS`
    public static let socks = Self(rawValue: "sox ")
    /// `kSecAttrProtocolIMAP`
    public static let imap = Self(rawValue: "imap")
    /// `kSecAttrProtocolLDAP`
    public static let ldap = Self(rawValue: "ldap")
    /// `kSecAttrProtocolAppleTalk`
    public static let appleTalk = Self(rawValue: "atlk")
    /// `kSecAttrProtocolAFP`
    public static let afp = Self(rawValue: "afp ")
    /// `kSecAttrProtocolTelnet`
    public static let telnet = Self(rawValue: "teln")
    /// `kSecAttrProtocolSSH`
    public static let ssh = Self(rawValue: "ssh ")
    /// `kSecAttrProtocolFTPS`
    public static let ftps = Self(rawValue: "ftps")
    /// `kSecAttrProtocolHTTPS`
    public static let https = Self(rawValue: "htps")
    /// `kSecAttrProtocolHTTPProxy`
    public static let httpProxy = Self(rawValue: "htpx")
    /// `kSecAttrProtocolHTTPSProxy`
    public static let httpsProxy = Self(rawValue: "htsx")
    /// `kSecAttrProtocolFTPProxy`
    public static let ftpProxy = Self(rawValue: "ftpx")
    /// `kSecAttrProtocolSMB`
    public static let smb = Self(rawValue: "smb ")
    /// `kSecAttrProtocolRTSP`
    public static let rtsp = Self(rawValue: "rtsp")
    /// `kSecAttrProtocolRTSPProxy`
    public static let rtspProxy = Self(rawValue: "rtsx")
    /// `kSecAttrProtocolDAAP`
    public static let daap = Self(rawValue: "daap")
    /// `kSecAttrProtocolEPPC`
    public static let eppc = Self(rawValue: "eppc")
    /// `kSecAttrProtocolIPP`
    public static let ipp = Self(rawValue: "ipp ")
    /// `kSecAttrProtocolNNTPS`
    public static let nntps = Self(rawValue: "ntps")
    /// `kSecAttrProtocolLDAPS`
    public static let ldaps = Self(rawValue: "ldps")
    /// `kSecAttrProtocolTelnetS`
    public static let telnets = Self(rawValue: "tels")
    /// `kSecAttrProtocolIMAPS`
    public static let imaps = Self(rawValue: "imps")
    /// `kSecAttrProtocolIRCS`
    public static let ircs = Self(rawValue: "ircs")
    /// `kSecAttrProtocolPOP3S`
    public static let pop3s = Self(rawValue: "pops")
}

/// The authentication type of a server: the value of `kSecAttrAuthenticationType`.
///
/// The named types are Apple's; a program may define others.
public struct AuthenticationType: RawRepresentable, Hashable, Sendable {
    /// Apple's four-character code, such as `"form"`, which is also the value of the `kSecAttrAuthenticationType…`
    /// constant. Empty: not specified.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Not specified: the value of items that are added without an authentication type.
    public static let unspecified = Self(rawValue: "")

    /// `kSecAttrAuthenticationTypeNTLM`
    public static let ntlm = Self(rawValue: "ntlm")
    /// `kSecAttrAuthenticationTypeMSN`
    public static let msn = Self(rawValue: "msna")
    /// `kSecAttrAuthenticationTypeDPA`
    public static let dpa = Self(rawValue: "dpaa")
    /// `kSecAttrAuthenticationTypeRPA`
    public static let rpa = Self(rawValue: "rpaa")
    /// `kSecAttrAuthenticationTypeHTTPBasic`
    public static let httpBasic = Self(rawValue: "http")
    /// `kSecAttrAuthenticationTypeHTTPDigest`
    public static let httpDigest = Self(rawValue: "httd")
    /// `kSecAttrAuthenticationTypeHTMLForm`
    public static let htmlForm = Self(rawValue: "form")
    /// `kSecAttrAuthenticationTypeDefault`
    public static let `default` = Self(rawValue: "dflt")
}

extension EncodedAttributes {
    /// The attribute is a number, and the names of protocols are texts that are stored in it. "Not specified" is the
    /// number 0.
    mutating func put(_ protocol: InternetProtocol?) {
        if `protocol` == .unspecified { put(.protocol, 0) } else { put(.protocol, `protocol`?.rawValue) }
    }

    var internetProtocol: InternetProtocol {
        let text = text(.protocol) ?? ""
        return text == "0" ? .unspecified : InternetProtocol(rawValue: text)
    }
}
