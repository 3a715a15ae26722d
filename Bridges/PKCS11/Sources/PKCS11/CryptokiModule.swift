// SPDX-License-Identifier: Apache-2.0

public import CCryptoki
internal import KeychainModel
internal import SecretMemory
internal import Synchronization

/// The module in one process: the token, the sessions of the program, and the objects that it knows.
///
/// Calls can come from any thread. No lock is held during a request to the keychain service, which can wait for a prompt.
public final class CryptokiModule: Sendable {
    struct State {
        /// Made when the program first needs it: a program that only enumerates slots pays for nothing else.
        var token: KeychainToken?
        var sessions: [CK_SESSION_HANDLE: Session] = [:]
        var objects: [CK_OBJECT_HANDLE: TokenObject] = [:]
        var handles: [TokenObject.Name: CK_OBJECT_HANDLE] = [:]
        var isLoggedIn = false
        /// Handles of sessions and objects. None is used again.
        var lastHandle: CK_ULONG = 0

        mutating func newHandle() -> CK_ULONG {
            lastHandle += 1
            return lastHandle
        }
    }

    /// The only slot.
    public static let slot: CK_SLOT_ID = 0
    /// The largest number of sessions of a program.
    static let maximumSessions = 4096

    let state = Mutex<State?>(nil)
    private let connect: @Sendable () throws(CryptokiError) -> KeychainToken

    /// - Parameter connect: returns the keychain for the program. It is called under a lock, so it does not wait.
    public init(connect: @escaping @Sendable () throws(CryptokiError) -> KeychainToken) {
        self.connect = connect
    }

    // MARK: The program

    /// `C_Initialize`
    public func initialize() throws(CryptokiError) {
        let isNew = state.withLock { state in
            guard state == nil else { return false }
            state = State()
            return true
        }
        guard isNew else { throw CryptokiError(CKR_CRYPTOKI_ALREADY_INITIALIZED) }
    }

    /// `C_Finalize`
    public func finalize() throws(CryptokiError) {
        guard let old = state.withLock({ $0.take() }) else { throw CryptokiError(CKR_CRYPTOKI_NOT_INITIALIZED) }
        old.token?.disconnect()
    }

    /// Checks that the program has initialized the module.
    public func check() throws(CryptokiError) { try withState { _ in } }

    /// Checks that a slot exists.
    public func check(slot: CK_SLOT_ID) throws(CryptokiError) {
        try check()
        guard slot == Self.slot else { throw CryptokiError(CKR_SLOT_ID_INVALID) }
    }

    func withState<R: Sendable>(_ body: (inout State) throws(CryptokiError) -> R) throws(CryptokiError) -> R {
        let result: Result<R, CryptokiError> = state.withLock { state in
            guard var current = state.take() else { return .failure(CryptokiError(CKR_CRYPTOKI_NOT_INITIALIZED)) }
            defer { state = current }
            do throws(CryptokiError) { return .success(try body(&current)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    var token: KeychainToken {
        get throws(CryptokiError) {
            try withState { state throws(CryptokiError) in
                if let token = state.token { return token }
                let token = try connect()
                state.token = token
                return token
            }
        }
    }

    // MARK: The token

    /// What a program learns of the token.
    public struct TokenFacts: Sendable {
        public let flags: CK_FLAGS
        public let sessions: CK_ULONG
        public let readWriteSessions: CK_ULONG
        public let longestPIN: CK_ULONG
    }

    /// `C_GetTokenInfo`
    ///
    /// - Throws: `CKR_TOKEN_NOT_PRESENT` if the service cannot be reached.
    public func tokenFacts(_ slot: CK_SLOT_ID) throws(CryptokiError) -> TokenFacts {
        try check(slot: slot)
        let lockState: LockState
        do throws(CryptokiError) {
            lockState = try token.lockState()
        } catch {
            throw error.code == CKR_DEVICE_REMOVED ? CryptokiError(CKR_TOKEN_NOT_PRESENT) : error
        }
        // The service can prompt for the passcode.
        var flags = CKF_RNG | CKF_TOKEN_INITIALIZED | CKF_PROTECTED_AUTHENTICATION_PATH
        if lockState != .noPasscode { flags |= CKF_USER_PIN_INITIALIZED }
        if !lockState.isOpen { flags |= CKF_LOGIN_REQUIRED }
        return try withState { state in
            TokenFacts(
                flags: flags, sessions: CK_ULONG(state.sessions.count),
                readWriteSessions: CK_ULONG(state.sessions.values.count(where: \.isReadWrite)),
                longestPIN: CK_ULONG(Self.longestPIN))
        }
    }

    /// The longest passcode.
    static let longestPIN = 1024

    /// `C_GetMechanismList`
    public var mechanisms: [CK_MECHANISM_TYPE] { Mechanism.all.map(\.type) }

    /// `C_GetMechanismInfo`
    public func mechanism(_ type: CK_MECHANISM_TYPE) throws(CryptokiError) -> (
        sizes: ClosedRange<CK_ULONG>, flags: CK_FLAGS
    ) {
        guard let facts = Mechanism.all.first(where: { $0.type == type }) else {
            throw CryptokiError(CKR_MECHANISM_INVALID)
        }
        return (facts.sizes, facts.flags)
    }

    // MARK: Sessions

    /// `C_OpenSession`
    public func openSession(_ slot: CK_SLOT_ID, _ flags: CK_FLAGS) throws(CryptokiError) -> CK_SESSION_HANDLE {
        try check(slot: slot)
        guard flags & CKF_SERIAL_SESSION != 0 else { throw CryptokiError(CKR_SESSION_PARALLEL_NOT_SUPPORTED) }
        return try withState { state throws(CryptokiError) in
            guard state.sessions.count < Self.maximumSessions else { throw CryptokiError(CKR_SESSION_COUNT) }
            let handle = state.newHandle()
            state.sessions[handle] = Session(handle, isReadWrite: flags & CKF_RW_SESSION != 0)
            return handle
        }
    }

    /// `C_CloseSession`
    public func closeSession(_ handle: CK_SESSION_HANDLE) throws(CryptokiError) {
        try withState { state throws(CryptokiError) in
            guard state.sessions.removeValue(forKey: handle) != nil else {
                throw CryptokiError(CKR_SESSION_HANDLE_INVALID)
            }
            state.removeObjects { if case .ofSession(handle, _) = $0 { true } else { false } }
            if state.sessions.isEmpty { state.isLoggedIn = false }
        }
    }

    /// `C_CloseAllSessions`
    public func closeSessions(_ slot: CK_SLOT_ID) throws(CryptokiError) {
        try check(slot: slot)
        try withState { state in
            state.sessions = [:]
            state.removeObjects { if case .ofSession = $0 { true } else { false } }
            state.isLoggedIn = false
        }
    }

    func session(_ handle: CK_SESSION_HANDLE) throws(CryptokiError) -> Session {
        try withState { state throws(CryptokiError) in
            guard let session = state.sessions[handle] else { throw CryptokiError(CKR_SESSION_HANDLE_INVALID) }
            return session
        }
    }

    /// `C_GetSessionInfo`: the state of the session, and its flags.
    public func sessionFacts(_ handle: CK_SESSION_HANDLE) throws(CryptokiError) -> (state: CK_ULONG, flags: CK_FLAGS) {
        let session = try session(handle)
        let isLoggedIn = try withState { $0.isLoggedIn }
        return switch (session.isReadWrite, isLoggedIn) {
        case (false, false): (CKS_RO_PUBLIC_SESSION, CKF_SERIAL_SESSION)
        case (false, true): (CKS_RO_USER_FUNCTIONS, CKF_SERIAL_SESSION)
        case (true, false): (CKS_RW_PUBLIC_SESSION, CKF_SERIAL_SESSION | CKF_RW_SESSION)
        case (true, true): (CKS_RW_USER_FUNCTIONS, CKF_SERIAL_SESSION | CKF_RW_SESSION)
        }
    }

    /// `C_SessionCancel`
    public func cancel(_ handle: CK_SESSION_HANDLE) throws(CryptokiError) {
        try session(handle).operating { $0 = Operations() }
    }

    // MARK: Login

    /// `C_Login`: unlocks the keychain.
    ///
    /// - Parameter pin: the passcode; nil lets the service prompt for it.
    public func logIn(
        _ handle: CK_SESSION_HANDLE, _ user: CK_USER_TYPE, _ pin: [UInt8]?
    ) throws(CryptokiError) {
        let session = try session(handle)
        switch user {
        case CKU_USER: try unlock(pin)
        case CKU_CONTEXT_SPECIFIC:
            // The service itself prompts when the key is used, so this has nothing to do.
            let isUsed = try session.operating { $0.signing != nil || $0.decrypting != nil }
            guard isUsed else { throw CryptokiError(CKR_OPERATION_NOT_INITIALIZED) }
            // It does not accept a passcode from the program in place of the prompt.
            guard pin?.isEmpty != false else { throw CryptokiError(CKR_PIN_INCORRECT) }
        default: throw CryptokiError(CKR_USER_TYPE_INVALID)
        }
    }

    private func unlock(_ pin: [UInt8]?) throws(CryptokiError) {
        guard try !withState({ $0.isLoggedIn }) else { throw CryptokiError(CKR_USER_ALREADY_LOGGED_IN) }
        let token = try token
        let lockState = try token.lockState()
        if let pin, !pin.isEmpty {
            guard pin.count <= Self.longestPIN else { throw CryptokiError(CKR_PIN_LEN_RANGE) }
            // No passcode is a wrong one for a keychain that has none.
            guard lockState != .noPasscode else { throw CryptokiError(CKR_PIN_INCORRECT) }
            try token.unlock(passcode: SecretBytes(copying: pin))
        } else if !lockState.isOpen {
            try token.unlock(passcode: nil)
        }
        try withState { $0.isLoggedIn = true }
    }

    /// `C_Logout`: the keychain stays unlocked, because other programs use it.
    public func logOut(_ handle: CK_SESSION_HANDLE) throws(CryptokiError) {
        _ = try session(handle)
        try withState { state throws(CryptokiError) in
            guard state.isLoggedIn else { throw CryptokiError(CKR_USER_NOT_LOGGED_IN) }
            state.isLoggedIn = false
        }
    }
}

extension LockState {
    /// Whether items can be used without a login.
    fileprivate var isOpen: Bool { self == .noPasscode || self == .unlocked }
}

extension CryptokiModule.State {
    mutating func removeObjects(_ isIncluded: (TokenObject.Name) -> Bool) {
        for (name, handle) in handles where isIncluded(name) {
            objects[handle] = nil
            handles[name] = nil
        }
    }

    /// Stores an object, and returns its handle.
    mutating func put(_ object: TokenObject) -> CK_OBJECT_HANDLE {
        let handle = handles[object.name] ?? newHandle()
        handles[object.name] = handle
        objects[handle] = object
        return handle
    }
}
