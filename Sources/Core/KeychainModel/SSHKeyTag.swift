// SPDX-License-Identifier: Apache-2.0

/// The application tag of a private key for SSH: a prefix, the public key, and the rules for its use. So keys can be
/// listed by their attributes without opening them, and a key is for SSH only if its owner says so.
///
/// The text has one form (Documentation/SSHAgent.md). A text with unknown words is no such tag, so that no program
/// uses a key without the rules that a later version stored.
public struct SSHKeyTag: Hashable, Sendable {
    /// A host to which the key may authenticate.
    public struct Host: Hashable, Sendable {
        /// The key of a host, or of an authority that certifies hosts.
        public struct Key: Hashable, Sendable {
            public let base64: String
            public let isAuthority: Bool

            public init(base64: String, isAuthority: Bool) {
                self.base64 = base64
                self.isAuthority = isAuthority
            }
        }

        /// The name of the user on the host; empty for all.
        public let user: String
        public let name: String
        public let keys: [Key]

        /// Returns nil for names that a tag cannot contain, and without a key.
        public init?(user: String, name: String, keys: [Key]) {
            guard !name.isEmpty, !keys.isEmpty, [user, name].allSatisfy(SSHKeyTag.isPlain),
                keys.allSatisfy({ SSHKeyTag.isBase64($0.base64) })
            else { return nil }
            self.user = user
            self.name = name
            self.keys = keys
        }

        /// The name with the user, as in a command line of ssh.
        public var text: String { user.isEmpty ? name : "\(user)@\(name)" }

        fileprivate init?(word: Substring) {
            let parts = word.split(separator: ",", omittingEmptySubsequences: false)
            let names = parts[0].split(separator: "@", omittingEmptySubsequences: false)
            guard names.count == 2 else { return nil }
            let keys = parts.dropFirst().map { part in
                Key(base64: String(part.drop { $0 == "@" }), isAuthority: part.first == "@")
            }
            self.init(user: String(names[0]), name: String(names[1]), keys: keys)
        }

        fileprivate var word: String {
            "\(user)@\(name)" + keys.map { ",\($0.isAuthority ? "@" : "")\($0.base64)" }.joined()
        }
    }

    /// The beginning of each tag.
    public static let prefix = "org.chatelaine.ssh "
    /// The bytes of a tag.
    public static let byteLimit = 64 << 10

    /// The public key as in a file of OpenSSH, without a comment: its type, and its bytes in base64.
    public let line: String
    /// The bytes of a certificate of the key in base64; nil for none.
    public var certificate: String?
    /// Whether the user must confirm each signature.
    public var needsConfirmation = false
    /// The paths of the programs that may use the key; empty for all that the keychain allows.
    public var programs: [String] = []
    /// The hosts to which the key may authenticate; empty for all.
    public var hosts: [Host] = []

    /// Whether the key has rules, which make it a private item.
    public var isRestricted: Bool { needsConfirmation || !programs.isEmpty || !hosts.isEmpty }

    /// - Parameter line: two words. Returns nil for any other text.
    public init?(line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, Self.isPlain(String(words[0])), !words[0].isEmpty, Self.isBase64(String(words[1]))
        else { return nil }
        self.line = line
    }

    /// Reads a tag; nil for any other text.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.byteLimit, text.hasPrefix(Self.prefix) else { return nil }
        let words = text.dropFirst(Self.prefix.count).split(separator: " ", omittingEmptySubsequences: false)
        guard words.count >= 2 else { return nil }
        self.init(line: "\(words[0]) \(words[1])")
        for word in words.dropFirst(2) {
            if word == "confirm" {
                needsConfirmation = true
            } else if let value = Self.value(word, of: "cert="), Self.isBase64(value) {
                certificate = value
            } else if let value = Self.value(word, of: "program="), Self.isProgram(value) {
                programs.append(value)
            } else if let value = Self.value(word, of: "host="), let host = Host(word: value[...]) {
                hosts.append(host)
            } else {
                return nil
            }
        }
        // One form: the same words in the same order, each once.
        guard self.text == text else { return nil }
    }

    /// The value of `kSecAttrApplicationTag`.
    public var text: String {
        var words = [line]
        if let certificate { words.append("cert=\(certificate)") }
        if needsConfirmation { words.append("confirm") }
        words += programs.map { "program=\($0)" } + hosts.map { "host=\($0.word)" }
        return Self.prefix + words.joined(separator: " ")
    }

    /// Whether a tag can contain the path of a program.
    public static func isProgram(_ path: String) -> Bool {
        path.hasPrefix("/") && path.unicodeScalars.allSatisfy { $0 > " " && $0 != "\u{7F}" }
    }

    private static func value(_ word: Substring, of name: String) -> String? {
        word.hasPrefix(name) ? String(word.dropFirst(name.count)) : nil
    }

    /// Whether a text has no characters that separate the parts of a tag.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 > " " && $0 != "\u{7F}" && $0 != "," && $0 != "@" }
    }

    private static func isBase64(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                    true
                default: false
                }
            }
    }
}
