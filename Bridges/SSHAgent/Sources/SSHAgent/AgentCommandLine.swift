// SPDX-License-Identifier: Apache-2.0

public import SSHAgentProtocol

/// The options of ssh-agent(1), as OpenSSH reads them.
public struct AgentCommandLine: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        case showUsage
        /// Ends the agent that SSH_AGENT_PID names.
        case kill
        /// Serves in this process.
        case serve(isDebugging: Bool)
        /// Starts an agent in the background, and prints the commands for the shell.
        case start
        /// Starts an agent in the background for a command, which takes the place of this process.
        case run([String])
        /// The agent in the background itself. Only this program starts it.
        case background(Background)
    }

    /// The facts that an agent in the background gets from the process that starts it, to which it reports its start.
    public struct Background: Hashable, Sendable {
        /// The process with which the agent ends; nil if it runs until it is ended.
        public let parent: Int32?
        /// Whether the folder of the socket was made for it, so that the agent removes it at the end.
        public let ownsFolder: Bool

        public init(parent: Int32?, ownsFolder: Bool) {
            self.parent = parent
            self.ownsFolder = ownsFolder
        }

        private static let word = "--background"
        private static let folder = "folder"

        fileprivate var words: [String] {
            [Self.word, String(parent ?? 0), ownsFolder ? Self.folder : "file"]
        }

        /// Reads and removes the words; nil for another command line.
        fileprivate init?(_ words: inout ArraySlice<String>) {
            guard words.count >= 3, words.first == Self.word,
                let number = Int32(words[words.startIndex + 1]), number >= 0
            else { return nil }
            parent = number > 0 ? number : nil
            ownsFolder = words[words.startIndex + 2] == Self.folder
            words.removeFirst(3)
        }
    }

    /// The shell for which commands are printed.
    public enum Shell: Hashable, Sendable {
        case bourne, csh
    }

    public private(set) var action = Action.start
    public private(set) var shell: Shell
    public private(set) var socket: String?
    public private(set) var options = Agent.Options()
    public private(set) var fingerprintHash = FingerprintHash.sha256
    /// The options of the agent in the words of the command line.
    private var optionWords: [String] = []

    public struct UsageError: Error, Hashable, Sendable {
        /// The reason; nil if the usage says enough.
        public let reason: String?
    }

    /// Reads a command line.
    ///
    /// - Parameters:
    ///   - words: without the name of the program.
    ///   - shell: the variable SHELL.
    public init(_ words: [String], shell: String?) throws(UsageError) {
        self.shell = shell?.hasSuffix("csh") == true ? .csh : .bourne
        var words = words[...]
        var flags: [Character] = []
        let background = Background(&words)
        while let word = words.first, word.hasPrefix("-"), word != "-" {
            words.removeFirst()
            if word == "--" { break }
            if word == "--help" {
                action = .showUsage
                return
            }
            var letters = word.dropFirst()
            while let letter = letters.popFirst() {
                switch letter {
                case "c", "s", "k", "d", "D": flags.append(letter)
                case "a", "t", "E", "O", "P":
                    guard let value = letters.isEmpty ? words.popFirst() : String(letters) else {
                        throw UsageError(reason: "option requires an argument -- \(letter)")
                    }
                    try set(letter, value)
                    letters = ""
                default: throw UsageError(reason: "unknown option -- \(letter)")
                }
            }
        }
        try choose(flags, Array(words))
        if let background { action = .background(background) }
    }

    private mutating func set(_ letter: Character, _ value: String) throws(UsageError) {
        switch letter {
        case "a": socket = value
        case "t":
            guard let seconds = Self.seconds(value) else { throw UsageError(reason: "Invalid lifetime") }
            options.lifetime = seconds == 0 ? nil : seconds
            optionWords += ["-t", value]
        case "E":
            guard let hash = FingerprintHash(rawValue: value.lowercased()) else {
                throw UsageError(reason: "Invalid hash algorithm ‘\(value)’")
            }
            fingerprintHash = hash
            optionWords += ["-E", value]
        case "P":
            guard !optionWords.contains("-P") else { throw UsageError(reason: "-P option already specified") }
            options.allowedProviders = value
            optionWords += ["-P", value]
        default:
            switch value {
            case "no-restrict-websafe": options.restrictsWebSignatures = false
            case "allow-rsa-sha1": options.allowsSHA1 = true
            case "allow-remote-pkcs11": options.allowsRemoteProviders = true
            default: throw UsageError(reason: "Unknown -O option ‘\(value)’")
            }
            optionWords += ["-O", value]
        }
    }

    private mutating func choose(_ flags: [Character], _ command: [String]) throws(UsageError) {
        let servesHere = flags.filter { $0 == "d" || $0 == "D" }
        guard servesHere.count <= 1, !(flags.contains("c") && flags.contains("s")), command.isEmpty || flags.isEmpty
        else { throw UsageError(reason: nil) }
        if flags.contains("c") { shell = .csh }
        if flags.contains("s") { shell = .bourne }
        if flags.contains("k") {
            action = .kill
        } else if let flag = servesHere.first {
            action = .serve(isDebugging: flag == "d")
        } else if !command.isEmpty {
            action = .run(command)
        }
    }

    /// The command line of an agent in the background.
    public func words(of background: Background, socket: String) -> [String] {
        background.words + ["-a", socket] + optionWords
    }

    /// Reads a time: numbers with the units s, m, h, d and w, of which the sum counts (sshd_config(5), TIME FORMATS).
    private static func seconds(_ text: String) -> UInt32? {
        var (sum, number): (UInt32, UInt32?) = (0, nil)
        func adding(_ factor: UInt32) -> UInt32? {
            guard let number else { return nil }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: factor)
            let (total, overflows) = sum.addingReportingOverflow(product)
            return isTooLarge || overflows ? nil : total
        }
        for character in text {
            if let digit = character.isASCII ? character.wholeNumberValue : nil {
                let (shifted, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: 10)
                let (next, overflows) = shifted.addingReportingOverflow(UInt32(digit))
                guard !isTooLarge, !overflows else { return nil }
                number = next
                continue
            }
            let factors: [Character: UInt32] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
            guard let factor = factors[Character(character.lowercased())], let total = adding(factor) else {
                return nil
            }
            (sum, number) = (total, nil)
        }
        // A number without a unit at the end is seconds.
        return number == nil ? (text.isEmpty ? nil : sum) : adding(1)
    }

    public static let usage = """
        usage: chatelaine-ssh-agent [-c | -s] [-Dd] [-a bind_address] [-E fingerprint_hash]
                                    [-O option] [-P allowed_providers] [-t life]
               chatelaine-ssh-agent [-a bind_address] [-E fingerprint_hash] [-O option]
                                    [-P allowed_providers] [-t life] command [arg ...]
               chatelaine-ssh-agent [-c | -s] -k

        """
}

/// The commands that an agent prints for a shell to evaluate. They are those of OpenSSH.
extension AgentCommandLine.Shell {
    /// The variables of an agent.
    public func settings(socket: String, agent: Int32) -> String {
        setting("SSH_AUTH_SOCK", Self.quoted(socket)) + setting("SSH_AGENT_PID", "\(agent)")
            + "echo Agent pid \(agent);\n"
    }

    /// The variables of an agent that stays in the foreground.
    public func foregroundSettings(socket: String, agent: Int32) -> String {
        setting("SSH_AUTH_SOCK", Self.quoted(socket)) + "echo Agent pid \(agent);\n"
    }

    /// The commands after an agent was ended.
    public func removal(agent: Int32) -> String {
        let command =
            switch self {
            case .bourne: "unset"
            case .csh: "unsetenv"
            }
        return "\(command) SSH_AUTH_SOCK;\n\(command) SSH_AGENT_PID;\necho Agent pid \(agent) killed;\n"
    }

    private func setting(_ name: String, _ value: String) -> String {
        switch self {
        case .bourne: "\(name)=\(value); export \(name);\n"
        case .csh: "setenv \(name) \(value);\n"
        }
    }

    /// Quotes a path only if it needs quotes, because programs parse the lines.
    private static func quoted(_ path: String) -> String {
        let plain = path.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-+,:@%=".utf8.contains(byte)
        }
        guard !plain else { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
