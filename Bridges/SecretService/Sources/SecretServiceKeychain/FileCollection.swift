// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import SecretService

/// A collection that is a keychain file in the folder of the user's keychains.
struct FileCollection: Hashable, Sendable {
    let id: CollectionID
    /// The name of the file in the folder.
    let name: String

    private static let suffix = ".keychain-db"

    /// Takes the name of a collection: that of the file without `.keychain-db`, or the whole name of another file. Nil if
    /// no file can have it.
    init?(_ id: CollectionID) {
        let name = id.name.hasSuffix("-db") ? id.name : id.name + Self.suffix
        guard !name.contains("/"), !name.contains("\0"), let file = FileCollection(path: name), file.id == id else {
            return nil
        }
        self = file
    }

    /// Takes the path of a keychain file; nil for a name that no keychain has.
    init?(path: String) {
        guard let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init),
            name.hasSuffix("-db"), !name.hasPrefix("."), name.utf8.count <= 200
        else { return nil }
        self.name = name
        let short = CollectionID(String(name.dropLast(Self.suffix.count)))
        let isShort =
            name.hasSuffix(Self.suffix) && !short.name.isEmpty && !short.name.hasSuffix("-db")
            && short != .login && short != .session
        id = isShort ? short : CollectionID(name)
    }

    /// Makes the names for a new collection, of which the first is the best.
    static func candidates(for label: String) -> [FileCollection] {
        var base = String(label.map { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" ? $0 : "_" }.prefix(48))
        while base.utf8.count > 150 { base.removeLast() }
        if base.isEmpty { base = "collection" }
        let names = [base] + (2...100).map { "\(base) \($0)" }
        return names.compactMap { FileCollection(path: $0 + suffix) }
    }
}

/// The place of an item in the keychain.
struct StoredReference: Sendable {
    /// Nil for the data-protection keychain.
    let file: FileCollection?
    let reference: PersistentReference

    /// Takes the name of an item: a letter for its class, and its identifier in base 16.
    ///
    /// - Throws: `.noSuchObject` if no item can have the name.
    init(_ id: ItemID) throws(StorageError) {
        file = id.collection == .login ? nil : FileCollection(id.collection)
        guard file != nil || id.collection == .login, let letter = id.name.first,
            let itemClass = Self.classes.first(where: { $0.letter == letter })?.itemClass,
            let item = ItemIdentifier(hexadecimal: id.name.utf8.dropFirst())
        else { throw .noSuchObject }
        reference = PersistentReference(itemClass: itemClass, item: item)
    }

    private static let classes: [(letter: Character, itemClass: ItemClass)] = [
        ("g", .genericPassword), ("i", .internetPassword),
    ]

    /// The classes of items that the Secret Service shows.
    static var itemClasses: [ItemClass] { classes.map(\.itemClass) }

    /// The name of an item in its collection; nil for an item of another class.
    static func name(of reference: PersistentReference) -> String? {
        guard case .item(let item) = reference.target,
            let letter = classes.first(where: { $0.itemClass == reference.itemClass })?.letter
        else { return nil }
        return "\(letter)\(item.hexadecimal)"
    }

    /// The client whose requests use the keychain of the item.
    func keychain(_ client: KeychainClient) throws(ClientError) -> KeychainClient {
        try client.using(file)
    }
}

extension KeychainClient {
    /// The same client, whose requests use a file; nil for the data-protection keychain.
    func using(_ file: FileCollection?) throws(ClientError) -> KeychainClient {
        guard let file else { return self }
        return try inKeychain(file.name)
    }
}
