// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import KeychainModel

extension InternetPassword {
    /// The password of an account at a URL: its scheme as the protocol, its host in small letters as the server, its port
    /// and its path, percent-encoded as they stand. User, password, query and fragment of the URL are not looked at.
    ///
    /// Nil if the URL has no host, or its scheme is none that an ``InternetProtocol`` stands for.
    public init?(url: URL, account: String = "") {
        guard let scheme = url.scheme?.lowercased(), let known = URLScheme(name: scheme),
            let host = url.host(percentEncoded: false), !host.isEmpty
        else { return nil }
        guard let port = UInt16(exactly: url.port ?? 0) else { return nil }
        self.init(
            server: host.lowercased(), account: account, protocol: InternetProtocol(rawValue: known.protocolCode),
            port: port,
            path: url.path(percentEncoded: true))
    }

    /// Protocol, server, port and path as a URL.
    ///
    /// Nil if there is no URL scheme for the protocol, or the server is not a host.
    public var url: URL? {
        guard let known = URLScheme(protocolCode: `protocol`.rawValue), !server.isEmpty,
            path.isEmpty || path.hasPrefix("/")
        else { return nil }
        let host = server.contains(":") ? "[\(server)]" : server
        let text = known.name + "://" + host + (port == 0 ? "" : ":\(port)") + path
        // Whatever the attributes hold: only a URL that says the same again.
        guard let url = URL(string: text, encodingInvalidCharacters: false),
            let again = InternetPassword(url: url), again.server == server.lowercased(), again.path == path
        else { return nil }
        return url
    }
}
