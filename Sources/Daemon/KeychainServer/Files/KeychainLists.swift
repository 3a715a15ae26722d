// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import SecretMemory
internal import Synchronization

/// The default keychain and the search list, in a file of lines (Documentation/Formats/keychain-lists.md). The service
/// alone writes it, so that simultaneous changes by two programs do not overwrite each other.
final class KeychainLists: Sendable {
    private let path: String
    /// The administrator's lists for all users; read each time, because changes are not reported.
    private let sharedPath: String
    /// Whether this process may write that file: it runs as root.
    private let writesShared: Bool
    private let turn = Mutex(())

    /// The path of the lists for all users of the machine.
    static let systemPath = "/etc/chatelaine/keychains"
    static let head = "chatelaine keychain lists 1"
    static let limitBytes = 4 << 20

    init(
        path: String, sharedPath: String = systemPath, writesShared: Bool = ActingUser.isRoot
    ) {
        self.path = path
        self.sharedPath = sharedPath
        self.writesShared = writesShared
    }

    /// Returns the list of a domain.
    ///
    /// - Throws: `errSecIO` for a file that cannot be read, or is not a file of lists: it is not changed.
    func list(of domain: PreferencesDomain) throws(Refusal) -> KeychainList {
        switch domain {
        case .user: try Lines(at: path).list("default", "search")
        case .system: try shared().list("default", "search")
        case .common: try shared().list("", "common")
        case .dynamic: KeychainList(standard: nil, searched: [])
        }
    }

    /// Changes a list; those of other domains are not changed.
    ///
    /// - Parameters:
    ///   - domain: the domain of the list.
    ///   - user: the requesting user. Root may change the lists of all users, if the service runs as root.
    ///   - body: changes the list. Calls do not overlap.
    /// - Returns: the list before and after the change.
    /// - Throws: as ``list(of:)``, `errSecWrPerm` for a list that this user may not change, or that does not exist: the
    ///   dynamic domain has none, and the common one no default keychain; also if the file cannot be written, and
    ///   `errSecDskFull` if there is no space for it; the errors of the closure.
    func change(
        _ domain: PreferencesDomain, by user: UInt32? = nil,
        _ body: @Sendable (inout KeychainList) throws(Refusal) -> Void
    ) throws(Refusal) -> (before: KeychainList, after: KeychainList) {
        let isAllowed =
            switch domain {
            case .user: true
            case .system, .common: writesShared && user == 0
            case .dynamic: false
            }
        guard isAllowed else { throw Self.unchangeable }
        let result: Result<(KeychainList, KeychainList), Refusal> = turn.withLock { _ in
            do throws(Refusal) {
                var list = try list(of: domain)
                let before = list
                try body(&list)
                guard list != before else { return .success((before, list)) }
                guard domain != .common || list.standard == nil else { throw Self.unchangeable }
                try write(list, of: domain)
                return .success((before, list))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func shared() throws(Refusal) -> Lines {
        // The file is not secret and does not belong to the user, so it is read without the checks for the user's own
        // files.
        guard let bytes = FileLocation.text(of: sharedPath, limit: Self.limitBytes) else { return Lines(lines: []) }
        return try Lines(bytes)
    }

    private static let unchangeable = Refusal(.writePermission, .unchangeableList)

    private func write(_ list: KeychainList, of domain: PreferencesDomain) throws(Refusal) {
        let isShared = domain != .user
        let first = domain == .common ? try self.list(of: .system) : list
        var text = Self.head + "\n"
        if let standard = first.standard { text += "default \(standard)\n" }
        for path in first.searched { text += "search \(path)\n" }
        if isShared {
            let common = domain == .common ? list : try self.list(of: .common)
            for path in common.searched { text += "common \(path)\n" }
        }
        let path = isShared ? sharedPath : path
        do throws(DurableFile.Error) {
            // The folder is created with the first keychain, and lists may be written before that.
            if let slash = path.lastIndex(of: "/") { try makeFolder(String(path[..<slash]), isPublic: isShared) }
            try DurableFile.replace(path, contents: SecretBytes(copying: Array(text.utf8)), isPublic: isShared)
        } catch {
            throw error.refusal
        }
    }

    private func makeFolder(_ path: String, isPublic: Bool) throws(DurableFile.Error) {
        do throws(SystemCallError) {
            try FileLocation.makeFolder(path, isPublic: isPublic)
        } catch {
            throw .system(path: path, error)
        }
    }

    private struct Lines {
        private let lines: [Substring]

        init(lines: [Substring]) { self.lines = lines }

        init(at path: String) throws(Refusal) {
            let contents: SecretBytes
            do throws(DurableFile.Error) {
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
