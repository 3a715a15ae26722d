// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

extension InternetPassword {
    /// The password of an account at a URL: its scheme as the protocol, its host in small letters as the server, its port
    /// and its path, percent-encoded as they stand. User, password, query and fragment of the URL are not looked at.
    ///
    /// Nil if the URL has no host, or its scheme is none that an ``InternetProtocol`` stands for.
    public init?(url: URL, account: String = "") {
        guard let scheme = url.scheme?.lowercased(), let known = Self.schemes.first(where: { $0.scheme == scheme }),
            let host = url.host(percentEncoded: false), !host.isEmpty
        else { return nil }
        guard let port = UInt16(exactly: url.port ?? 0) else { return nil }
        self.init(
            server: host.lowercased(), account: account, protocol: known.internetProtocol, port: port,
            path: url.path(percentEncoded: true))
    }

    /// Protocol, server, port and path as a URL.
    ///
    /// Nil if there is no URL scheme for the protocol, or the server is not a host.
    public var url: URL? {
        guard let known = Self.schemes.first(where: { $0.internetProtocol == `protocol` }), !server.isEmpty,
            path.isEmpty || path.hasPrefix("/")
        else { return nil }
        let host = server.contains(":") ? "[\(server)]" : server
        let text = known.scheme + "://" + host + (port == 0 ? "" : ":\(port)") + path
        // Whatever the attributes hold: only a URL that says the same again.
        guard let url = URL(string: text, encodingInvalidCharacters: false),
            let again = InternetPassword(url: url), again.server == server.lowercased(), again.path == path
        else { return nil }
        return url
    }

    /// The schemes of URLs, and what Apple's codes call them.
    private static let schemes: [(scheme: String, internetProtocol: InternetProtocol)] = [
        ("https", .https), ("http", .http), ("ftp", .ftp), ("ftps", .ftps), ("ssh", .ssh), ("telnet", .telnet),
        ("telnets", .telnets), ("imap", .imap), ("imaps", .imaps), ("pop3", .pop3), ("pop", .pop3), ("pop3s", .pop3s),
        ("smtp", .smtp), ("ldap", .ldap), ("ldaps", .ldaps), ("irc", .irc), ("ircs", .ircs), ("nntp", .nntp),
        ("nntps", .nntps), ("smb", .smb), ("afp", .afp), ("rtsp", .rtsp), ("daap", .daap), ("eppc", .eppc),
        ("ipp", .ipp), ("socks", .socks),
    ]
}
