// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import SecretMemory

/// A plaintext secret in a file.
struct FoundCredential {
    /// The line of the secret; the first line of the file is 1.
    let line: Int
    /// The description for display: `the password of "ann" at example.org`. Never the secret.
    let title: String
    let secret: SecretBytes
    let place: Place

    enum Place {
        /// The secret can be stored as an item.
        ///
        /// - Parameter cut: the range to remove from the file. The rest of the file is not changed.
        case item(CredentialItem, cut: Range<Int>)
        /// The secret stays in the file, for this reason.
        case stays(String)
    }
}

/// The item for a secret of a file.
struct CredentialItem: Hashable {
    let passwordClass: PasswordClass
    /// The attributes that identify the item.
    let key: [ItemAttributes.Entry]
    let label: String

    /// Creates an internet password, as credential helpers search for it.
    init(_ address: WebAddress, account: String, label: String? = nil) {
        passwordClass = .internet
        key = address.entries + [.init(.account, .string(account))]
        self.label = label ?? address.host
    }

    /// Creates a generic password, as Python's keyring searches for it.
    init(service: String, account: String) {
        passwordClass = .generic
        key = [.init(.service, .string(service)), .init(.account, .string(account))]
        label = service
    }
}

/// A well-known file in which programs store plaintext credentials.
enum CredentialFile: CaseIterable {
    case netrc
    case git
    case gitXDG
    case npm
    case pypi
    case docker
    case gitHub

    /// Larger files were not written by a user or one of these programs.
    static let byteLimit = 1 << 20

    /// Returns the path of the file, according to the variables of its program.
    func path(home: String, environment: (String) -> String?) -> String {
        func folder(_ variable: String, _ usual: String) -> String {
            if let value = environment(variable), value.hasPrefix("/") { return value }
            return home + usual
        }
        return switch self {
        case .netrc: folder("NETRC", "/.netrc")
        case .git: home + "/.git-credentials"
        case .gitXDG: folder("XDG_CONFIG_HOME", "/.config") + "/git/credentials"
        case .npm: folder("NPM_CONFIG_USERCONFIG", "/.npmrc")
        case .pypi: home + "/.pypirc"
        case .docker: folder("DOCKER_CONFIG", "/.docker") + "/config.json"
        case .gitHub:
            environment("GH_CONFIG_DIR") == nil
                ? folder("XDG_CONFIG_HOME", "/.config") + "/gh/hosts.yml"
                : folder("GH_CONFIG_DIR", "/.config/gh") + "/hosts.yml"
        }
    }

    /// The program that uses the file.
    var program: String {
        switch self {
        case .netrc: "curl and other programs"
        case .git, .gitXDG: "git"
        case .npm: "npm"
        case .pypi: "twine"
        case .docker: "docker"
        case .gitHub: "gh"
        }
    }

    /// The configuration that the program needs to find moved secrets.
    var consequence: String {
        switch self {
        case .netrc:
            "programs that read the file, such as curl, no longer find it because they support no credential helpers"
        case .git, .gitXDG:
            "git no longer finds it until a credential helper for this keychain is configured (credential.helper)"
        case .npm:
            "npm no longer finds it because npm supports no credential helpers; it can read a token from a variable (${NPM_TOKEN})"
        case .pypi: "twine no longer finds it until Python's keyring has a backend for this keychain"
        case .docker: "docker no longer finds it until a credential helper for this keychain is configured (credsStore)"
        case .gitHub: "gh no longer finds it"
        }
    }

    /// Returns the credentials in the file, in order.
    ///
    /// - Throws: the first problem in the file. The file is not changed then.
    func credentials(in source: SecretAccumulator) throws(TextProblem) -> [FoundCredential] {
        switch self {
        case .netrc: try NetrcReader.credentials(in: source)
        case .git, .gitXDG: try GitCredentialLines.credentials(in: source)
        case .npm: try NpmSettings.credentials(in: source)
        case .pypi: try PypiSections.credentials(in: source)
        case .docker: try DockerSettings.credentials(in: source)
        case .gitHub: try GitHubHosts.credentials(in: source)
        }
    }
}

/// A line of a text.
struct TextLine {
    /// The number of the line; the first line is 1.
    let number: Int
    /// The range without the line ending: a line feed, with or without a carriage return.
    let text: Range<Int>
    /// The range with the line ending.
    let whole: Range<Int>

    /// Returns the lines of a text from an offset on, including a last line without an ending.
    static func lines(of bytes: [UInt8], from start: Int) -> [TextLine] {
        var lines: [TextLine] = []
        var position = start
        while position < bytes.count {
            let newline = bytes[position...].firstIndex(of: UInt8(ascii: "\n"))
            let whole = position..<(newline.map { $0 + 1 } ?? bytes.count)
            var end = newline ?? bytes.count
            if newline != nil, end > position, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            lines.append(TextLine(number: lines.count + 1, text: position..<end, whole: whole))
            position = whole.upperBound
        }
        return lines
    }
}

extension Sequence<UInt8> {
    /// Returns whether a byte is a blank within a line.
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension ArraySlice<UInt8> {
    /// The bytes without blanks at either end.
    var trimmed: ArraySlice<UInt8> {
        let front = drop(while: Self.isBlank)
        return front.dropLast(front.reversed().prefix(while: Self.isBlank).count)
    }

    /// The bytes without enclosing quotes.
    var unquoted: ArraySlice<UInt8> {
        guard count >= 2, let first, first == last, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else {
            return self
        }
        return dropFirst().dropLast()
    }

    /// The bytes as text; the file was checked to be UTF-8.
    var asText: String { String(decoding: self, as: UTF8.self) }
}

extension [FoundCredential] {
    /// Returns the file without the ranges to remove.
    func cutting(from bytes: [UInt8]) -> [UInt8] {
        var rest: [UInt8] = []
        rest.reserveCapacity(bytes.count)
        var position = 0
        let cuts = compactMap { if case .item(_, let cut) = $0.place { cut } else { nil } }
        for cut in cuts.sorted(by: { $0.lowerBound < $1.lowerBound }) where cut.upperBound > position {
            rest += bytes[position..<Swift.max(position, cut.lowerBound)]
            position = cut.upperBound
        }
        return rest + bytes[position...]
    }
}

extension String {
    /// The text for display: without the part before an `@`, where a URL can contain a password.
    var withoutUser: String { split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? self }
}
