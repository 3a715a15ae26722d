// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainModel
internal import SecretMemory

// Making, reading and changing items of keychains that are files, by lists of attributes.
//
// - Callers vouch for all pointers. Results are written on success only.
// - An item that is not in its keychain any more is `errSecInvalidItemRef`.
// - What is handed over as data is freed by ``SecKeychainItemFreeContent(_:_:)``.
//
// Source: semantics 8.3.

/// Makes an item.
///
/// - Parameters:
///   - attrList: what is not given has its default; the label is that of service, server or account.
///   - data: nil: none. Of a certificate, its DER.
///   - keychainRef: nil: the default keychain. Where there is none, the login keychain is made, for which a person is asked for a
///     password.
///   - initialAccess: who may use it; nil: this program.
/// - Returns: `errSecDuplicateItem`, `errSecNoSuchAttr`, `errSecNoSuchClass`, `errSecUnimplemented` for keys, `errSecParam`,
///   `errSecDataTooLarge`, `errSecNoSuchKeychain`, `errSecInvalidKeychain`, `errSecInteractionNotAllowed` where somebody would
///   have to be asked and nobody can be.
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
        var entries = try entries(try unsafe givenAttributes(attrList), of: stored)
        switch stored {
        case .genericPassword, .internetPassword: entries += defaultLabel(entries)
        case .certificate: entries = try certificateEntries(secret, entries)
        case .key, .identity: throw CallFailure(.unimplemented, "keys are added by SecItemAdd")
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
///   - attrList: attributes that are not in it stay as they are.
///   - data: nil: the data stays. An empty one has a pointer and no length.
/// - Returns: `errSecDuplicateItem` when another item is already what it would become; `errSecNoSuchAttr`, `errSecParam`,
///   `errSecDataTooLarge`.
@available(*, deprecated, message: "Use SecItemUpdate.")
@discardableResult
public func SecKeychainItemModifyAttributesAndData(
    _ itemRef: SecKeychainItem, _ attrList: UnsafePointer<SecKeychainAttributeList>?, _ length: UInt32,
    _ data: UnsafeRawPointer?
) -> OSStatus {
    statusOf("SecKeychainItemModifyAttributesAndData") { () throws(CallFailure) in
        try unsafe modify(itemRef, attrList, length, data)
    }
}

/// As ``SecKeychainItemModifyAttributesAndData(_:_:_:_:)``.
@available(*, deprecated, message: "Use SecItemUpdate.")
@discardableResult
public func SecKeychainItemModifyContent(
    _ itemRef: SecKeychainItem, _ attrList: UnsafePointer<SecKeychainAttributeList>?, _ length: UInt32,
    _ data: UnsafeRawPointer?
) -> OSStatus {
    statusOf("SecKeychainItemModifyContent") { () throws(CallFailure) in
        try unsafe modify(itemRef, attrList, length, data)
    }
}

private func modify(
    _ item: SecKeychainItem, _ list: UnsafePointer<SecKeychainAttributeList>?, _ length: UInt32,
    _ data: UnsafeRawPointer?
) throws(CallFailure) {
    let secret = try unsafe givenSecret(length, data)
    let given = try unsafe givenAttributes(list)
    try item.change(try entries(given, of: item.reference.itemClass), secret)
}

/// Reads an item.
///
/// - Parameters:
///   - attrList: which attributes; each is given its bytes, or none where the item does not have it.
///   - length: with nil here and for `outData`, the data is not read.
/// - Returns: `errSecNoSuchAttr` for an attribute that items of the class do not have; `errSecAuthFailed` for data that the program
///   may not read; `errSecUserCanceled`; `errSecParam`.
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
///   - info: which attributes.
///   - attrList: a new list of those; freed, with the data, by ``SecKeychainItemFreeAttributesAndData(_:_:)``.
///   - length: with nil here and for `outData`, the data is not read.
/// - Returns: as ``SecKeychainItemCopyContent(_:_:_:_:_:)``; `errSecParam` for a list of which it is not said what is wanted.
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
            throw CallFailure(.parameter, "it is not said which attributes are wanted")
        }
        let (content, values) = try read(itemRef, tags, readsData: readsData)
        unsafe itemClass?.pointee = SecItemClass(itemRef.reference.itemClass, content.attributes)
        if let list = unsafe attrList { unsafe list.pointee = madeList(values) }
        if readsData { unsafe give(content.secret ?? SecretBytes(copying: []), length, outData) }
    }
}

/// Reads the attributes of these tags, and the data if it is wanted.
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

/// Copies an item into another keychain, with the dates when it was made and changed.
///
/// - Parameters:
///   - destKeychainRef: nil: the default keychain.
///   - initialAccess: who may use the copy; nil: who may use the original, of whatever kinds of programs (without its partition list).
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
        // What a program may say of a new item; the rest is the keychain's own.
        var entries = (content.attributes?.entries ?? []).filter { entry in
            (try? ItemAttributes(itemClass, for: .add, [entry])) != nil && entry.key != .access
        }
        let access = initialAccess ?? content.attributes?.accessObject?.with(partitions: nil).map { SecAccess($0) }
        entries += access?.entries ?? []
        let copy = try addItem(itemClass, entries, content.secret, to: destKeychainRef)
        unsafe itemCopy?.pointee = copy
    }
}
