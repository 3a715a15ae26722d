// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainModel
internal import SecretMemory

// Reads and writes the lists of attributes that callers own, and allocates the memory that they receive.

/// An attribute from the caller's memory.
struct ListedAttribute {
    let tag: SecKeychainAttrType
    let bytes: [UInt8]
}

/// Reads the attributes of a list, whose pointers the caller guarantees. Nil is an empty list.
///
/// - Throws: `errSecParam` for more than 128, and for lengths without bytes.
func listedAttributes(
    _ list: UnsafePointer<SecKeychainAttributeList>?
) throws(CallFailure) -> [ListedAttribute] {
    guard let list = unsafe list, unsafe list.pointee.count > 0 else { return [] }
    let count = Int(unsafe list.pointee.count)
    guard count <= ItemLimits.entries, let attributes = unsafe list.pointee.attr else {
        throw CallFailure(
            .parameter, "the list has too many attributes, or no attributes although its count is not zero")
    }
    var given: [ListedAttribute] = []
    for index in 0..<count {
        let tag = unsafe attributes[index].tag
        given.append(
            ListedAttribute(
                tag: tag, bytes: try unsafe givenBytes(attributes[index].length, attributes[index].data)))
    }
    return given
}

/// Reads the bytes at a pointer, which the caller guarantees.
///
/// - Throws: `errSecParam` for a length without bytes; `errSecDataTooLarge`.
func givenBytes(_ length: UInt32, _ data: UnsafeRawPointer?) throws(CallFailure) -> [UInt8] {
    guard length > 0 else { return [] }
    guard let data = unsafe data else { throw CallFailure(.parameter, "a pointer is nil, but its length is not zero") }
    guard length <= ItemLimits.attributeBytes else {
        throw CallFailure(.dataTooLarge, "an attribute is larger than \(ItemLimits.attributeBytes) bytes")
    }
    return unsafe Array(UnsafeRawBufferPointer(start: data, count: Int(length)))
}

/// Reads an item's data at a pointer, which the caller guarantees; nil if there is none.
///
/// - Throws: `errSecParam` for a length without bytes; `errSecDataTooLarge`.
func givenSecret(_ length: UInt32, _ data: UnsafeRawPointer?) throws(CallFailure) -> SecretBytes? {
    guard let data = unsafe data else {
        guard length == 0 else { throw CallFailure(.parameter, "a pointer is nil, but its length is not zero") }
        return nil
    }
    guard length <= ItemLimits.secretBytes else {
        throw CallFailure(.dataTooLarge, "the data is larger than \(ItemLimits.secretBytes) bytes")
    }
    return unsafe SecretBytes(copying: UnsafeRawBufferPointer(start: data, count: Int(length)))
}

/// Passes an item's data to the caller, who must free it.
func give(
    _ secret: SecretBytes, _ length: UnsafeMutablePointer<UInt32>?,
    _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) {
    unsafe length?.pointee = UInt32(secret.count)
    if let data = unsafe data { unsafe data.pointee = CallerMemory.copy(secret) }
}

extension SecKeychainAttribute {
    /// Creates an attribute with its own bytes, which the caller must free; the pointer is nil if there are none.
    static func made(_ tag: SecKeychainAttrType, _ bytes: [UInt8]) -> SecKeychainAttribute {
        unsafe SecKeychainAttribute(
            tag: tag, length: UInt32(bytes.count), data: bytes.isEmpty ? nil : CallerMemory.copy(bytes))
    }
}

/// Frees the bytes of all attributes of a list.
private func freeValues(of list: UnsafeMutablePointer<SecKeychainAttributeList>) {
    guard let attributes = unsafe list.pointee.attr else { return }
    for index in 0..<Int(unsafe list.pointee.count) {
        if let data = unsafe attributes[index].data { unsafe CallerMemory.free(data) }
        unsafe attributes[index].data = nil
        unsafe attributes[index].length = 0
    }
}

/// Wipes and frees the memory that ``SecKeychainItemCopyContent(_:_:_:_:_:)``,
/// ``SecKeychainFindGenericPassword(_:_:_:_:_:_:_:_:)`` and similar functions returned. The caller keeps ownership of
/// the list itself.
@available(*, deprecated, message: "Results of SecItemCopyMatching need no freeing.")
@discardableResult
public func SecKeychainItemFreeContent(
    _ attrList: UnsafeMutablePointer<SecKeychainAttributeList>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    if let list = unsafe attrList { unsafe freeValues(of: list) }
    if let data = unsafe data { unsafe CallerMemory.free(data) }
    return errSecSuccess
}

/// Wipes and frees the memory and the list that ``SecKeychainItemCopyAttributesAndData(_:_:_:_:_:_:)`` returned.
@available(*, deprecated, message: "Results of SecItemCopyMatching need no freeing.")
@discardableResult
public func SecKeychainItemFreeAttributesAndData(
    _ attrList: UnsafeMutablePointer<SecKeychainAttributeList>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    if let list = unsafe attrList {
        unsafe freeValues(of: list)
        if let attributes = unsafe list.pointee.attr { unsafe CallerMemory.free(UnsafeMutableRawPointer(attributes)) }
        unsafe CallerMemory.free(UnsafeMutableRawPointer(list))
    }
    if let data = unsafe data { unsafe CallerMemory.free(data) }
    return errSecSuccess
}

/// Creates a list with its own memory, for ``SecKeychainItemFreeAttributesAndData(_:_:)``.
func madeList(_ values: [(tag: SecKeychainAttrType, bytes: [UInt8])]) -> UnsafeMutablePointer<SecKeychainAttributeList>
{
    // Memory for exactly these values, which are plain bytes and need no deinitialisation.
    let list = unsafe CallerMemory.zeroed(byteCount: MemoryLayout<SecKeychainAttributeList>.size)
        .bindMemory(to: SecKeychainAttributeList.self, capacity: 1)
    let attributes = unsafe CallerMemory.zeroed(byteCount: MemoryLayout<SecKeychainAttribute>.stride * values.count)
        .bindMemory(to: SecKeychainAttribute.self, capacity: values.count)
    for (index, value) in values.enumerated() {
        unsafe (attributes + index).initialize(to: .made(value.tag, value.bytes))
    }
    unsafe list.initialize(to: SecKeychainAttributeList(count: UInt32(values.count), attr: attributes))
    return unsafe list
}

// MARK: Available attributes

/// Returns the attributes of a class of items, and the format of each.
///
/// - Parameters:
///   - keychain: ignored; all keychains have the same attributes.
///   - itemID: a ``SecItemClass``, or CSSM's number of a record type.
///   - info: must be freed with ``SecKeychainFreeAttributeInfo(_:)``.
/// - Returns: `errSecParam` without a variable; `errSecNoSuchClass`.
@available(*, deprecated, message: "The attributes of each class are in the documentation of kSecClass.")
@discardableResult
public func SecKeychainAttributeInfoForItemID(
    _ keychain: SecKeychain?, _ itemID: UInt32,
    _ info: UnsafeMutablePointer<UnsafeMutablePointer<SecKeychainAttributeInfo>?>?
) -> OSStatus {
    statusOf("SecKeychainAttributeInfoForItemID") { () throws(CallFailure) in
        guard let result = unsafe info else { throw .missingVariable }
        let itemClass: ItemClass
        switch itemID {
        case 0x8000_0000, SecItemClass.genericPasswordItemClass.rawValue: itemClass = .genericPassword
        case 0x8000_0001, SecItemClass.internetPasswordItemClass.rawValue: itemClass = .internetPassword
        case SecItemClass.certificateItemClass.rawValue: itemClass = .certificate
        default: throw CallFailure(.noSuchClass, "the class has no attributes")
        }
        let attributes = KeychainAttribute.all(of: itemClass)
        let size = MemoryLayout<UInt32>.stride * attributes.count
        let tags = unsafe CallerMemory.zeroed(byteCount: size).bindMemory(to: UInt32.self, capacity: attributes.count)
        let formats = unsafe CallerMemory.zeroed(byteCount: size)
            .bindMemory(to: UInt32.self, capacity: attributes.count)
        for (index, attribute) in attributes.enumerated() {
            unsafe tags[index] = attribute.tag
            unsafe formats[index] = attribute.format.rawValue
        }
        let made = unsafe CallerMemory.zeroed(byteCount: MemoryLayout<SecKeychainAttributeInfo>.size)
            .bindMemory(to: SecKeychainAttributeInfo.self, capacity: 1)
        unsafe made.initialize(
            to: SecKeychainAttributeInfo(count: UInt32(attributes.count), tag: tags, format: formats))
        unsafe result.pointee = made
    }
}

/// Frees the memory that ``SecKeychainAttributeInfoForItemID(_:_:_:)`` returned.
@available(*, deprecated, message: "The attributes of each class are in the documentation of kSecClass.")
@discardableResult
public func SecKeychainFreeAttributeInfo(_ info: UnsafeMutablePointer<SecKeychainAttributeInfo>?) -> OSStatus {
    guard let info = unsafe info else { return errSecParam }
    unsafe CallerMemory.free(UnsafeMutableRawPointer(info.pointee.tag))
    if let formats = unsafe info.pointee.format { unsafe CallerMemory.free(UnsafeMutableRawPointer(formats)) }
    unsafe CallerMemory.free(UnsafeMutableRawPointer(info))
    return errSecSuccess
}
