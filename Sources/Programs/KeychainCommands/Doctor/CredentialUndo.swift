// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainTerminal
internal import SecretMemory

/// Restores a file as it was before `chatelaine doctor --move`: `chatelaine doctor --undo FILE`.
///
/// The items of its secrets stay; the item of the old file is removed after the file is restored.
struct CredentialUndo {
    private let context: CommandContext

    init(_ context: CommandContext) {
        self.context = context
    }

    func run(_ path: String, asJSON: Bool) throws(CommandFailure) {
        let opened: ProgramFile
        do throws(StreamError) {
            opened = try context.machine.open(path)
        } catch {
            throw CommandFailure(
                "cannot open \"\(path)\": \(error.reason)",
                hint: "`chatelaine list` shows the stored versions of the file as doctor:PATH")
        }
        let old = try oldFile(of: opened)
        var bytes: [UInt8]
        do throws(ClientError) {
            bytes = Array(try context.client.secret(of: old.item).bytes)
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
        defer { wipe(&bytes) }
        let isReplaced: Bool
        do throws(SystemCallFailureReason) {
            isReplaced = try FileReplacement.replace(opened, with: bytes, mode: old.mode)
        } catch {
            throw CommandFailure("cannot replace \"\(opened.path)\": \(error.reason)")
        }
        guard isReplaced else { throw changed(opened.path, old) }
        do throws(ClientError) {
            try context.client.delete(old.item.query)
        } catch {
            context.diagnostics.writeIfPossible(
                "The item with the old file could not be removed from the keychain; `chatelaine list` shows it.\n")
        }
        if asJSON {
            try context.print(
                JSONText.object([("file", .text(opened.path)), ("result", .text("restored"))]).document())
        } else {
            try context.print(
                visible(
                    "\"\(opened.path)\" was restored. The secrets that were moved out of it remain in the keychain.")
                    + "\n")
        }
    }

    /// Returns the old file whose remainder matches the current file.
    private func oldFile(of opened: ProgramFile) throws(CommandFailure) -> StoredFiles.OldFile {
        let path = opened.path
        guard opened.facts.owner == context.machine.user else {
            throw CommandFailure("\"\(path)\" belongs to another user")
        }
        let files: [StoredFiles.OldFile]
        do throws(ClientError) {
            files = try StoredFiles(client: context.client).oldFiles(of: path)
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
        guard !files.isEmpty else {
            throw CommandFailure("no secrets were moved out of \"\(path)\" with this command", exitCode: .itemNotFound)
        }
        guard opened.size <= CredentialFile.byteLimit else { throw changed(path, files[0]) }
        var now: [UInt8]
        do throws(SystemCallError) {
            now = try opened.read(at: 0, count: Int(opened.size))
        } catch {
            throw CommandFailure("cannot read \"\(path)\": \(error.reason)")
        }
        defer { wipe(&now) }
        let digest = StoredFiles.digest(now)
        guard let file = files.first(where: { $0.remainder == digest }) else { throw changed(path, files[0]) }
        return file
    }

    private func changed(_ path: String, _ old: StoredFiles.OldFile) -> CommandFailure {
        CommandFailure(
            "\"\(path)\" was changed after its secrets were moved, so it is not restored",
            hint: "`chatelaine get --user \"\(old.name)\" \"\(StoredFiles.service(of: path))\"` prints the old contents"
        )
    }
}

/// The system's reason why a file could not be replaced.
struct SystemCallFailureReason: Error, Hashable {
    let reason: String
}

enum FileReplacement {
    /// Replaces the content of a file atomically, unless the file was changed since it was opened.
    ///
    /// - Parameter mode: nil leaves the mode unchanged.
    /// - Returns: whether it was replaced.
    static func replace(
        _ file: ProgramFile, with bytes: [UInt8], mode: UInt32? = nil
    ) throws(SystemCallFailureReason) -> Bool {
        do throws(SystemCallError) {
            let replacement = try ProgramReplacement(of: file)
            try replacement.write(bytes, at: 0)
            return try replacement.takePlaceIfUnchanged(mode: mode)
        } catch {
            throw SystemCallFailureReason(reason: error.reason)
        }
    }
}
