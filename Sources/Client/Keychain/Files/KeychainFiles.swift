// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

extension UserKeychain {
    // MARK: Keychain files

    /// The keychains of the user that are files, each with a password of its own.
    public var files: KeychainFiles { KeychainFiles(self) }

    /// The same keychain, whose calls for items, keys and certificates use a keychain file instead of the
    /// data-protection keychain.
    ///
    /// ```swift
    /// let work = try await keychain.files.file(at: "work")
    /// let secret = try await keychain.inFile(work).secret(for: mail)
    /// ```
    ///
    /// Items of a file have no access group and no access control, and do not synchronize; their accessibility reads as
    /// `whenUnlocked`. Calls that name others fail with `errSecNoSuchAttr`. Each item has a list of the programs that
    /// may read it: the program that added it, and those that the user approves. In a locked file, items can be found
    /// and deleted; other calls prompt for the password of the file, or fail with `.authenticationFailed`.
    ///
    /// The lock state and ``administration`` remain those of the data-protection keychain.
    public func inFile(_ file: KeychainFile) -> UserKeychain { with(file) }
}

/// The keychain files of a user, the default file and the search list. Created by ``UserKeychain/files``.
///
/// ```swift
/// let files = UserKeychain().files
/// let work = try await files.create(at: "work", password: SecretData(utf8: "correct horse"))
/// try await keychain.inFile(work).store(mail, secret: secret)
/// try await files.lock(work)
/// ```
///
/// A file is named by an absolute path, or by a name in the folder of the user's keychains. All calls can fail with the
/// codes common to the calls of ``UserKeychain``, with `.noSuchKeychain` for a missing file or an invalid path, and with
/// `.invalidKeychain` for a file that is not a keychain of this device.
///
/// Without a password, the calls that require one prompt the user. They fail with `.interactionNotAllowed` if no prompt
/// can be shown, and with `.userCanceled`. ``UserKeychain/asking(_:reason:)`` sets whether prompts are allowed.
public struct KeychainFiles: Sendable {
    private let keychain: UserKeychain

    init(_ keychain: UserKeychain) {
        self.keychain = keychain
    }

    // MARK: Files

    /// Returns the file at a path and its state. Neither unlocks the file nor prompts. A missing file, or a file that
    /// is not a keychain, is no error.
    public func file(at path: String) async throws(KeychainError) -> KeychainFile {
        try await keychain.run("look at a keychain file") { client throws(ClientError) in
            KeychainFile(try client.keychain(at: path))
        }
    }

    /// The files in the folder of the user's keychains, by name.
    public var all: [KeychainFile] {
        get async throws(KeychainError) {
            try await keychain.run("list the keychain files") { client throws(ClientError) in
                try client.keychains().map(KeychainFile.init)
            }
        }
    }

    /// Creates a keychain file, which is then unlocked.
    ///
    /// - Parameters:
    ///   - path: the path or name of the new file.
    ///   - password: the password, which may be empty; nil: the user is prompted for a new one.
    /// - Throws: `.duplicateKeychain` if the file exists; `.notWritable`; `.invalidParameter` for an invalid password.
    public func create(at path: String, password: SecretData?) async throws(KeychainError) -> KeychainFile {
        try await keychain.run("create a keychain file") { client throws(ClientError) in
            KeychainFile(try client.createKeychain(at: path, password: password?.memory))
        }
    }

    /// Deletes a file with all its items, and removes it from the search list.
    public func delete(_ file: KeychainFile) async throws(KeychainError) {
        try await keychain.run("delete a keychain file") { client throws(ClientError) in
            try client.deleteKeychain(at: file.path)
        }
    }

    // MARK: Locking

    /// Locks a file. Has no effect on a locked one.
    public func lock(_ file: KeychainFile) async throws(KeychainError) {
        try await keychain.run("lock a keychain file") { client throws(ClientError) in
            try client.lockKeychain(at: file.path)
        }
    }

    /// Locks all keychain files.
    public func lockAll() async throws(KeychainError) {
        try await keychain.run("lock the keychain files") { client throws(ClientError) in
            try client.lockAllKeychains()
        }
    }

    /// Unlocks a file.
    ///
    /// - Parameters:
    ///   - file: the file to unlock.
    ///   - password: the password of the file; nil: the user is prompted, unless the file is unlocked.
    /// - Throws: `.authenticationFailed` for a wrong password, and after too many wrong passwords in a row.
    public func unlock(_ file: KeychainFile, password: SecretData?) async throws(KeychainError) {
        try await keychain.run("unlock a keychain file") { client throws(ClientError) in
            try client.unlockKeychain(at: file.path, password: password?.memory)
        }
    }

    /// Changes the password of a file.
    ///
    /// - Parameters:
    ///   - file: the file, locked or not.
    ///   - current: the current password; nil: the user is prompted.
    ///   - new: the new password, which may be empty; nil: the user is prompted.
    /// - Throws: `.authenticationFailed` for a wrong password; `.invalidParameter` for an invalid new one.
    public func changePassword(
        of file: KeychainFile, from current: SecretData?, to new: SecretData?
    ) async throws(KeychainError) {
        try await keychain.run("change the password of a keychain file") { client throws(ClientError) in
            try client.changePassword(ofKeychainAt: file.path, old: current?.memory, new: new?.memory)
        }
    }

    // MARK: The default file and the search list

    /// The file that receives an item which a program adds with Apple's functions without naming a keychain; nil if
    /// none is set. The file may be missing.
    public var defaultFile: KeychainFile? {
        get async throws(KeychainError) {
            try await keychain.run("read the default keychain file") {
                client throws(ClientError) -> KeychainFile? in
                guard let path = try client.keychainList(of: .user).standard else { return nil }
                return KeychainFile(try client.keychain(at: path))
            }
        }
    }

    /// Sets the default file; nil for none.
    public func setDefaultFile(_ file: KeychainFile?) async throws(KeychainError) {
        try await keychain.run("set the default keychain file") { client throws(ClientError) in
            try client.setDefaultKeychain(file?.path, of: .user)
        }
    }

    /// The files that Apple's functions search when a program names no keychain, in their order. Files may be missing.
    public var searchList: [KeychainFile] {
        get async throws(KeychainError) {
            try await keychain.run("read the search list") { client throws(ClientError) -> [KeychainFile] in
                var files: [KeychainFile] = []
                for path in try client.keychainList(of: .user).searched {
                    files.append(KeychainFile(try client.keychain(at: path)))
                }
                return files
            }
        }
    }

    /// Replaces the search list, including files that other programs have added to it.
    ///
    /// - Throws: `.invalidParameter` for more than 256 files.
    public func setSearchList(_ files: [KeychainFile]) async throws(KeychainError) {
        try await keychain.run("set the search list") { client throws(ClientError) in
            try client.setSearchList(files.map(\.path), of: .user)
        }
    }

    /// Appends a file to the search list unless it is on it. The change is atomic.
    ///
    /// - Throws: `.invalidParameter` for more than 256 files.
    public func addToSearchList(_ file: KeychainFile) async throws(KeychainError) {
        try await keychain.run("add to the search list") { client throws(ClientError) in
            try client.addToSearchList([file.path], of: .user)
        }
    }

    /// Removes a file from the search list in one atomic change. A file that is not on the list is no error.
    public func removeFromSearchList(_ file: KeychainFile) async throws(KeychainError) {
        try await keychain.run("remove from the search list") { client throws(ClientError) in
            try client.removeFromSearchList([file.path], of: .user)
        }
    }
}

extension KeychainError.Code {
    /// `errSecNoSuchKeychain`: the keychain file does not exist, or its path is invalid.
    public static let noSuchKeychain = KeychainError.Code(rawValue: StatusCode.noSuchKeychain.rawValue)
    /// `errSecInvalidKeychain`: the file is not a keychain, or it is a keychain of another device.
    public static let invalidKeychain = KeychainError.Code(rawValue: StatusCode.invalidKeychain.rawValue)
    /// `errSecDuplicateKeychain`: the keychain file exists already.
    public static let duplicateKeychain = KeychainError.Code(rawValue: StatusCode.duplicateKeychain.rawValue)
}
