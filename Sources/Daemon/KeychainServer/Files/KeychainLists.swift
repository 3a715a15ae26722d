// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform
internal import SecretMemory
internal import Synchronization

/// The default keychain and the search list, in a file of lines (Documentation/Formats/keychain-lists.md). The service alone
/// writes it, so that two programs that change the list at once do not lose each other's changes halfway.
final class KeychainLists: Sendable {
    private let path: String
    /// What an administrator wrote for all users; read each time, as nobody says when it changes.
    private let sharedPath: String
    private let turn = Mutex(())

    static let head = "chatelaine keychain lists 1"
    static let limitBytes = 4 << 20

    init(path: String, sharedPath: String = "/etc/chatelaine/keychains") {
        self.path = path
        self.sharedPath = sharedPath
    }

    /// - Throws: `errSecIO` for a file that cannot be read, or is none of ours: it stays as it is.
    func list(of domain: PreferencesDomain) throws(Refusal) -> KeychainList {
        switch domain {
        case .user: try Lines(at: path).list("default", "search")
        case .system: try shared().list("default", "search")
        case .common: try shared().list("", "common")
        case .dynamic: KeychainList(standard: nil, searched: [])
        }
    }

    /// Changes the user's list.
    ///
    /// - Returns: what it was, and what it is now.
    /// - Throws: as ``list(of:)``, `errSecWrPerm` for other domains, what the closure throws.
    func change(
        _ domain: PreferencesDomain, _ body: @Sendable (inout KeychainList) throws(Refusal) -> Void
    ) throws(Refusal) -> (before: KeychainList, after: KeychainList) {
        guard domain == .user else { throw Refusal(.writePermission, .unchangeableList) }
        let result: Result<(KeychainList, KeychainList), Refusal> = turn.withLock { _ in
            do throws(Refusal) {
                let lines = try Lines(at: path)
                var list = lines.list("default", "search")
                let before = list
                try body(&list)
                if list != before { try write(list) }
                return .success((before, list))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func shared() throws(Refusal) -> Lines {
        // Nobody's secret, and not the user's: read as anybody could.
        guard let bytes = FilePlace.text(of: sharedPath, limit: Self.limitBytes) else { return Lines(lines: []) }
        return try Lines(bytes)
    }

    private func write(_ list: KeychainList) throws(Refusal) {
        var text = Self.head + "\n"
        if let standard = list.standard { text += "default \(standard)\n" }
        for path in list.searched { text += "search \(path)\n" }
        do {
            // It is made with the first keychain, and lists may be there before.
            if let slash = path.lastIndex(of: "/") { try FilePlace.makeFolder(String(path[..<slash])) }
            try DurableFile.replace(path, contents: SecretBytes(copying: Array(text.utf8)))
        } catch {
            throw Refusal(.inputOutput, .none)
        }
    }

    private struct Lines {
        private let lines: [Substring]

        init(lines: [Substring]) { self.lines = lines }

        init(at path: String) throws(Refusal) {
            let contents: SecretBytes
            do throws(DurableFile.Failure) {
                contents = try DurableFile.read(path, limit: KeychainLists.limitBytes)
            } catch .missing {
                self.init(lines: [])
                return
            } catch {
                throw Refusal(.inputOutput, .none)
            }
            try self.init(contents.withSpan { span in span.indices.map { span[$0] } })
        }

        init(_ bytes: [UInt8]) throws(Refusal) {
            guard let text = String(validating: bytes, as: UTF8.self) else { throw Refusal(.inputOutput, .none) }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
            guard lines.first.map({ $0 == KeychainLists.head }) ?? true else { throw Refusal(.inputOutput, .none) }
            self.lines = Array(lines.dropFirst())
        }

        func list(_ standard: String, _ searched: String) -> KeychainList {
            KeychainList(
                standard: values(of: standard).first,
                searched: Array(values(of: searched).prefix(KeychainList.limit)))
        }

        private func values(of word: String) -> [String] {
            guard !word.isEmpty else { return [] }
            return lines.filter { $0.hasPrefix(word + " /") }.map { String($0.dropFirst(word.count + 1)) }
        }
    }
}
