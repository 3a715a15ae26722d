// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import SSHAgentProtocol

/// The contents of a file of known hosts (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).
public struct KnownHosts: Sendable {
    private let text: [UInt8]

    public init(_ text: [UInt8]) { self.text = text }

    /// Returns the first name of the host with a key, or of the hosts that a certificate's authority certifies; nil if
    /// the file does not have the key, has it for hashed names only, or marks it as revoked.
    func name(of key: SSHPublicKey) -> String? {
        let blob = key.certificate?.authority ?? key.blob
        let wanted = Data(blob).base64EncodedString()
        let marker: Substring? = key.certificate == nil ? nil : "@cert-authority"
        var found: String?
        for line in text.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            var words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
                .prefix(4).map { Substring(decoding: $0, as: UTF8.self) }
            let lineMarker = words.first?.first == "@" ? words.removeFirst() : nil
            guard words.count >= 3, words[2] == wanted else { continue }
            if lineMarker == "@revoked" { return nil }
            guard lineMarker == marker, found == nil else { continue }
            found = words[0].split(separator: ",").first { $0.first != "|" && $0.first != "!" }.map(String.init)
        }
        return found
    }
}
