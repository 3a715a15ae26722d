// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainEndpoint
internal import KeychainTerminal
internal import SecretMemory

/// Moves secrets out of files into the keychain: `chatelaine doctor --move`.
///
/// For each file: first the secrets are stored and read back, then the whole old file, then the file is replaced
/// atomically. An error before that leaves the file unchanged.
struct CredentialMove {
    private let context: CommandContext
    private let asks: Bool

    init(_ context: CommandContext, asks: Bool) {
        self.context = context
        self.asks = asks
    }

    /// The result for one secret.
    struct Result {
        enum Word: String {
            case moved
            /// The user declined.
            case declined
            /// The secret cannot be moved, or not now.
            case stays
        }

        let path: String
        let line: Int
        let title: String
        let word: Word
        let reason: String?
    }

    func run(asJSON: Bool) throws(CommandFailure) {
        var results: [Result] = []
        var failures: [String] = []
        for source in CredentialSource.all(on: context.machine) {
            guard case .read(let opened, let bytes, let found) = source.state else {
                if case .unusable(let reason) = source.state {
                    failures.append("\(source.path) was not checked: \(reason)")
                }
                continue
            }
            results += try move(found, of: source, opened, bytes)
        }
        try report(results, asJSON: asJSON)
        for failure in failures { context.diagnostics.writeIfPossible(visible(failure) + "\n") }
        let left = results.count { $0.word == .stays } + failures.count
        guard left == 0 else {
            throw CommandFailure(
                "some secrets could not be moved", hint: "`chatelaine doctor` lists the remaining plaintext secrets",
                exitCode: .partial)
        }
    }

    // MARK: One file

    private func move(
        _ found: [FoundCredential], of source: CredentialSource, _ opened: ProgramFile, _ bytes: SecretAccumulator
    ) throws(CommandFailure) -> [Result] {
        func result(_ credential: FoundCredential, _ word: Result.Word, _ reason: String? = nil) -> Result {
            Result(path: source.path, line: credential.line, title: credential.title, word: word, reason: reason)
        }
        var results: [Result] = []
        var wanted: [(FoundCredential, CredentialItem)] = []
        for credential in found {
            guard case .item(let item, _) = credential.place else {
                if case .stays(let reason) = credential.place { results.append(result(credential, .stays, reason)) }
                continue
            }
            if try agrees(credential, source) {
                wanted.append((credential, item))
            } else {
                results.append(result(credential, .declined))
            }
        }
        guard !wanted.isEmpty else { return results }
        if let reason = obstacle(opened) { return results + wanted.map { result($0.0, .stays, reason) } }
        let stored = try store(wanted)
        results += stored.conflicts.map { result($0, .stays, "the keychain has a different secret under that name") }
        guard !stored.moved.isEmpty else { return results }
        if let reason = try replace(source, opened, bytes, without: stored) {
            return results + stored.moved.map { result($0, .stays, reason) }
        }
        return results + stored.moved.map { result($0, .moved, source.file.consequence) }
    }

    /// Returns the reason why a file cannot be replaced; nil for none.
    private func obstacle(_ opened: ProgramFile) -> String? {
        if opened.facts.owner != context.machine.user { return "the file belongs to another user" }
        if opened.facts.linkCount > 1 {
            return "the file has other names (hard links), which would keep the old contents"
        }
        return nil
    }

    private struct Stored {
        var moved: [FoundCredential] = []
        /// The items that were not in the keychain before.
        var added: [CredentialItem] = []
        var conflicts: [FoundCredential] = []
    }

    private func store(_ wanted: [(FoundCredential, CredentialItem)]) throws(CommandFailure) -> Stored {
        var stored = Stored()
        do throws(ClientError) {
            let files = StoredFiles(client: context.client)
            for (credential, item) in wanted {
                switch try files.store(item, credential.secret) {
                case .added:
                    stored.added.append(item)
                    stored.moved.append(credential)
                case .present: stored.moved.append(credential)
                case .conflict: stored.conflicts.append(credential)
                }
            }
        } catch {
            takeBack(stored, file: nil)
            throw CommandFailure(error, message: context.statusMessage)
        }
        return stored
    }

    /// Stores the old file in the keychain, and replaces it with the new one.
    ///
    /// - Returns: the reason why it was not replaced; nil if it was.
    private func replace(
        _ source: CredentialSource, _ opened: ProgramFile, _ bytes: SecretAccumulator, without stored: Stored
    ) throws(CommandFailure) -> String? {
        var remainder = stored.moved.cutting(from: bytes.bytes)
        defer { wipe(&remainder) }
        let moment = Timestamp(secondsSinceReferenceDate: Double(context.secondsSince1970() - CivilTime.referenceDate))
        let name = CivilTime(moment)?.rfc3339 ?? ""
        var file: [ItemAttributes.Entry]?
        do throws(ClientError) {
            file = try StoredFiles(client: context.client).store(
                file: opened.path, bytes.secret(), mode: opened.facts.mode, remainder: remainder, at: name)
        } catch {
            takeBack(stored, file: nil)
            throw CommandFailure(error, message: context.statusMessage)
        }
        do throws(SystemCallFailureReason) {
            if try FileReplacement.replace(opened, with: remainder) { return nil }
            takeBack(stored, file: file)
            return "another process changed the file in the meantime"
        } catch {
            // The new file may be in place already; then the stored items are kept.
            if opened.isUnchanged { takeBack(stored, file: file) }
            throw CommandFailure("cannot replace \"\(source.path)\": \(error.reason)")
        }
    }

    /// Removes the items of a file that stays unchanged. An item that cannot be removed does no harm.
    private func takeBack(_ stored: Stored, file: [ItemAttributes.Entry]?) {
        let files = StoredFiles(client: context.client)
        for item in stored.added { try? files.remove(item) }
        if let file { try? files.removeFile(file) }
    }

    // MARK: Prompting

    /// Returns whether the user agrees.
    private func agrees(_ credential: FoundCredential, _ source: CredentialSource) throws(CommandFailure) -> Bool {
        guard asks else { return true }
        return try context.agrees(
            visible("\(source.path):\(credential.line): \(credential.title)") + "\n"
                + "After the move, \(source.file.consequence).\nMove it into the keychain?")
    }

    private func report(_ results: [Result], asJSON: Bool) throws(CommandFailure) {
        if asJSON {
            return try context.print(JSONText.array(results.map(\.json)).document())
        }
        guard !results.isEmpty else { return try context.print("No plaintext secrets found.\n") }
        try context.print(results.map(\.text).joined())
        if results.contains(where: { $0.word == .moved }) {
            context.diagnostics.writeIfPossible(
                "The disk may still contain the old data. Change secrets that other users could have read.\n")
        }
    }
}

extension CredentialMove.Result {
    fileprivate var text: String {
        let subject = visible("\(path):\(line): \(title)")
        return switch word {
        case .moved: "\(subject) was moved; \(reason ?? "")\n"
        case .declined: "\(subject) was not moved, as requested\n"
        case .stays: "\(subject) was not moved: \(visible(reason ?? ""))\n"
        }
    }

    fileprivate var json: JSONText {
        .object([
            ("file", .text(path)), ("line", .integer(Int64(line))), ("what", .text(title)),
            ("result", .text(word.rawValue)),
            ("reason", reason.map(JSONText.text) ?? .null),
        ])
    }
}
