// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The two kinds of keychains. Both have the same tables and the same sealing.
public enum StoreKind: Hashable, Sendable {
    /// A user's own keychain: items belong to access groups, and each is protected by its class.
    case dataProtection
    /// A file with its own password. Its attributes can be read while it is locked (semantics 8.3).
    case file

    /// The `application_id`, which file(1) and other programs read: 'CHTL' and 'CHTF'.
    var applicationID: Int64 {
        switch self {
        case .dataProtection: 0x4348_544C
        case .file: 0x4348_5446
        }
    }

    /// The class whose metadata key seals all attributes; nil: each item's attributes are sealed under the metadata key
    /// of its own class.
    var attributesClass: Accessibility? {
        switch self {
        case .dataProtection: nil
        case .file: .alwaysThisDeviceOnly
        }
    }

    /// Recognizes the kind of a file by its first 72 bytes; nil for a file that is not a keychain
    /// (sqlite.org/fileformat.html, 1.3).
    public init?(ofFileBeginningWith bytes: [UInt8]) {
        let magic = Array("SQLite format 3\0".utf8)
        guard bytes.count >= 72, bytes.starts(with: magic) else { return nil }
        let application = bytes[68..<72].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard let kind = [StoreKind.dataProtection, .file].first(where: { $0.applicationID == application }) else {
            return nil
        }
        self = kind
    }
}
