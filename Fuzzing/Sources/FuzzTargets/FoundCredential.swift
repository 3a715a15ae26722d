// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import SecretMemory

/// A secret that stands in a file as it is.
struct FoundCredential {
    /// Where it stands; the first line of the file is 1.
    let line: Int
    /// What it is, for people: `the password of "ann" at example.org`. Never the secret.
    let title: String
    let secret: SecretBytes
    let place: Place

    enum Place {
        /// It can be an item.
        ///
        /// - Parameter cut: what goes out of the file with it. All else in the file stays.
        case item(CredentialItem, cut: Range<Int>)
        /// It stays where it is, for this reason.
        case stays(String)
    }
}

/// The item that a secret of a file becomes.
struct CredentialItem: Hashable {
    let passwordClass: PasswordClass
    /// What makes it this item.
    let key: [ItemAttributes.Entry]
    let label: String

    /// An internet password, as credential helpers look for one.
    init(_ address: WebAddress, account: String, label: String? = nil) {
        passwordClass = .internet
        key = address.entries + [.init(.account, .string(account))]
        self.label = label ?? address.host
    }

    /// A generic password, as Python's keyring looks for one.
    init(service: String, account: String) {
        passwordClass = .generic
        key = [.init(.service, .string(service)), .init(.account, .string(account))]
        label = service
    }
}

/// A well-known file in which programs keep credentials as they are.
enum CredentialFile: CaseIterable {
    case netrc
    case git
    case gitXDG
    case npm
    case pypi
    case docker
    case gitHub

    /// Larger files are none that a person or one of these programs wrote.
    static let byteLimit = 1 << 20

    /// Where it is, after the variables of its program.
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

    /// The program whose file it is.
    var program: String {
        switch self {
        case .netrc: "curl and others"
        case .git, .gitXDG: "git"
        case .npm: "npm"
        case .pypi: "twine"
        case .docker: "docker"
        case .gitHub: "gh"
        }
    }

    /// What the program needs to find what was moved.
    var consequence: String {
        switch self {
        case .netrc: "programs that read the file, curl among them, no longer find it: they know no helpers"
        case .git, .gitXDG:
            "git no longer finds it until it has a credential helper that asks this keychain (credential.helper)"
        case .npm: "npm no longer finds it: it knows no helpers, and takes a token from a variable (${NPM_TOKEN})"
        case .pypi: "twine no longer finds it until Python's keyring has a backend that asks this keychain"
        case .docker: "docker no longer finds it until it has a credential helper that asks this keychain (credsStore)"
        case .gitHub: "gh no longer finds it"
        }
    }

    /// What is in the file, in its order.
    ///
    /// - Throws: the first thing that is wrong with the file. It is left alone then.
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
    /// The first one is 1.
    let number: Int
    /// Without what ends it: a line feed, with or without a carriage return.
    let text: Range<Int>
    /// With it.
    let whole: Range<Int>

    /// The lines of a text from a place on, the last one also without an end.
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
    /// Whether a byte is a blank within a line.
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension ArraySlice<UInt8> {
    /// Without blanks at either end.
    var trimmed: ArraySlice<UInt8> {
        let front = drop(while: Self.isBlank)
        return front.dropLast(front.reversed().prefix(while: Self.isBlank).count)
    }

    /// Without a pair of quotes around it.
    var unquoted: ArraySlice<UInt8> {
        guard count >= 2, let first, first == last, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else {
            return self
        }
        return dropFirst().dropLast()
    }

    /// As text; the file was looked at whether it is UTF-8.
    var asText: String { String(decoding: self, as: UTF8.self) }
}

extension [FoundCredential] {
    /// The file without what goes out of it.
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
    /// For people: without what stands before an `@`, where a URL can have a password.
    var withoutUser: String { split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? self }
}
