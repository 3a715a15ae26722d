// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
import KeychainSealing
import SQLiteStatements

/// The reason why a store operation failed. It contains nothing of any item's content.
public enum StoreError: Error, Hashable, Sendable {
    /// An item with the same uniqueness attributes exists, or would after the change.
    case duplicate
    case notFound
    /// No space for the change; nothing was changed.
    case diskFull
    /// The file or its directory cannot be written.
    case readOnly
    /// The database is damaged, with the kind of damage.
    case damaged(Damage)
    /// The operating system reported an error while reading or writing, or another process holds the database.
    case inputOutput
    /// The file is not a keychain. It was not changed.
    case notAKeychain
    /// A file that SQLite would open may have been made by another user. None of the keychain's files was changed.
    case untrusted(UntrustedFile)
    /// The keychain was made by a newer version. It was not changed.
    case newerVersion
    /// The keychain was made with another device key. It was not changed.
    case wrongDeviceKey
    /// The class key is not available: the keychain is locked, or the class exists only with a passcode.
    case keyNotAvailable(Accessibility)
    /// An item has its own password, and none was given.
    case passwordNeeded
    /// The given password is not the item's own password.
    case wrongPassword
    /// The change would break a rule between attributes.
    case refused(Refusal)
    /// The store has been closed.
    case closed

    /// A file of a keychain that is a link, belongs to another user, or is a journal that the service did not make.
    public enum UntrustedFile: Hashable, Sendable {
        case database
        case journal
        case log
        case logIndex

        init(_ kind: DatabaseFiles.Kind) {
            self =
                switch kind {
                case .database: .database
                case .journal: .journal
                case .log: .log
                case .logIndex: .logIndex
                }
        }

        /// The end of the file's name, after the name of the database.
        public var suffix: String {
            switch self {
            case .database: DatabaseFiles.Kind.database.suffix
            case .journal: DatabaseFiles.Kind.journal.suffix
            case .log: DatabaseFiles.Kind.log.suffix
            case .logIndex: DatabaseFiles.Kind.logIndex.suffix
            }
        }
    }

    public enum Damage: Hashable, Sendable {
        /// SQLite reported a malformed file.
        case database
        /// The write-ahead log contains changes that SQLite would not read.
        case log
        /// The file is missing or empty, but snapshots of it exist.
        case lost
        /// A keychain without a usable keybag.
        case keybag
        /// A row or sealed bytes that this store would not have written.
        case item
    }

    /// The status that the caller receives.
    public var status: StatusCode {
        switch self {
        case .duplicate: .duplicateItem
        case .notFound: .itemNotFound
        case .diskFull: .diskFull
        case .readOnly: .writePermission
        case .damaged(.database), .damaged(.log), .damaged(.lost), .damaged(.keybag), .notAKeychain, .newerVersion,
            .untrusted, .wrongDeviceKey:
            .invalidKeychain
        case .damaged(.item): .decode
        case .inputOutput: .inputOutput
        case .keyNotAvailable(.whenPasscodeSetThisDeviceOnly): .authenticationFailed
        case .keyNotAvailable: .interactionNotAllowed
        case .refused(let refusal): refusal.status
        case .passwordNeeded: .interactionNotAllowed
        case .wrongPassword: .authenticationFailed
        case .closed: .notAvailable
        }
    }
}

extension StoreError {
    /// The result is larger than the service may hold.
    static let tooMuchAtOnce = StoreError.refused(Refusal(.allocate, .tooMuchAtOnce))
}

extension StoreError {
    /// Converts a failure to seal or open one item.
    init(_ error: SealingError) {
        self =
            switch error {
            case .damaged, .unsupportedVersion: .damaged(.item)
            case .wrongDeviceKey: .wrongDeviceKey
            case .keyNotAvailable(let accessibility): .keyNotAvailable(accessibility)
            case .passwordNeeded: .passwordNeeded
            case .wrongPassword: .wrongPassword
            case .enrolmentNeeded, .enrolmentChanged: .refused(Refusal(.authenticationFailed, .enrolmentChanged))
            case .noKeyStorage, .wrongSecret, .noSuchProtector, .tooManyProtectors: .inputOutput
            }
    }

    /// Converts a failure to read or change the keybag.
    init(ofKeybag error: SealingError) {
        self =
            switch error {
            case .damaged, .keyNotAvailable, .passwordNeeded, .wrongPassword, .enrolmentNeeded, .enrolmentChanged:
                .damaged(.keybag)
            case .unsupportedVersion: .newerVersion
            case .wrongDeviceKey: .wrongDeviceKey
            case .wrongSecret: .refused(Refusal(.authenticationFailed, .wrongSecret))
            case .noSuchProtector: .refused(Refusal(.authenticationFailed, .noSuchProtector))
            case .tooManyProtectors: .refused(Refusal(.parameter, .tooManyProtectors))
            case .noKeyStorage: .inputOutput
            }
    }
}

extension StoreError: CustomStringConvertible {
    /// For logs, without the path of the database.
    public var description: String {
        switch self {
        case .duplicate: "an identical item exists"
        case .notFound: "no item matches"
        case .diskFull: "the file system is full"
        case .readOnly: "the file or its directory cannot be written"
        case .damaged(.database): "the database is damaged"
        case .damaged(.log): "the write-ahead log is damaged"
        case .damaged(.lost): "the database is missing or empty"
        case .damaged(.keybag): "the keybag is damaged"
        case .damaged(.item): "a row is damaged"
        case .inputOutput: "a file cannot be read or written, or another process holds the database"
        case .notAKeychain: "the file is not a keychain"
        case .untrusted(let file): "another user may have made the file that SQLite opens as the \(file)"
        case .newerVersion: "a newer version made the keychain"
        case .wrongDeviceKey: "the keychain was made with another device key"
        case .keyNotAvailable(let accessibility): "the key of the class \(accessibility.code) is not available"
        case .passwordNeeded: "the item has its own password"
        case .wrongPassword: "the item's own password is wrong"
        case .refused(let refusal): "\(refusal)"
        case .closed: "the store is closed"
        }
    }
}
