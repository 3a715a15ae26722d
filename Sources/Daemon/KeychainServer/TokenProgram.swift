// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainEndpoint
internal import KeychainHelperWire
internal import KeychainPlatform
internal import SecretMemory
internal import Synchronization

/// A token that is a helper program: started when it is first needed, kept while it is used, started again when it died.
final class TokenProgram: Sendable {
    struct Limits: Sendable {
        /// For one answer; then the program is killed. Also for one's turn to ask.
        var answer: Duration = .seconds(5)
        /// Unused for as long, the program is ended.
        var idle: Duration = .seconds(60)

        init() {}
    }

    let kind: TokenKind
    private let name: String
    private let folders: [String]
    private let arguments: [String]
    private let limits: Limits
    private let clock: MonotonicClock
    /// One question at a time. Not a mutex: waiting for one's turn has an end.
    private let turn = DispatchSemaphore(value: 1)
    private let session = Mutex(Session())
    private let wake = Callback<Void>()

    private struct Session: ~Copyable {
        var running: HelperSession?
        /// In nanoseconds of the clock.
        var lastUse: UInt64 = 0
    }

    init(
        _ name: String, in folders: [String], arguments: [String], kind: TokenKind, limits: Limits = Limits(),
        clock: MonotonicClock = .live
    ) {
        self.kind = kind
        self.name = name
        self.folders = folders
        self.arguments = arguments
        self.limits = limits
        self.clock = clock
    }

    /// This program as one of the tokens of a keychain.
    var token: SecureElement.Token {
        SecureElement.Token(kind) { request throws(TokenFailure) in
            try self.ask(request)
        } endIfIdle: {
            self.endIfIdle()
        }
    }

    /// - Parameter body: called, from any thread, when ``endIfIdle()`` has to be asked again.
    func whenStarted(_ body: @escaping @Sendable () -> Void) { wake.set(body) }

    /// Asks one question.
    ///
    /// A program that died before is started again, and where nothing is changed by it the question is asked again, once; so it is when
    /// one that was running says that its token is not there any more.
    /// - Throws: `.unavailable` where there is no program that may be run, it does not answer in time or what it says is no answer.
    func ask(_ request: TokenRequest) throws(TokenFailure) -> TokenAnswer {
        guard turn.wait(timeout: .now() + .nanoseconds(Int(limits.answer.nanoseconds))) == .success else {
            throw TokenFailure(.unavailable, "\(name) has too much to do")
        }
        defer { turn.signal() }
        do throws(HelperFailure) {
            let (answer, isNew) = try askOnce(request)
            // What was there when the program was started is not any more. It may be there again for another one.
            guard case .failure(let failure) = answer, failure.reason == .unavailable, !isNew else { return answer }
            session.withLock { $0.running = nil }
        } catch {
            // Only what had ended: whoever was silent for that long, or lied, is not waited for again.
            guard error.reason == .ended, request.isRepeatable else { throw TokenFailure(error) }
        }
        do throws(HelperFailure) { return try askOnce(request).answer } catch { throw TokenFailure(error) }
    }

    /// Ends the program if nobody used it for as long as it is kept.
    ///
    /// - Returns: how long until this has to be called again; nil while it does not run.
    func endIfIdle() -> Duration? {
        // Somebody is asking.
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

    /// Ends the program, whenever it was used last. Whoever asks at this moment gets an answer first; then it ends with its service.
    func end() {
        guard turn.wait(timeout: .now()) == .success else { return }
        defer { turn.signal() }
        session.withLock { $0.running = nil }
    }

    private func start() throws(HelperFailure) -> HelperSession {
        // Looked for each time: it may be installed while the service runs.
        guard let helper = ServiceHelper(name, in: folders) else {
            throw HelperFailure(.notFound(searched: folders), of: name)
        }
        return try HelperSession(helper.path, arguments: arguments)
    }

    /// - Returns: also whether the program was started for it.
    private func askOnce(_ request: TokenRequest) throws(HelperFailure) -> (answer: TokenAnswer, isNew: Bool) {
        var frame = request.frame
        defer { wipe(&frame) }
        let started: Bool
        var answer: [UInt8]
        (answer, started) = try session.withLock { session throws(HelperFailure) in
            let starts = session.running == nil
            if starts { session.running = try start() }
            session.lastUse = clock.nanoseconds()
            // Whatever goes wrong from here on, a later answer would be to an earlier question.
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
            throw HelperFailure(.malformed, of: name)
        }
    }
}

/// The programs that keep private keys, as far as they are installed beside this service.
struct TokenPrograms: Sendable {
    private let folders: [String]
    /// The device or socket of the TPM; nil where none shall be used.
    private let tpm: String?
    private let limits: TokenProgram.Limits
    private let clock: MonotonicClock

    /// No token at all.
    static let none = TokenPrograms(folders: [], tpm: nil)

    /// - Parameter folders: where the programs are looked for, in this order.
    init(
        folders: [String], tpm: String?, limits: TokenProgram.Limits = TokenProgram.Limits(),
        clock: MonotonicClock = .live
    ) {
        self.folders = folders
        self.tpm = tpm
        self.limits = limits
        self.clock = clock
    }

    /// - Parameter environment: the service's own; values of ``variables``, or of ``systemVariables`` in a service of the system.
    init(environment: [String: String]) {
        // Whoever names a device wants no other, also when it is not there.
        let named = environment["CHATELAINE_TPM"]
        let kernels = FileIdentity.isUsable(path: Self.kernelDevice) ? Self.kernelDevice : nil
        self.init(
            folders: ServiceHelper.folders(named: environment["CHATELAINE_HELPERS"]),
            tpm: (named ?? kernels).flatMap { $0.hasPrefix("/") ? $0 : nil })
    }

    /// What the service looks at of its own environment.
    static let variables: Set<String> = ["CHATELAINE_HELPERS", "CHATELAINE_TPM"]

    /// What a service of the system looks at: its programs are those beside it, whatever its environment says.
    static let systemVariables: Set<String> = ["CHATELAINE_TPM"]

    /// Behind it the kernel gives each user of the TPM one of their own.
    private static let kernelDevice = "/dev/tpmrm0"

    /// As the environment of this process says.
    static var live: TokenPrograms { TokenPrograms(environment: OwnEnvironment.values(variables)) }

    func secureElement(of folder: KeychainFolder) -> SecureElement { SecureElement(tokens(of: folder).map(\.token)) }

    /// The tokens of a keychain; the first makes new keys.
    func tokens(of folder: KeychainFolder) -> [TokenProgram] {
        guard !folders.isEmpty else { return [] }
        let software = program("chatelaine-token-software", folder.softwareTokenPath, .software)
        guard let tpm else { return [software] }
        return [program("chatelaine-token-tpm", tpm, .tpm), software]
    }

    private func program(_ name: String, _ argument: String, _ kind: TokenKind) -> TokenProgram {
        TokenProgram(name, in: folders, arguments: [argument], kind: kind, limits: limits, clock: clock)
    }
}

/// The tokens of one keychain, and its device key, which one of them may keep.
struct KeychainTokens: Sendable {
    let programs: [TokenProgram]
    let secureElement: SecureElement
    let deviceKey: DeviceKeyFile
    /// How the device key is moved into one of the tokens, and out of it.
    let deviceKeyMoving: DeviceKeyMoving

    /// - Parameters:
    ///   - keepingDeviceKey: whether a token may keep the device key; else it stays in its file.
    ///   - log: for what an administrator would want to know of wrong PINs.
    init(
        _ tokens: TokenPrograms, of folder: KeychainFolder, keepingDeviceKey: Bool = true,
        log: @escaping @Sendable (String) -> Void
    ) {
        programs = tokens.tokens(of: folder)
        secureElement = SecureElement(programs.map(\.token))
        deviceKey = DeviceKeyFile(in: folder, keepingDeviceKey ? secureElement : .none, log: log)
        deviceKeyMoving = keepingDeviceKey ? deviceKey.moving : deviceKey.staying
    }

    /// Ends the programs that nobody asks at this moment.
    func end() { for program in programs { program.end() } }
}

extension TokenRequest {
    /// Whether asking it twice is as good as once.
    fileprivate var isRepeatable: Bool {
        switch self {
        case .status, .sign, .agree, .unseal: true
        // It counts: a token that ended in the middle may have counted already.
        case .unsealGuarded: false
        // What the first made would be lost, but nothing is kept in the token: it is not worth a second try either.
        case .createKey, .seal, .sealGuarded: false
        }
    }
}

extension TokenFailure {
    fileprivate init(_ failure: HelperFailure) { self.init(.unavailable, failure.description) }
}
