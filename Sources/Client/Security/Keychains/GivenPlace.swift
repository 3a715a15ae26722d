// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainModel

/// What a dictionary says about where items are.
///
/// A plain call is about the data-protection keychain alone, as on iOS, or about both kinds (``PlainItemCalls``). It is about
/// keychains that are files, and about nothing else, if the dictionary says so: by `kSecUseDataProtectionKeychain` that is false,
/// by naming a keychain, or by a ``SecKeychainItem`` (Documentation/Differences.md).
struct GivenPlace: Sendable {
    /// The kinds of keychains that the call is about.
    var kinds: KeychainKinds = .dataProtection
    /// Whether a plain call would be about both kinds; then files follow macOS where its documentation says how they differ.
    var followsMacOS = false
    /// `kSecUseDataProtectionKeychain`
    var usesDataProtection: Bool?
    /// `kSecUseKeychain`
    var keychain: SecKeychain?
    /// `kSecMatchSearchList`
    var searchList: [SecKeychain] = []
    /// `kSecMatchItemList`, if it is of items of files.
    var items: [SecKeychainItem] = []
    /// `kSecMatchItemList`, whatever is in it.
    var hasItemList = false
    /// `kSecMatchItemList` has objects that are found by what they are, in whichever keychain.
    var hasOtherItems = false
    /// `kSecValueRef` or `kSecValuePersistentRef` of an item of a file.
    var item: SecKeychainItem?

    /// Whether the dictionary names keychains that are files, or items of theirs.
    var namesFiles: Bool { keychain != nil || !searchList.isEmpty || !items.isEmpty || item != nil }

    /// Whether the call is about keychains that are files, and about nothing else.
    var isFiles: Bool { kinds == .files }

    /// The parts that a call returns which asks for none: of files macOS documents a reference, of the other kind nothing.
    func returned(_ parts: ReturnedParts) -> ReturnedParts {
        parts.isEmpty && isFiles && followsMacOS ? .reference : parts
    }

    /// The same call, about one kind alone.
    func limited(to kind: KeychainKinds) -> GivenPlace {
        var place = self
        place.kinds = kind
        return place
    }

    // MARK: Going there

    /// Runs a closure that adds an item, where it is to be added.
    ///
    /// - Parameter body: is given the file's path; nil: the data-protection keychain.
    func adding<R>(_ body: (_ keychain: String?) throws(CallFailure) -> R) throws(CallFailure) -> R {
        guard isFiles else { return try body(nil) }
        return try Security.adding(to: keychain) { path throws(CallFailure) in try body(path) }
    }

    /// Runs a closure in each of the files that the call is about, in their order, until it returns false.
    ///
    /// Of several, those that are missing, damaged or without such an item are passed over.
    ///
    /// - Parameter body: is given the file's path, and the one item there that is meant, if it is not in the query.
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
    mutating func addKeychain(_ name: String, _ value: GivenValue) {
        guard case .other(let object) = value, let keychain = object as? SecKeychain else {
            return noteWrongValue(name)
        }
        place.keychain = keychain
    }

    /// `kSecMatchSearchList`. An empty one says nothing.
    mutating func addSearchList(_ name: String, _ value: GivenValue) {
        guard case .other(let object) = value, let array = object as? NSArray ?? (object as? [Any]).map(NSArray.init),
            let keychains = keychains(in: array)
        else { return noteWrongValue(name) }
        guard role == .search || !keychains.isEmpty else { return noteMisplaced(name) }
        place.searchList = keychains
    }

    /// `kSecMatchItemList`. One without items of keychain files has no effect in the data-protection keychain.
    mutating func addItemList(_ name: String, _ value: GivenValue) {
        guard case .other(let object) = value, let list = object as? NSArray ?? (object as? [Any]).map(NSArray.init)
        else { return role == .search ? () : noteMisplaced(name) }
        let items = list.compactMap { $0 as? SecKeychainItem }
        guard role == .search || !items.isEmpty else { return noteMisplaced(name) }
        place.items = items
        place.hasItemList = true
        place.hasOtherItems = items.count < list.count
    }

    /// An item of a keychain file, by itself or by its persistent reference.
    mutating func add(_ item: SecKeychainItem, _ name: String) {
        guard role != .addition else { return noteMisplaced(name) }
        place.item = item
        persistentReference = item.reference
    }

    /// What can be said of the place only when everything was read.
    mutating func checkPlace() {
        if role != .changes {
            choosePlace()
            if place.kinds.isEmpty { note(.parameter, contradiction) }
        }
        if place.isFiles, place.hasOtherItems {
            note(.unimplemented, "kSecMatchItemList takes items of keychain files, and nothing beside them")
        }
        if !isAboutSomething {
            itemClass = place.items.first?.reference.itemClass
        }
        guard let access else { return }
        guard place.isFiles else {
            return note(
                .noSuchAttribute, "kSecAttrAccess is for items of keychain files; others have kSecAttrAccessControl")
        }
        guard case .other(let object) = access, let access = object as? SecAccess else {
            return noteWrongValue(AttributeKey.access.name)
        }
        entries.append(.init(.access, .data(access.value.encoded)))
    }
}
