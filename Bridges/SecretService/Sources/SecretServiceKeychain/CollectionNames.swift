// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainPlatform
internal import SecretMemory
internal import SecretService
internal import Synchronization

/// What the Secret Service knows of collections beyond the keychain: their labels. They are kept in a small file, so that
/// they stay over restarts.
public final class CollectionNames: Sendable {
    private struct State {
        var labels: [CollectionID: String] = [:]
    }

    /// The largest label, in bytes.
    private static let labelLimit = 1024
    /// The largest number of labels that are kept.
    private static let countLimit = 1024
    /// The largest file that is read. One with all labels is smaller.
    private static let byteLimit = 4 << 20

    private let path: String
    private let state: Mutex<State>

    /// Reads the file. A file that does not exist names nothing.
    ///
    /// - Parameters:
    ///   - path: its absolute path; the folders above are created when something is stored.
    ///   - report: takes a sentence for the log if the file cannot be read.
    public init(path: String, report: (String) -> Void) {
        self.path = path
        var state = State()
        do throws(DurableFile.Error) {
            let text = String(decoding: try DurableFile.read(path, limit: Self.byteLimit).bytes, as: UTF8.self)
            if !Self.read(text, into: &state) {
                report(
                    "\(path) has lines that are not valid, which are left out. Set the labels of the collections again."
                )
            }
        } catch .missing {
            // No collection has another label.
        } catch {
            report(
                "The labels of collections cannot be read, so they have their usual ones: \(error). Check it, or remove it."
            )
        }
        self.state = Mutex(state)
    }

    func label(of collection: CollectionID) -> String? { state.withLock { $0.labels[collection] } }

    /// Throws `.limitExceeded`, and `.unavailable` if the file cannot be written.
    func setLabel(of collection: CollectionID, _ label: String) throws(StorageError) {
        guard label.utf8.count <= Self.labelLimit else {
            throw .limitExceeded("The label of a collection has at most \(Self.labelLimit) bytes.")
        }
        try change { state in
            guard state.labels[collection] != nil || state.labels.count < Self.countLimit else { return false }
            state.labels[collection] = label
            return true
        }
    }

    /// Removes the label of a deleted collection. Throws as ``setLabel(of:_:)``.
    func forget(_ collection: CollectionID) throws(StorageError) {
        guard label(of: collection) != nil else { return }
        try change { state in
            state.labels[collection] = nil
            return true
        }
    }

    /// - Parameter change: returns whether there was room for the change.
    private func change(_ change: (inout State) -> Bool) throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            var new = state
            guard change(&new) else { throw .limitExceeded("Too many collections have labels.") }
            do throws(DurableFile.Error) {
                try makeFolders()
                try DurableFile.replace(path, contents: SecretBytes(copying: Self.text(of: new).utf8))
            } catch {
                throw .unavailable(
                    "The labels of collections cannot be stored: \(error). Check the folder’s permissions and free space."
                )
            }
            state = new
        }
    }

    /// Creates the folders above the file that are missing.
    private func makeFolders() throws(DurableFile.Error) {
        for slash in path.indices.dropFirst() where path[slash] == "/" {
            let folder = String(path[..<slash])
            if FileLocation.isFolder(folder) { continue }
            do throws(SystemCallError) {
                try FileLocation.makeFolder(folder)
            } catch {
                throw .system(path: folder, error)
            }
        }
    }

    // MARK: The file
    // Lines of three fields, separated by tabulators: `label`, collection, label.

    private static func text(of state: State) -> String {
        state.labels.sorted { $0.key.name < $1.key.name }.map { id, label in
            "label\t\(escaped(id.name))\t\(escaped(label))\n"
        }.joined()
    }

    /// Returns whether all lines are valid.
    private static func read(_ text: String, into state: inout State) -> Bool {
        var isValid = true
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(unescaped)
            switch (fields.first, fields.count) {
            // Earlier versions kept the collection with the alias `default`.
            case ("default", 2): continue
            case ("label", 3) where state.labels.count < countLimit: state.labels[CollectionID(fields[1])] = fields[2]
            default: isValid = false
            }
        }
        return isValid
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\t": escaped += "\\t"
            case "\n": escaped += "\\n"
            // Swift takes a return and the end of the line for one character.
            case "\r": escaped += "\\r"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func unescaped(_ field: Substring) -> String {
        var text = ""
        var scalars = field.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "\\" else {
                text.unicodeScalars.append(scalar)
                continue
            }
            switch scalars.next() {
            case "t": text += "\t"
            case "n": text += "\n"
            case "r": text += "\r"
            case let other?: text.unicodeScalars.append(other)
            case nil: text += "\\"
            }
        }
        return text
    }
}
