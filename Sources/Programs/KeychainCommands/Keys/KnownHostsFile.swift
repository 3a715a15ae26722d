// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials
internal import KeychainModel

/// A file of known hosts (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).
struct KnownHostsFile {
    static let byteLimit = 4 << 20

    private let lines: [[Substring]]

    init(_ bytes: some Collection<UInt8>) {
        lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.split { $0 == " " || $0 == "\t" } }.filter { $0.first?.first != "#" }
    }

    /// Returns the keys of a host, and of the authorities that certify it, without those that the file marks as
    /// revoked.
    func keys(of host: String) -> [SSHKeyTag.Host.Key] {
        let host = host.lowercased()
        var (keys, revoked): ([SSHKeyTag.Host.Key], Set<Substring>) = ([], [])
        for line in lines {
            let marker = line[0].first == "@" ? line[0] : nil
            let words = marker == nil ? line[...] : line.dropFirst()
            guard words.count >= 3, let names = words.first else { continue }
            let key = words[words.startIndex + 2]
            if marker == "@revoked" {
                revoked.insert(key)
                continue
            }
            guard marker == nil || marker == "@cert-authority", Self.names(names, contain: host) else { continue }
            keys.append(SSHKeyTag.Host.Key(base64: String(key), isAuthority: marker != nil))
        }
        return keys.filter { !revoked.contains($0.base64[...]) }
    }

    private static func names(_ names: Substring, contain host: String) -> Bool {
        if names.hasPrefix("|1|") { return isHash(names, of: host) }
        var isFound = false
        for name in names.split(separator: ",") {
            let pattern = TextPattern(whole: name.first == "!" ? name.dropFirst() : name)
            guard pattern.matches(host) else { continue }
            if name.first == "!" { return false }
            isFound = true
        }
        return isFound
    }

    /// Whether a hashed name is that of a host: `|1|`, the salt, `|`, HMAC-SHA1 of the name.
    private static func isHash(_ text: Substring, of host: String) -> Bool {
        let parts = text.split(separator: "|")
        guard parts.count == 3, let salt = Data(base64Encoded: String(parts[1])),
            let hash = Data(base64Encoded: String(parts[2]))
        else { return false }
        return HMAC<Insecure.SHA1>.isValidAuthenticationCode(
            hash, authenticating: Data(host.utf8), using: SymmetricKey(data: salt))
    }
}
