// SPDX-License-Identifier: Apache-2.0

/// A scheme of URLs (RFC 3986) and its value of `kSecAttrProtocol`.
public struct URLScheme: Hashable, Sendable {
    /// The name in lowercase letters, such as "https".
    public let name: String
    /// The four characters of the protocol, such as "htps".
    public let protocolCode: String
    /// The port that IANA assigns to the protocol; nil if it assigns none or several.
    public let port: UInt16?

    private init(_ name: String, _ protocolCode: String, _ port: UInt16?) {
        self.name = name
        self.protocolCode = protocolCode
        self.port = port
    }

    /// Finds the scheme by its name in lowercase letters; nil for a scheme without a protocol.
    public init?(name: String) {
        guard let scheme = Self.all.first(where: { $0.name == name }) else { return nil }
        self = scheme
    }

    /// Finds the scheme of a protocol; nil for a protocol without its own scheme.
    public init?(protocolCode: String) {
        guard let scheme = Self.all.first(where: { $0.protocolCode == protocolCode }) else { return nil }
        self = scheme
    }

    /// Returns whether the name of a scheme contains the text.
    public static func isPartOfName(_ text: String) -> Bool { all.contains { $0.name.utf8.contains(text.utf8) } }

    /// If a protocol has several schemes, its own comes first.
    private static let all = [
        URLScheme("https", "htps", 443), URLScheme("http", "http", 80), URLScheme("ftp", "ftp ", 21),
        URLScheme("ftps", "ftps", 990), URLScheme("ssh", "ssh ", 22), URLScheme("imap", "imap", 143),
        URLScheme("imaps", "imps", 993), URLScheme("pop3", "pop3", 110), URLScheme("pop", "pop3", 110),
        URLScheme("pop3s", "pops", 995), URLScheme("smtp", "smtp", 25), URLScheme("ldap", "ldap", 389),
        URLScheme("ldaps", "ldps", 636), URLScheme("nntp", "nntp", 119), URLScheme("nntps", "ntps", 563),
        URLScheme("telnet", "teln", 23), URLScheme("telnets", "tels", 992), URLScheme("irc", "irc ", nil),
        URLScheme("ircs", "ircs", nil), URLScheme("smb", "smb ", 445), URLScheme("afp", "afp ", 548),
        URLScheme("rtsp", "rtsp", 554), URLScheme("ipp", "ipp ", 631), URLScheme("socks", "sox ", 1080),
        URLScheme("daap", "daap", 3689), URLScheme("eppc", "eppc", 3031),
    ]
}
