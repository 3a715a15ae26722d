// SPDX-License-Identifier: Apache-2.0

public import CCryptoki
internal import PKCS11

// The functions that programs call, in the order of the specification: the program, slots, sessions, objects. The lists in
// CCryptoki refer to them.

private let manufacturer = "Chatelaine"
private var version: CK_VERSION { CK_VERSION(major: 1, minor: 0) }

@_cdecl("C_Initialize")
public func initialize(_ arguments: UnsafeMutableRawPointer?) -> CK_RV {
    do throws(CryptokiError) {
        if let given = unsafe arguments?.loadUnaligned(as: CK_C_INITIALIZE_ARGS.self) {
            guard unsafe given.pReserved == nil else { throw CryptokiError(CKR_ARGUMENTS_BAD) }
            let functions = unsafe [given.CreateMutex, given.DestroyMutex, given.LockMutex, given.UnlockMutex]
            let count = unsafe functions.filter { unsafe $0 != nil }.count
            guard count == 0 || count == 4 else { throw CryptokiError(CKR_ARGUMENTS_BAD) }
            // The module locks with the functions of the system.
            guard count == 0 || (unsafe given.flags & CKF_OS_LOCKING_OK) != 0 else {
                throw CryptokiError(CKR_CANT_LOCK)
            }
        }
        try Library.initialize()
        return CKR_OK
    } catch {
        return error.code
    }
}

@_cdecl("C_Finalize")
public func finalize(_ reserved: UnsafeMutableRawPointer?) -> CK_RV {
    returning { module throws(CryptokiError) in
        guard unsafe reserved == nil else { throw CryptokiError(CKR_ARGUMENTS_BAD) }
        try module.finalize()
    }
}

@_cdecl("C_GetInfo")
public func getInfo(_ info: UnsafeMutablePointer<CK_INFO>?) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.check()
        let info = unsafe try needed(info)
        var facts = CK_INFO()
        facts.cryptokiVersion = CK_VERSION(major: 3, minor: 0)
        fill(&facts.manufacturerID, manufacturer)
        fill(&facts.libraryDescription, "Keychain of Chatelaine")
        facts.libraryVersion = version
        unsafe info.pointee = facts
    }
}

// MARK: Slots

@_cdecl("C_GetSlotList")
public func getSlotList(
    _ isPresent: CK_BBOOL, _ slots: UnsafeMutablePointer<CK_SLOT_ID>?, _ count: UnsafeMutablePointer<CK_ULONG>?
) -> CK_RV {
    // The keychain is always there: without a running service, the first request starts one.
    returning { module throws(CryptokiError) in
        try module.check()
        unsafe try deliver([CryptokiModule.slot], slots, count)
    }
}

@_cdecl("C_GetSlotInfo")
public func getSlotInfo(_ slot: CK_SLOT_ID, _ info: UnsafeMutablePointer<CK_SLOT_INFO>?) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.check(slot: slot)
        let info = unsafe try needed(info)
        var facts = CK_SLOT_INFO()
        fill(&facts.slotDescription, "Keychain of the user")
        fill(&facts.manufacturerID, manufacturer)
        facts.flags = CKF_TOKEN_PRESENT
        facts.hardwareVersion = version
        facts.firmwareVersion = version
        unsafe info.pointee = facts
    }
}

@_cdecl("C_GetTokenInfo")
public func getTokenInfo(_ slot: CK_SLOT_ID, _ info: UnsafeMutablePointer<CK_TOKEN_INFO>?) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.check(slot: slot)
        let info = unsafe try needed(info)
        let token = try module.tokenFacts(slot)
        var facts = CK_TOKEN_INFO()
        fill(&facts.label, "Keychain")
        fill(&facts.manufacturerID, manufacturer)
        fill(&facts.model, "Keychain")
        fill(&facts.serialNumber, "1")
        fill(&facts.utcTime, "")
        facts.flags = token.flags
        facts.ulMaxSessionCount = CK_EFFECTIVELY_INFINITE
        facts.ulSessionCount = token.sessions
        facts.ulMaxRwSessionCount = CK_EFFECTIVELY_INFINITE
        facts.ulRwSessionCount = token.readWriteSessions
        facts.ulMaxPinLen = token.longestPIN
        facts.ulMinPinLen = 1
        facts.ulTotalPublicMemory = CK_UNAVAILABLE_INFORMATION
        facts.ulFreePublicMemory = CK_UNAVAILABLE_INFORMATION
        facts.ulTotalPrivateMemory = CK_UNAVAILABLE_INFORMATION
        facts.ulFreePrivateMemory = CK_UNAVAILABLE_INFORMATION
        facts.hardwareVersion = version
        facts.firmwareVersion = version
        unsafe info.pointee = facts
    }
}

@_cdecl("C_GetMechanismList")
public func getMechanismList(
    _ slot: CK_SLOT_ID, _ mechanisms: UnsafeMutablePointer<CK_MECHANISM_TYPE>?, _ count: UnsafeMutablePointer<CK_ULONG>?
) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.check(slot: slot)
        unsafe try deliver(module.mechanisms, mechanisms, count)
    }
}

@_cdecl("C_GetMechanismInfo")
public func getMechanismInfo(
    _ slot: CK_SLOT_ID, _ type: CK_MECHANISM_TYPE, _ info: UnsafeMutablePointer<CK_MECHANISM_INFO>?
) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.check(slot: slot)
        let info = unsafe try needed(info)
        let facts = try module.mechanism(type)
        unsafe info.pointee = CK_MECHANISM_INFO(
            ulMinKeySize: facts.sizes.lowerBound, ulMaxKeySize: facts.sizes.upperBound, flags: facts.flags)
    }
}

@_cdecl("C_WaitForSlotEvent")
public func waitForSlotEvent(
    _ flags: CK_FLAGS, _ slot: UnsafeMutablePointer<CK_SLOT_ID>?, _ reserved: UnsafeMutableRawPointer?
) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.check()
        // The slot has no events, so a wait would never end.
        throw CryptokiError(flags & CKF_DONT_BLOCK == 0 ? CKR_FUNCTION_NOT_SUPPORTED : CKR_NO_EVENT)
    }
}

// MARK: Sessions

@_cdecl("C_OpenSession")
public func openSession(
    _ slot: CK_SLOT_ID, _ flags: CK_FLAGS, _ application: UnsafeMutableRawPointer?, _ notify: UnsafeMutableRawPointer?,
    _ session: UnsafeMutablePointer<CK_SESSION_HANDLE>?
) -> CK_RV {
    returning { module throws(CryptokiError) in
        let session = unsafe try needed(session)
        unsafe session.pointee = try module.openSession(slot, flags)
    }
}

@_cdecl("C_CloseSession")
public func closeSession(_ session: CK_SESSION_HANDLE) -> CK_RV {
    returning { module throws(CryptokiError) in try module.closeSession(session) }
}

@_cdecl("C_CloseAllSessions")
public func closeAllSessions(_ slot: CK_SLOT_ID) -> CK_RV {
    returning { module throws(CryptokiError) in try module.closeSessions(slot) }
}

@_cdecl("C_GetSessionInfo")
public func getSessionInfo(_ session: CK_SESSION_HANDLE, _ info: UnsafeMutablePointer<CK_SESSION_INFO>?) -> CK_RV {
    returning { module throws(CryptokiError) in
        let info = unsafe try needed(info)
        let facts = try module.sessionFacts(session)
        unsafe info.pointee = CK_SESSION_INFO(
            slotID: CryptokiModule.slot, state: facts.state, flags: facts.flags, ulDeviceError: 0)
    }
}

@_cdecl("C_SessionCancel")
public func sessionCancel(_ session: CK_SESSION_HANDLE, _ flags: CK_FLAGS) -> CK_RV {
    returning { module throws(CryptokiError) in try module.cancel(session) }
}

@_cdecl("C_Login")
public func login(
    _ session: CK_SESSION_HANDLE, _ user: CK_USER_TYPE, _ pin: UnsafePointer<CK_BYTE>?, _ length: CK_ULONG
) -> CK_RV {
    returning { module throws(CryptokiError) in
        guard unsafe pin != nil else { return try module.logIn(session, user, nil) }
        var copy = unsafe try copied(pin, length)
        defer { overwrite(&copy) }
        try module.logIn(session, user, copy)
    }
}

@_cdecl("C_Logout")
public func logout(_ session: CK_SESSION_HANDLE) -> CK_RV {
    returning { module throws(CryptokiError) in try module.logOut(session) }
}

// MARK: Objects

@_cdecl("C_CreateObject")
public func createObject(
    _ session: CK_SESSION_HANDLE, _ attributes: UnsafePointer<CK_ATTRIBUTE>?, _ count: CK_ULONG,
    _ object: UnsafeMutablePointer<CK_OBJECT_HANDLE>?
) -> CK_RV {
    returning { module throws(CryptokiError) in
        let object = unsafe try needed(object)
        var template = unsafe try copiedTemplate(attributes, count)
        defer { template.wipeValues() }
        unsafe object.pointee = try module.create(session, template)
    }
}

@_cdecl("C_DestroyObject")
public func destroyObject(_ session: CK_SESSION_HANDLE, _ object: CK_OBJECT_HANDLE) -> CK_RV {
    returning { module throws(CryptokiError) in try module.destroy(session, object) }
}

@_cdecl("C_GetAttributeValue")
public func getAttributeValue(
    _ session: CK_SESSION_HANDLE, _ object: CK_OBJECT_HANDLE, _ attributes: UnsafeMutablePointer<CK_ATTRIBUTE>?,
    _ count: CK_ULONG
) -> CK_RV {
    returning { module throws(CryptokiError) in
        guard let attributes = unsafe attributes, (1...CK_ULONG(Template.maximumCount)).contains(count) else {
            throw CryptokiError(CKR_ARGUMENTS_BAD)
        }
        let values = try module.attributes(session, object)
        // All attributes are answered, and then the last failure is returned.
        var failure = CKR_OK
        for index in 0..<Int(count) {
            let code = unsafe answer(&attributes[index], values)
            if code != CKR_OK { failure = code }
        }
        guard failure == CKR_OK else { throw CryptokiError(failure) }
    }
}

/// Answers for one attribute.
private func answer(_ attribute: inout CK_ATTRIBUTE, _ values: CryptokiModule.Attributes) -> CK_RV {
    switch unsafe values[attribute.type] {
    case .absent:
        unsafe attribute.ulValueLen = CK_UNAVAILABLE_INFORMATION
        return CKR_ATTRIBUTE_TYPE_INVALID
    case .sensitive:
        unsafe attribute.ulValueLen = CK_UNAVAILABLE_INFORMATION
        return CKR_ATTRIBUTE_SENSITIVE
    case .bytes(let value):
        let length = CK_ULONG(value.count)
        guard let room = unsafe attribute.pValue else {
            unsafe attribute.ulValueLen = length
            return CKR_OK
        }
        guard unsafe attribute.ulValueLen >= length else {
            unsafe attribute.ulValueLen = CK_UNAVAILABLE_INFORMATION
            return CKR_BUFFER_TOO_SMALL
        }
        unsafe attribute.ulValueLen = length
        unsafe room.copyMemory(from: value, byteCount: value.count)
        return CKR_OK
    }
}

@_cdecl("C_SetAttributeValue")
public func setAttributeValue(
    _ session: CK_SESSION_HANDLE, _ object: CK_OBJECT_HANDLE, _ attributes: UnsafePointer<CK_ATTRIBUTE>?,
    _ count: CK_ULONG
) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.change(session, object, unsafe try copiedTemplate(attributes, count))
    }
}

@_cdecl("C_FindObjectsInit")
public func findObjectsInit(
    _ session: CK_SESSION_HANDLE, _ attributes: UnsafePointer<CK_ATTRIBUTE>?, _ count: CK_ULONG
) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.beginSearch(session, unsafe try copiedTemplate(attributes, count))
    }
}

@_cdecl("C_FindObjects")
public func findObjects(
    _ session: CK_SESSION_HANDLE, _ objects: UnsafeMutablePointer<CK_OBJECT_HANDLE>?, _ limit: CK_ULONG,
    _ count: UnsafeMutablePointer<CK_ULONG>?
) -> CK_RV {
    returning { module throws(CryptokiError) in
        let count = unsafe try needed(count)
        guard unsafe limit == 0 || objects != nil else { throw CryptokiError(CKR_ARGUMENTS_BAD) }
        let found = try module.nextFound(session, atMost: Int(clamping: limit))
        unsafe objects?.update(from: found, count: found.count)
        unsafe count.pointee = CK_ULONG(found.count)
    }
}

@_cdecl("C_FindObjectsFinal")
public func findObjectsFinal(_ session: CK_SESSION_HANDLE) -> CK_RV {
    returning { module throws(CryptokiError) in try module.endSearch(session) }
}
