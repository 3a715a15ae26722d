// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import KeychainModel

extension InternetPassword {
    /// Creates the attributes for an account at a URL: its scheme as the protocol, its host in lower case as the
    /// server, its port and its path, with the percent-encoding unchanged. User, password, query and fragment of the
    /// URL are ignored.
    ///
    /// Nil if the URL has no host, or if no ``InternetProtocol`` corresponds to its scheme.
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

    /// The URL of protocol, server, port and path.
    ///
    /// Nil if the protocol has no URL scheme, or if the server is not a host.
    public var url: URL? {
        guard let known = URLScheme(protocolCode: `protocol`.rawValue), !server.isEmpty,
            path.isEmpty || path.hasPrefix("/")
        else { return nil }
        let host = server.contains(":") ? "[\(server)]" : server
        let text = known.name + "://" + host + (port == 0 ? "" : ":\(port)") + path
        // The attributes may hold any text, so only a URL that parses to the same values is returned.
        guard let url = URL(string: text, encodingInvalidCharacters: false),
            let again = InternetPassword(url: url), again.server == server.lowercased(), again.path == path
        else { return nil }
        return url
    }
}
