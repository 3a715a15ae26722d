// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainModel

/// The location of items, as a dictionary defines it.
///
/// A plain call applies to the data-protection keychain alone, as on iOS, or to both kinds (``PlainItemCalls``). It
/// applies to keychain files only, if the dictionary says so: by `kSecUseDataProtectionKeychain` with the value false,
/// by naming a keychain, or by a ``SecKeychainItem`` (Documentation/Differences.md).
struct KeychainSelection: Sendable {
    /// The kinds of keychains that the call applies to.
    var kinds: KeychainKinds = .dataProtection
    /// Whether a plain call would apply to both kinds; then files follow macOS where its documentation defines a
    /// difference.
    var followsMacOS = false
    /// `kSecUseDataProtectionKeychain`
    var usesDataProtection: Bool?
    /// `kSecUseKeychain`
    var keychain: SecKeychain?
    /// `kSecMatchSearchList`
    var searchList: [SecKeychain] = []
    /// `kSecMatchItemList`, if it contains items of files.
    var items: [SecKeychainItem] = []
    /// `kSecMatchItemList`, with any contents.
    var hasItemList = false
    /// Whether `kSecMatchItemList` contains objects that are found by their attributes, in either kind of keychain.
    var hasOtherItems = false
    /// `kSecValueRef` or `kSecValuePersistentRef` of an item of a file.
    var item: SecKeychainItem?

    /// Whether the dictionary names keychain files or their items.
    var namesFiles: Bool { keychain != nil || !searchList.isEmpty || !items.isEmpty || item != nil }

    /// Whether the call applies to keychain files only.
    var isFiles: Bool { kinds == .files }

    /// The parts that a call without return keys returns: for files, macOS documents a reference; for the other kind,
    /// none.
    func returned(_ parts: ReturnedParts) -> ReturnedParts {
        parts.isEmpty && isFiles && followsMacOS ? .reference : parts
    }

    /// The same call, for one kind only.
    func limited(to kind: KeychainKinds) -> KeychainSelection {
        var place = self
        place.kinds = kind
        return place
    }

    // MARK: Locations

    /// Runs a closure that adds an item in the location for new items.
    ///
    /// - Parameter body: receives the file's path; nil: the data-protection keychain.
    func adding<R>(_ body: (_ keychain: String?) throws(CallFailure) -> R) throws(CallFailure) -> R {
        guard isFiles else { return try body(nil) }
        return try Security.adding(to: keychain) { path throws(CallFailure) in try body(path) }
    }

    /// Runs a closure for each of the files that the call applies to, in their order, until it returns false.
    ///
    /// Among several files, those that are missing, damaged or without such an item are skipped.
    ///
    /// - Parameter body: receives the file's path, and the one item in it that the call applies to, unless the item is
    ///   in the query.
    func inEachFile(
        _ body: (_ path: String, _ item: PersistentReference?) throws(CallFailure) -> Bool
    ) throws(CallFailure) {
        let places = try places()
        for (path, reference) in places {
            do throws(CallFailure) {
                let goesOn = try inKeychain(path) { () throws(CallFailure) in try body(path, reference) }
                if !goesOn { return }
            } catch {
                guard places.count > 1, error.status.leavesOthers else { throw error }
            }
        }
    }

    private func places() throws(CallFailure) -> [(String, PersistentReference?)] {
        if let item { return [(item.keychain.path, nil)] }
        if !items.isEmpty { return items.map { ($0.keychain.path, $0.reference) } }
        if !searchList.isEmpty { return searchList.map { ($0.path, nil) } }
        if let keychain { return [(keychain.path, nil)] }
        return try effectiveSearchList().map { ($0, nil) }
    }
}

extension ItemDictionary {
    /// `kSecUseKeychain`
    mutating func addKeychain(_ name: String, _ value: DictionaryValue) {
        guard case .other(let object) = value, let keychain = object as? SecKeychain else {
            return noteWrongValue(name)
        }
        place.keychain = keychain
    }

    /// `kSecMatchSearchList`. An empty list has no effect.
    mutating func addSearchList(_ name: String, _ value: DictionaryValue) {
        guard case .other(let object) = value, let array = object as? NSArray ?? (object as? [Any]).map(NSArray.init),
            let keychains = keychains(in: array)
        else { return noteWrongValue(name) }
        guard role == .search || role == .deletion || !keychains.isEmpty else { return noteMisplaced(name) }
        place.searchList = keychains
    }

    /// `kSecMatchItemList`. A list without items of keychain files has no effect in a search of the data-protection
    /// keychain. A deletion without the list would delete all items of the class.
    mutating func addItemList(_ name: String, _ value: DictionaryValue) {
        guard case .other(let object) = value, let list = object as? NSArray ?? (object as? [Any]).map(NSArray.init)
        else { return role == .search ? () : noteMisplaced(name) }
        let items = list.compactMap { $0 as? SecKeychainItem }
        guard role == .search || !items.isEmpty else { return noteMisplaced(name) }
        place.items = items
        place.hasItemList = true
        place.hasOtherItems = items.count < list.count
    }

    /// Adds an item of a keychain file, given as an object or by its persistent reference.
    mutating func add(_ item: SecKeychainItem, _ name: String) {
        guard role != .addition else { return noteMisplaced(name) }
        place.item = item
        persistentReference = item.reference
    }

    /// Checks that are possible only after all entries were read.
    mutating func checkPlace() {
        if role != .changes {
            choosePlace()
            if place.kinds.isEmpty { note(.parameter, contradiction) }
        }
        // As on macOS: files protect all items by the same key. Programs set it in every dictionary.
        if place.isFiles { entries.removeAll { $0.key == .accessible } }
        if place.isFiles, place.hasOtherItems {
            note(.unimplemented, "kSecMatchItemList accepts only items of keychain files")
        }
        if !isAboutSomething {
            itemClass = place.items.first?.reference.itemClass
        }
        guard let access else { return }
        guard place.isFiles else {
            return note(
                .noSuchAttribute,
                "kSecAttrAccess requires an item of a keychain file; use kSecAttrAccessControl for other items")
        }
        guard case .other(let object) = access, let access = object as? SecAccess else {
            return noteWrongValue(AttributeKey.access.name)
        }
        entries.append(.init(.access, .data(access.value.encoded)))
    }
}
