// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainModel
internal import SecretMemory

// Creates, reads and changes items of keychain files, with lists of attributes.
//
// - Callers guarantee all pointers. Results are written on success only.
// - `errSecInvalidItemRef` means that the item no longer exists in its keychain.
// - Returned data must be freed with ``SecKeychainItemFreeContent(_:_:)``.
//
// Source: semantics 8.3.

/// Creates an item.
///
/// - Parameters:
///   - itemClass: the class of the item.
///   - attrList: omitted attributes have their default; the default label is the service, server or account.
///   - length: the length of the data in bytes.
///   - data: nil: none. For a certificate, its DER.
///   - keychainRef: nil: the default keychain. If there is none, the login keychain is created, and the user is
///     prompted for a password for it.
///   - initialAccess: the access object; nil: for this program only.
///   - itemRef: receives the item, unless it is nil.
/// - Returns: `errSecDuplicateItem`, `errSecNoSuchAttr`, `errSecNoSuchClass`, `errSecUnimplemented` for keys,
///   `errSecParam`, `errSecDataTooLarge`, `errSecNoSuchKeychain`, `errSecInvalidKeychain`,
///   `errSecInteractionNotAllowed` if a required prompt is not possible.
@available(*, deprecated, message: "Use SecItemAdd.")
@discardableResult
public func SecKeychainItemCreateFromContent(
    _ itemClass: SecItemClass, _ attrList: UnsafePointer<SecKeychainAttributeList>?, _ length: UInt32,
    _ data: UnsafeRawPointer?, _ keychainRef: SecKeychain?, _ initialAccess: SecAccess?,
    _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    statusOf("SecKeychainItemCreateFromContent") { () throws(CallFailure) in
        let stored = try itemClass.stored()
        let secret = try unsafe givenSecret(length, data)
        var entries = try entries(try unsafe listedAttributes(attrList), of: stored)
        switch stored {
        case .genericPassword, .internetPassword: entries += defaultLabel(entries)
        case .certificate: entries = try certificateEntries(secret, entries)
        case .key, .identity: throw CallFailure(.unimplemented, "use SecItemAdd to add a key")
        }
        entries += initialAccess?.entries ?? []
        let item = try addItem(stored, entries, secret, to: keychainRef)
        unsafe itemRef?.pointee = item
    }
}

private func defaultLabel(_ entries: [ItemAttributes.Entry]) -> [ItemAttributes.Entry] {
    guard !entries.contains(where: { $0.key == .label }) else { return [] }
    for key in [AttributeKey.service, .server, .account] {
        if let name = entries.first(where: { $0.key == key }) { return [.init(.label, name.value)] }
    }
    return []
}

/// Changes an item.
///
/// - Parameters:
///   - itemRef: the item.
///   - attrList: other attributes stay unchanged.
///   - length: the length of the data in bytes.
///   - data: nil: the data stays unchanged. Empty data has a pointer and length 0.
/// - Returns: `errSecDuplicateItem` if the changed item would have the primary key of another one; `errSecNoSuchAttr`,
///   `errSecParam`, `errSecDataTooLarge`.
@available(*, deprecated, message: "Use SecItemUpdate.")
@discardableResult
public func SecKeychainItemModifyAttributesAndData(
    _ itemRef: SecKeychainItem, _ attrList: UnsafePointer<SecKeychainAttributeList>?, _ length: UInt32,
    _ data: UnsafeRawPointer?
) -> OSStatus {
    statusOf("SecKeychainItemModifyAttributesAndData") { () throws(CallFailure) in
        try unsafe modify(itemRef, attrList, length: length, data: data)
    }
}

/// Same as ``SecKeychainItemModifyAttributesAndData(_:_:_:_:)``.
@available(*, deprecated, message: "Use SecItemUpdate.")
@discardableResult
public func SecKeychainItemModifyContent(
    _ itemRef: SecKeychainItem, _ attrList: UnsafePointer<SecKeychainAttributeList>?, _ length: UInt32,
    _ data: UnsafeRawPointer?
) -> OSStatus {
    statusOf("SecKeychainItemModifyContent") { () throws(CallFailure) in
        try unsafe modify(itemRef, attrList, length: length, data: data)
    }
}

private func modify(
    _ item: SecKeychainItem, _ list: UnsafePointer<SecKeychainAttributeList>?, length: UInt32,
    data: UnsafeRawPointer?
) throws(CallFailure) {
    let secret = try unsafe givenSecret(length, data)
    let given = try unsafe listedAttributes(list)
    try item.change(try entries(given, of: item.reference.itemClass), secret)
}

/// Reads an item.
///
/// - Parameters:
///   - itemRef: the item.
///   - itemClass: receives the class, unless it is nil.
///   - attrList: the requested attributes; each receives its bytes, or none if the item does not have it.
///   - length: with nil here and for `outData`, the data is not read.
///   - outData: receives the data, unless it is nil; must be freed with ``SecKeychainItemFreeContent(_:_:)``.
/// - Returns: `errSecNoSuchAttr` for an attribute that items of the class do not have; `errSecAuthFailed` for data that
///   the program may not read; `errSecUserCanceled`; `errSecParam`.
@available(*, deprecated, message: "Use SecItemCopyMatching.")
@discardableResult
public func SecKeychainItemCopyContent(
    _ itemRef: SecKeychainItem, _ itemClass: UnsafeMutablePointer<SecItemClass>?,
    _ attrList: UnsafeMutablePointer<SecKeychainAttributeList>?, _ length: UnsafeMutablePointer<UInt32>?,
    _ outData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    statusOf("SecKeychainItemCopyContent") { () throws(CallFailure) in
        let readsData = unsafe length != nil || outData != nil
        var tags: [SecKeychainAttrType] = []
        if let list = unsafe attrList, let attributes = unsafe list.pointee.attr {
            for index in 0..<Int(unsafe list.pointee.count) { tags.append(unsafe attributes[index].tag) }
        }
        let (content, values) = try read(itemRef, tags, readsData: readsData)
        unsafe itemClass?.pointee = SecItemClass(itemRef.reference.itemClass, content.attributes)
        if let attributes = unsafe attrList?.pointee.attr {
            for (index, value) in values.enumerated() { unsafe attributes[index] = .made(value.tag, value.bytes) }
        }
        if readsData { unsafe give(content.secret ?? SecretBytes(copying: []), length, outData) }
    }
}

/// Reads an item.
///
/// - Parameters:
///   - itemRef: the item.
///   - info: the requested attributes.
///   - itemClass: receives the class, unless it is nil.
///   - attrList: a new list of those; must be freed, with the data, with
///     ``SecKeychainItemFreeAttributesAndData(_:_:)``.
///   - length: with nil here and for `outData`, the data is not read.
///   - outData: receives the data, unless it is nil.
/// - Returns: as ``SecKeychainItemCopyContent(_:_:_:_:_:)``; `errSecParam` for a list without `info`.
@available(*, deprecated, message: "Use SecItemCopyMatching.")
@discardableResult
public func SecKeychainItemCopyAttributesAndData(
    _ itemRef: SecKeychainItem, _ info: UnsafeMutablePointer<SecKeychainAttributeInfo>?,
    _ itemClass: UnsafeMutablePointer<SecItemClass>?,
    _ attrList: UnsafeMutablePointer<UnsafeMutablePointer<SecKeychainAttributeList>?>?,
    _ length: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    statusOf("SecKeychainItemCopyAttributesAndData") { () throws(CallFailure) in
        let readsData = unsafe length != nil || outData != nil
        var tags: [SecKeychainAttrType] = []
        if let info = unsafe info {
            for index in 0..<Int(unsafe info.pointee.count) { tags.append(unsafe info.pointee.tag[index]) }
        } else if unsafe attrList != nil {
            throw CallFailure(.parameter, "the list of requested attributes is missing")
        }
        let (content, values) = try read(itemRef, tags, readsData: readsData)
        unsafe itemClass?.pointee = SecItemClass(itemRef.reference.itemClass, content.attributes)
        if let list = unsafe attrList { unsafe list.pointee = madeList(values) }
        if readsData { unsafe give(content.secret ?? SecretBytes(copying: []), length, outData) }
    }
}

/// Reads the attributes of these tags, and the data if it is requested.
private func read(
    _ item: SecKeychainItem, _ tags: [SecKeychainAttrType], readsData: Bool
) throws(CallFailure) -> (ReturnedItem<SecretBytes>, [(tag: SecKeychainAttrType, bytes: [UInt8])]) {
    guard tags.count <= ItemLimits.entries else {
        throw CallFailure(.parameter, "the list has too many attributes")
    }
    var known: [KeychainAttribute] = []
    for tag in tags { known.append(try .named(tag, of: item.reference.itemClass)) }
    let content = try item.content(readsData ? [.attributes, .data] : .attributes)
    let values = known.map { attribute in
        (attribute.tag, content.attributes?[attribute.key].map(attribute.bytes) ?? [])
    }
    return (content, values)
}

/// Copies an item into another keychain, with its creation and modification dates.
///
/// - Parameters:
///   - itemRef: the item.
///   - destKeychainRef: nil: the default keychain.
///   - initialAccess: the access object of the copy; nil: that of the original, without its partition list.
///   - itemCopy: receives the copy, unless it is nil.
/// - Returns: `errSecAuthFailed` for data that the program may not read; `errSecDuplicateItem`; the other statuses of
///   ``SecKeychainItemCreateFromContent(_:_:_:_:_:_:_:)``.
@available(*, deprecated, message: "Use SecItemCopyMatching and SecItemAdd.")
@discardableResult
public func SecKeychainItemCreateCopy(
    _ itemRef: SecKeychainItem, _ destKeychainRef: SecKeychain?, _ initialAccess: SecAccess?,
    _ itemCopy: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    statusOf("SecKeychainItemCreateCopy") { () throws(CallFailure) in
        let content = try itemRef.content([.attributes, .data])
        let itemClass = itemRef.reference.itemClass
        // The attributes that a program may set on a new item; the keychain sets the others.
        var entries = (content.attributes?.entries ?? []).filter { entry in
            (try? ItemAttributes(itemClass, for: .add, [entry])) != nil && entry.key != .access
        }
        let access = initialAccess ?? content.attributes?.accessObject?.with(partitions: nil).map { SecAccess($0) }
        entries += access?.entries ?? []
        let copy = try addItem(itemClass, entries, content.secret, to: destKeychainRef)
        unsafe itemCopy?.pointee = copy
    }
}
