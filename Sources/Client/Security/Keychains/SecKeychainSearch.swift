// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainModel
internal import Synchronization

/// A search in progress: the items that it has not returned yet.
public final class SecKeychainSearch: Hashable, Sendable, CFTypeIdentified {
    private struct State {
        /// Keychains that have not been searched yet.
        var paths: ArraySlice<String>
        /// The remaining items of the current keychain.
        var items: ArraySlice<SecKeychainItem> = []
    }

    private let query: ItemQuery
    private let isOfOne: Bool
    private let state: Mutex<State>

    fileprivate init(_ query: ItemQuery, in keychains: SearchedKeychains) {
        self.query = query
        isOfOne = keychains.paths.count == 1
        state = Mutex(State(paths: keychains.paths[...]))
    }

    public static var cfTypeID: CFTypeID { 264 }

    public static func == (left: SecKeychainSearch, right: SecKeychainSearch) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// - Throws: `errSecItemNotFound` at the end; `errSecNoSuchKeychain` and similar statuses, if only one keychain is
    ///   searched.
    fileprivate func next() throws(CallFailure) -> SecKeychainItem {
        while true {
            let (item, path) = state.withLock { state in
                let item = state.items.popFirst()
                return (item, item == nil ? state.paths.popFirst() : nil)
            }
            if let item { return item }
            guard let path else { throw CallFailure(.itemNotFound, "the search has ended") }
            // One of several keychains may be missing.
            let found: [SecKeychainItem]
            do throws(CallFailure) {
                found = try SearchedKeychains([path]).first { path throws(CallFailure) in
                    try Security.found(query, .all, []).map { SecKeychainItem(inKeychain: path, $0.reference) }
                }
            } catch {
                guard isOfOne || !error.status.leavesOthers else { continue }
                throw error
            }
            state.withLock { $0.items += found }
        }
    }
}

/// Returns the type identifier of ``SecKeychainSearch`` objects, as `CFGetTypeID` returns it.
public func SecKeychainSearchGetTypeID() -> CFTypeID { SecKeychainSearch.cfTypeID }

/// Starts a search for items of a class whose attributes are all equal to the given ones.
///
/// - Parameters:
///   - keychainOrArray: ``SecKeychain``, CFArray of those, or nil for the search list.
///   - itemClass: the class of the items.
///   - attrList: nil: all items of the class.
///   - searchRef: receives the search.
/// - Returns: `errSecParam` without a variable and for values of the wrong format; `errSecNoSuchAttr`,
///   `errSecNoSuchClass`; `errSecInvalidKeychain` for an object that is not a keychain.
@available(*, deprecated, message: "Use SecItemCopyMatching.")
@discardableResult
public func SecKeychainSearchCreateFromAttributes(
    _ keychainOrArray: CFTypeRef?, _ itemClass: SecItemClass, _ attrList: UnsafePointer<SecKeychainAttributeList>?,
    _ searchRef: UnsafeMutablePointer<SecKeychainSearch?>?
) -> OSStatus {
    statusOf("SecKeychainSearchCreateFromAttributes") { () throws(CallFailure) in
        guard let result = unsafe searchRef else { throw .missingVariable }
        let stored = try itemClass.stored()
        var filters = try entries(try unsafe listedAttributes(attrList), of: stored)
        switch itemClass {
        case .publicKeyItemClass: filters.append(.init(.keyClass, .number(0)))
        case .privateKeyItemClass: filters.append(.init(.keyClass, .number(1)))
        default: break
        }
        var query = ItemQuery(stored)
        query.attributes = try itemAttributes(stored, for: .query, filters)
        unsafe result.pointee = SecKeychainSearch(query, in: try searchedKeychains(keychainOrArray))
    }
}

/// Returns the next item of a search, in the order of the keychains.
///
/// - Returns: `errSecItemNotFound` at the end; `errSecParam` without a variable.
@available(*, deprecated, message: "Use SecItemCopyMatching.")
@discardableResult
public func SecKeychainSearchCopyNext(
    _ searchRef: SecKeychainSearch, _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    statusOf("SecKeychainSearchCopyNext") { () throws(CallFailure) in
        guard let result = unsafe itemRef else { throw .missingVariable }
        unsafe result.pointee = try searchRef.next()
    }
}
