// SPDX-License-Identifier: Apache-2.0

internal import KeychainTerminal

/// A search for the user's pinentry: first the program that GnuPG's agent would run, then those that the distribution
/// installed.
///
/// The environment of the calling program is ignored, because it could name a program of the caller's own.
struct PinentrySearch: Sendable {
    /// Reads a small file of the user; nil if it does not exist.
    let read: @Sendable (_ path: String) -> [UInt8]?
    /// Resolves a path to a file; nil unless the file is an executable program.
    let program: @Sendable (_ path: String) -> String?

    static let live = PinentrySearch(
        read: { path in
            guard let file = try? UserFile(reading: path) else { return nil }
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 4096)
            // A larger file is not a settings file.
            while bytes.count <= 1 << 20, let count = try? file.read(into: &piece) {
                if count == 0 { return bytes }
                bytes += piece[..<count]
            }
            return nil
        },
        program: { path in
            // Distributions select the default pinentry with a symbolic link.
            Pinentry(named: path, searchPath: nil).flatMap { try? ProgramPath.find($0.program, searchPath: nil) }
        })

    private static let folders = ["/usr/bin", "/usr/local/bin"]
    private static let namesForTerminals: Set = ["pinentry-curses", "pinentry-tty"]
    private static let names = [
        "pinentry", "pinentry-gnome3", "pinentry-gtk-2", "pinentry-qt", "pinentry-qt5", "pinentry-curses",
        "pinentry-tty",
    ]

    /// Returns the programs to try, best first.
    ///
    /// - Parameters:
    ///   - home: the user's home folder.
    ///   - gnupgHome: the folder of GnuPG's settings, if it is not the usual one in the home folder.
    ///   - hasDisplay: without a display, only a program that the user configured is tried, because the distribution's
    ///     default is made for windows and a terminal has its own prompter.
    ///   - hasTerminal: without a terminal, programs for terminals alone are left out, because they would cancel the
    ///     prompt on the user's behalf.
    func candidates(home: String?, gnupgHome: String?, hasDisplay: Bool, hasTerminal: Bool) -> [String] {
        let settings = [gnupgHome, home.map { "\($0)/.gnupg" }].compactMap { $0 }.first { $0.hasPrefix("/") }
        var paths: [String] = []
        if let named = settings.flatMap({ read("\($0)/gpg-agent.conf") }).flatMap(Self.program), named.hasPrefix("/") {
            paths.append(named)
        }
        if hasDisplay { for name in Self.names { paths += Self.folders.map { "\($0)/\(name)" } } }
        var seen: Set<String> = []
        return paths.filter { path in
            guard let program = program(path), seen.insert(program).inserted else { return false }
            let name = program[(program.lastIndex(of: "/") ?? program.startIndex)...].dropFirst()
            return hasTerminal || !Self.namesForTerminals.contains(String(name))
        }
    }

    /// Returns the value of the last `pinentry-program` line (gpg-agent(1)).
    static func program(in settings: [UInt8]) -> String? {
        var program: String?
        for line in String(decoding: settings, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let words = line.drop { $0 == " " || $0 == "\t" }.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
            guard words.count == 2, words[0] == "pinentry-program" else { continue }
            var value = words[1].drop { $0 == " " || $0 == "\t" }
            while let last = value.last, last == " " || last == "\t" { value.removeLast() }
            if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
            program = String(value)
        }
        return program
    }
}
