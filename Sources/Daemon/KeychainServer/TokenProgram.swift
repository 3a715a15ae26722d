// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainEndpoint
internal import KeychainHelperWire
internal import KeychainPlatform
internal import SecretMemory
internal import Synchronization

/// A token that is a helper program: started on first use, kept while in use, and restarted after it ended
/// unexpectedly.
final class TokenProgram: Sendable {
    struct Limits: Sendable {
        /// The time for one answer, after which the program is killed, and for waiting for the turn.
        var answer: Duration = .seconds(5)
        /// The time without use after which the program is ended.
        var idle: Duration = .seconds(60)

        init() {}
    }

    let kind: TokenKind
    private let name: String
    private let folders: [String]
    private let arguments: [String]
    private let limits: Limits
    private let clock: MonotonicClock
    /// One request at a time. Not a mutex, because waiting for the turn has a time limit.
    private let turn = DispatchSemaphore(value: 1)
    private let session = Mutex(Session())
    /// Called, from any thread, when the program was started, so that ``endIfIdle()`` is called in time.
    private let wake: @Sendable () -> Void

    private struct Session: ~Copyable {
        var running: HelperSession?
        /// In nanoseconds of the clock.
        var lastUse: UInt64 = 0
    }

    init(
        _ name: String, in folders: [String], arguments: [String], kind: TokenKind, limits: Limits = Limits(),
        clock: MonotonicClock = .live, wake: @escaping @Sendable () -> Void = {}
    ) {
        self.wake = wake
        self.kind = kind
        self.name = name
        self.folders = folders
        self.arguments = arguments
        self.limits = limits
        self.clock = clock
    }

    /// This program as a token of a keychain.
    var token: SecureElement.Token {
        SecureElement.Token(kind) { request throws(TokenError) in
            try self.ask(request)
        } endIfIdle: {
            self.endIfIdle()
        }
    }

    /// Sends one request.
    ///
    /// A program that ended before is restarted. If the request changes nothing, it is sent again, once; likewise if a
    /// running program reports that its token is no longer present.
    /// - Throws: `.unavailable` if no program may be run, it does not answer in time, or the answer is invalid.
    func ask(_ request: TokenRequest) throws(TokenError) -> TokenAnswer {
        guard turn.wait(timeout: .now() + .nanoseconds(Int(limits.answer.nanoseconds))) == .success else {
            throw TokenError(.unavailable, "\(name) is busy with other requests")
        }
        defer { turn.signal() }
        do throws(HelperError) {
            let (answer, isNew) = try askOnce(request)
            // The token that was present when the program was started is gone. It may be present again for a new
            // program.
            guard case .failure(let failure) = answer, failure.reason == .unavailable, !isNew else { return answer }
            session.withLock { $0.running = nil }
        } catch {
            // Only if the program had ended: a program that was silent for that long, or violated the protocol, is not
            // waited for again.
            guard error.reason == .ended, request.isRepeatable else { throw TokenError(error) }
        }
        do throws(HelperError) { return try askOnce(request).answer } catch { throw TokenError(error) }
    }

    /// Ends the program if it was not used for the idle time.
    ///
    /// - Returns: the time until this has to be called again; nil while it does not run.
    func endIfIdle() -> Duration? {
        // A request is running.
        guard turn.wait(timeout: .now()) == .success else { return limits.idle }
        defer { turn.signal() }
        return session.withLock { session in
            guard session.running != nil else { return nil }
            let unused = clock.nanoseconds() - session.lastUse
            guard unused >= limits.idle.nanoseconds else { return .nanoseconds(limits.idle.nanoseconds - unused) }
            session.running = nil
            return nil
        }
    }

    /// Ends the program, regardless of its last use. A running request is answered first; then the program ends with
    /// its service.
    func end() {
        guard turn.wait(timeout: .now()) == .success else { return }
        defer { turn.signal() }
        session.withLock { $0.running = nil }
    }

    private func start() throws(HelperError) -> HelperSession {
        // Searched for each time, because it may be installed while the service runs.
        guard let helper = ServiceHelper(name, in: folders) else {
            throw HelperError(.notFound(searched: folders), of: name)
        }
        return try HelperSession(helper.path, arguments: arguments)
    }

    /// Sends the request once.
    ///
    /// - Returns: the answer, and whether the program was started for it.
    private func askOnce(_ request: TokenRequest) throws(HelperError) -> (answer: TokenAnswer, isNew: Bool) {
        var frame = request.frame
        defer { wipe(&frame) }
        let started: Bool
        var answer: [UInt8]
        (answer, started) = try session.withLock { session throws(HelperError) in
            let starts = session.running == nil
            if starts { session.running = try start() }
            session.lastUse = clock.nanoseconds()
            // After any error from here on, a later answer would belong to an earlier request.
            let running = session.running.take()!
            let answer = try running.answer(to: frame, timeout: limits.answer) { beginning in
                guard let size = try HelperFrameHeader.frameSize(beginning) else { return nil }
                guard size <= TokenLimits.frameBytes else { throw HelperWireError.tooLarge }
                return size
            }
            session.running = consume running
            return (answer, starts)
        }
        defer { wipe(&answer) }
        if started { wake() }
        do throws(HelperWireError) {
            return (try TokenAnswer(answer, to: request), started)
        } catch {
            session.withLock { $0.running = nil }
            throw HelperError(.malformed, of: name)
        }
    }
}

/// The programs that hold private keys, as far as they are installed beside this service.
struct TokenPrograms: Sendable {
    private let folders: [String]
    /// The device or socket of the TPM; nil if no TPM is used.
    private let tpm: String?
    private let limits: TokenProgram.Limits
    private let clock: MonotonicClock

    /// No token at all.
    static let none = TokenPrograms(folders: [], tpm: nil)

    /// Finds the programs.
    ///
    /// - Parameter folders: the folders to search, in this order.
    init(
        folders: [String], tpm: String?, limits: TokenProgram.Limits = TokenProgram.Limits(),
        clock: MonotonicClock = .live
    ) {
        self.folders = folders
        self.tpm = tpm
        self.limits = limits
        self.clock = clock
    }

    /// Finds the programs from the environment.
    ///
    /// - Parameter environment: the service's own; values of ``variables``, or of ``systemVariables`` in a system
    ///   service.
    init(environment: [String: String]) {
        // If the variable names a device, no other is used, even if it does not exist.
        let named = environment["CHATELAINE_TPM"]
        let kernels = FileIdentity.isUsable(path: Self.kernelDevice) ? Self.kernelDevice : nil
        self.init(
            folders: ServiceHelper.folders(named: environment["CHATELAINE_HELPERS"]),
            tpm: (named ?? kernels).flatMap { $0.hasPrefix("/") ? $0 : nil })
    }

    /// The variables of its environment that the service uses.
    static let variables: Set<String> = ["CHATELAINE_HELPERS", "CHATELAINE_TPM"]

    /// The variables that a system service uses: it runs only the programs beside it, regardless of its environment.
    static let systemVariables: Set<String> = ["CHATELAINE_TPM"]

    /// The kernel's resource manager, which gives each user of the TPM a separate context.
    private static let kernelDevice = "/dev/tpmrm0"

    /// The programs according to the environment of this process.
    static var live: TokenPrograms { TokenPrograms(environment: OwnEnvironment.values(variables)) }

    func secureElement(of folder: KeychainFolder) -> SecureElement { SecureElement(tokens(of: folder).map(\.token)) }

    /// Returns the tokens of a keychain; the first one creates new keys.
    ///
    /// - Parameter wake: called, from any thread, when one was started.
    func tokens(of folder: KeychainFolder, wake: @escaping @Sendable () -> Void = {}) -> [TokenProgram] {
        guard !folders.isEmpty else { return [] }
        func program(_ name: String, _ argument: String, _ kind: TokenKind) -> TokenProgram {
            TokenProgram(
                name, in: folders, arguments: [argument], kind: kind, limits: limits, clock: clock, wake: wake)
        }
        let software = program("chatelaine-token-software", folder.softwareTokenPath, .software)
        guard let tpm else { return [software] }
        return [program("chatelaine-token-tpm", tpm, .tpm), software]
    }
}

/// The tokens of one keychain, and its device key, which one of them may hold.
struct KeychainTokens: Sendable {
    let programs: [TokenProgram]
    let secureElement: SecureElement
    let deviceKey: DeviceKeyFile
    /// The operation that moves the device key into a token, and out of it.
    let deviceKeyMoving: DeviceKeyMoving

    /// Creates the tokens.
    ///
    /// - Parameters:
    ///   - keepingDeviceKey: whether a token may hold the device key; otherwise it stays in its file.
    ///   - log: receives messages for administrators on wrong PINs.
    ///   - wake: called, from any thread, when a token was started.
    init(
        _ tokens: TokenPrograms, of folder: KeychainFolder, keepingDeviceKey: Bool = true,
        log: @escaping @Sendable (String) -> Void, wake: @escaping @Sendable () -> Void
    ) {
        programs = tokens.tokens(of: folder, wake: wake)
        secureElement = SecureElement(programs.map(\.token))
        deviceKey = DeviceKeyFile(in: folder, keepingDeviceKey ? secureElement : .none, log: log)
        deviceKeyMoving = keepingDeviceKey ? deviceKey.moving : deviceKey.staying
    }

    /// Ends the programs without a running request.
    func end() { for program in programs { program.end() } }
}

extension TokenRequest {
    /// Whether sending the request twice has the same effect as once.
    fileprivate var isRepeatable: Bool {
        switch self {
        case .status, .sign, .agree, .unseal: true
        // Each attempt is counted: a token that ended during the request may have counted it already.
        case .unsealGuarded: false
        // The first result would be lost, although the token keeps nothing: a second attempt is not worthwhile either.
        case .createKey, .seal, .sealGuarded: false
        }
    }
}

extension TokenError {
    fileprivate init(_ failure: HelperError) { self.init(.unavailable, failure.description) }
}
