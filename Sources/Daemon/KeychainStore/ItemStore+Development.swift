// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel
import KeychainSealing
import SQLiteStatements

// The user's development folders: rows of table settings that the seal of the contents covers.
extension ItemStore {
    /// The prefix of a path in the table of settings.
    fileprivate static let folderPrefix = "development-folder:"

    /// Returns the paths of the development folders. Returns none while the rows differ from those that the service
    /// left, because another program could have added a folder, or restored a revoked one.
    ///
    /// If there are folders, checks all rows of the keychain first, if they were not checked since the start.
    ///
    /// - Throws: `.damaged(.database)`, `.inputOutput`, `.closed`.
    public func developmentFolders() throws(StoreError) -> Set<String> {
        let names = try StoreError.translating { try writer.access { db in try db.developmentFolderNames() } }
        guard !names.isEmpty else { return [] }
        let state = contentsState == .unknown ? try checkContents() : contentsState
        guard state == .asLeft else { return [] }
        return Set(names.map { String($0.dropFirst(Self.folderPrefix.count)) }.filter(DevelopmentFolder.isPath))
    }

    /// Adds or removes a development folder.
    ///
    /// - Returns: whether anything changed.
    /// - Throws: as ``change(_:)``; then nothing is changed.
    @discardableResult
    public func setDevelopmentFolder(_ path: String, isTrusted: Bool) throws(StoreError) -> Bool {
        let name = Self.folderPrefix + path
        var isChanged = false
        try StoreError.translating {
            try writer.keeping { db throws(StoreError) in
                try StoreError.translating {
                    try db.execute(
                        isTrusted
                            ? "INSERT OR IGNORE INTO settings (name, value) VALUES (?, 1)"
                            : "DELETE FROM settings WHERE name = ?", [.text(name)])
                }
                isChanged = db.changedRowCount == 1
                guard isChanged else { return }
                try writer.seal(db) { sum, coder in
                    let code = coder.code(ofDevelopmentFolder: name)
                    if isTrusted { sum.insert(code) } else { sum.remove(code) }
                }
            }
        }
        return isChanged
    }
}

extension RowCoder {
    /// The number of the rows of development folders in the seal. No item class has it.
    private static let developmentFolders: UInt8 = 17

    /// Returns the code of the row of a development folder.
    ///
    /// - Parameter name: the name of the row in table settings.
    func code(ofDevelopmentFolder name: String) -> RowCode {
        var row = RowBytes(table: Self.developmentFolders)
        row.append(blob: Data(name.utf8))
        return code(row.bytes)
    }
}

extension Database {
    /// Returns the names of the rows of development folders in table settings.
    func developmentFolderNames() throws(SQLiteError) -> [String] {
        try rows(of: "SELECT name FROM settings WHERE name GLOB ?", [.text(ItemStore.folderPrefix + "*")])
            .compactMap(\.[0].text)
    }

    /// Removes all that the user trusts: teams and development folders. The seal of the contents is written later.
    func distrustAll() throws {
        try execute(
            "DELETE FROM settings WHERE name GLOB ? OR name GLOB ?",
            [.text(ItemStore.teamPrefix + "*"), .text(ItemStore.folderPrefix + "*")])
    }
}
