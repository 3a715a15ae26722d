// SPDX-License-Identifier: Apache-2.0

internal import CCryptoki
internal import PKCS11
internal import SecretMemory

// The arguments of a program. Nothing here can tell whether a pointer that is not null leads to as many bytes as the
// program says; all else is checked.

typealias Bytes = UnsafePointer<CK_BYTE>
typealias Room = UnsafeMutablePointer<CK_BYTE>
typealias Number = UnsafeMutablePointer<CK_ULONG>

/// Runs a function, and returns its return value.
func returning(_ body: (CryptokiModule) throws(CryptokiError) -> Void) -> CK_RV {
    do throws(CryptokiError) {
        try body(try Library.module())
        return CKR_OK
    } catch {
        return error.code
    }
}

/// Returns a pointer that must not be null.
func needed<T>(_ pointer: UnsafeMutablePointer<T>?) throws(CryptokiError) -> UnsafeMutablePointer<T> {
    guard let pointer = unsafe pointer else { throw CryptokiError(CKR_ARGUMENTS_BAD) }
    return unsafe pointer
}

/// Copies bytes of the program.
///
/// - Throws: `CKR_ARGUMENTS_BAD` for a null pointer with a length, `CKR_DATA_LEN_RANGE` for more than 1 GiB.
func copied(_ pointer: Bytes?, _ count: CK_ULONG) throws(CryptokiError) -> [UInt8] {
    guard count > 0 else { return [] }
    guard let pointer = unsafe pointer else { throw CryptokiError(CKR_ARGUMENTS_BAD) }
    guard count <= 1 << 30 else { throw CryptokiError(CKR_DATA_LEN_RANGE) }
    return unsafe Array(UnsafeBufferPointer(start: pointer, count: Int(count)))
}

/// Copies a template of the program.
///
/// - Throws: `CKR_ARGUMENTS_BAD` for a null pointer with a count, and for too many attributes; `CKR_ATTRIBUTE_VALUE_INVALID`
///   for a value without bytes or with too many; `CKR_TEMPLATE_INCONSISTENT`.
func copiedTemplate(_ pointer: UnsafePointer<CK_ATTRIBUTE>?, _ count: CK_ULONG) throws(CryptokiError) -> Template {
    var entries: [Template.Entry] = []
    var total: CK_ULONG = 0
    guard count > 0 else { return try Template(entries) }
    guard let pointer = unsafe pointer, count <= CK_ULONG(Template.maximumCount) else {
        throw CryptokiError(CKR_ARGUMENTS_BAD)
    }
    for index in 0..<Int(count) {
        let attribute = unsafe pointer[index]
        let length = unsafe attribute.ulValueLen
        guard length <= CK_ULONG(Template.maximumBytes) - total, unsafe length == 0 || attribute.pValue != nil else {
            throw CryptokiError(CKR_ATTRIBUTE_VALUE_INVALID)
        }
        total += length
        let value = unsafe UnsafeRawBufferPointer(start: length == 0 ? nil : attribute.pValue, count: Int(length))
        entries.append(unsafe Template.Entry(attribute.type, Array(value)))
    }
    return try Template(entries)
}

/// Reads a mechanism of the program, with the bytes to which its parameter leads.
///
/// - Throws: `CKR_MECHANISM_PARAM_INVALID` for a parameter of another size than the mechanism's, and for null pointers in it.
func copiedMechanism(_ pointer: UnsafePointer<CK_MECHANISM>?) throws(CryptokiError) -> Mechanism {
    guard let given = unsafe pointer?.pointee else { throw CryptokiError(CKR_ARGUMENTS_BAD) }
    let type = unsafe given.mechanism
    return Mechanism(type, unsafe try parameter(type, given.pParameter, given.ulParameterLen))
}

private func parameter(
    _ type: CK_MECHANISM_TYPE, _ pointer: UnsafeMutableRawPointer?, _ length: CK_ULONG
) throws(CryptokiError) -> Mechanism.Parameter {
    guard length > 0 else { return .none }
    guard let pointer = unsafe pointer else { throw CryptokiError(CKR_MECHANISM_PARAM_INVALID) }
    func read<T>(_: T.Type) throws(CryptokiError) -> T {
        guard length == CK_ULONG(MemoryLayout<T>.size) else { throw CryptokiError(CKR_MECHANISM_PARAM_INVALID) }
        return unsafe pointer.loadUnaligned(as: T.self)
    }
    func inner(_ start: UnsafePointer<CK_BYTE>?, _ count: CK_ULONG) throws(CryptokiError) -> [UInt8] {
        guard unsafe count == 0 || start != nil, count <= 1 << 20 else {
            throw CryptokiError(CKR_MECHANISM_PARAM_INVALID)
        }
        return unsafe Array(UnsafeBufferPointer(start: count == 0 ? nil : start, count: Int(count)))
    }
    switch type {
    case CKM_RSA_PKCS_PSS, CKM_SHA1_RSA_PKCS_PSS, CKM_SHA256_RSA_PKCS_PSS, CKM_SHA384_RSA_PKCS_PSS,
        CKM_SHA512_RSA_PKCS_PSS:
        let given = try read(CK_RSA_PKCS_PSS_PARAMS.self)
        return .pss(hash: given.hashAlg, mask: given.mgf, saltLength: given.sLen)
    case CKM_RSA_PKCS_OAEP:
        let given = unsafe try read(CK_RSA_PKCS_OAEP_PARAMS.self)
        let label = unsafe try inner(
            UnsafePointer(given.pSourceData?.assumingMemoryBound(to: CK_BYTE.self)), given.ulSourceDataLen)
        return unsafe .oaep(hash: given.hashAlg, mask: given.mgf, source: given.source, label: label)
    case CKM_ECDH1_DERIVE:
        let given = unsafe try read(CK_ECDH1_DERIVE_PARAMS.self)
        let shared = unsafe try inner(UnsafePointer(given.pSharedData), given.ulSharedDataLen)
        let point = unsafe try inner(UnsafePointer(given.pPublicData), given.ulPublicDataLen)
        return unsafe .agreement(derivation: given.kdf, sharedInfo: shared, publicKey: point)
    case CKM_EDDSA:
        let given = unsafe try read(CK_EDDSA_PARAMS.self)
        let context = unsafe try inner(UnsafePointer(given.pContextData), given.ulContextDataLen)
        return unsafe .edwards(isPrehashed: given.phFlag != 0, context: context)
    default: return .unknown
    }
}

/// Returns the room of a program for a result; nil if it asks for the length.
func availableRoom(_ pointer: Room?, _ length: Number?) throws(CryptokiError) -> Int? {
    let length = unsafe try needed(length)
    return unsafe pointer == nil ? nil : Int(clamping: length.pointee)
}

/// Gives a result to the program.
///
/// - Throws: `CKR_BUFFER_TOO_SMALL` after the length was written.
func deliver(_ output: consuming Output, _ pointer: Room?, _ length: Number?) throws(CryptokiError) {
    let length = unsafe try needed(length)
    switch consume output {
    case .length(let count): unsafe length.pointee = CK_ULONG(count)
    case .tooSmall(let count):
        unsafe length.pointee = CK_ULONG(count)
        throw CryptokiError(CKR_BUFFER_TOO_SMALL)
    case .bytes(var bytes):
        // The result may be a secret.
        defer { wipe(&bytes) }
        unsafe length.pointee = CK_ULONG(bytes.count)
        unsafe pointer?.update(from: bytes, count: bytes.count)
    }
}

/// Gives a list of numbers to the program, by the same rules.
func deliver(_ numbers: [CK_ULONG], _ pointer: Number?, _ count: Number?) throws(CryptokiError) {
    let count = unsafe try needed(count)
    let room = unsafe count.pointee
    unsafe count.pointee = CK_ULONG(numbers.count)
    guard let pointer = unsafe pointer else { return }
    guard room >= CK_ULONG(numbers.count) else { throw CryptokiError(CKR_BUFFER_TOO_SMALL) }
    unsafe pointer.update(from: numbers, count: numbers.count)
}

/// Writes a text into a field of fixed size, padded with spaces.
func fill<Field>(_ field: inout Field, _ text: String) {
    unsafe withUnsafeMutableBytes(of: &field) { field in
        unsafe field.initializeMemory(as: UInt8.self, repeating: 0x20)
        unsafe field.copyBytes(from: text.utf8.prefix(field.count))
    }
}
