// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import KeychainSealing
internal import Logging
internal import SecretMemory
internal import Synchronization

/// The keychain of the one user whom a service serves: open, or waiting for the PIN of its device key.
final class PersonalKeychain: Sendable {
    private enum State {
        /// Holds the folder's lock, so that no other service waits as well.
        case waiting(InstanceLock)
        case open(OpenKeychain)
    }

    /// The dependencies for opening a keychain, apart from its keys.
    struct Dependencies: Sendable {
        var prompter = Prompter.unavailable
        var biometry = BiometryReader.none
        var tokens = TokenPrograms.none
        var policy = MachinePolicy.none
        var protections: [String] = []
        var log: @Sendable (Logger.Level, String) -> Void
        /// Called, from any thread, when ``PersonalKeychain/housekeeping()`` has to be called again.
        var wake: @Sendable () -> Void
    }

    private let folder: KeychainFolder
    private let dependencies: Dependencies
    /// For the door and the open keychain.
    private let tokens: KeychainTokens
    /// Held only briefly.
    private let state: Mutex<State>
    /// Held while a PIN is checked, so that the keychain is opened only once.
    private let opening = Mutex(())

    /// Opens the keychain in an existing folder, or creates one in it; if its device key has a PIN, only its door is
    /// opened.
    ///
    /// - Throws: as ``OpenKeychain``.
    init(_ folder: KeychainFolder, _ dependencies: Dependencies) throws(StartError) {
        self.folder = folder
        self.dependencies = dependencies
        let log = dependencies.log
        tokens = KeychainTokens(
            dependencies.tokens, of: folder, log: { log(.notice, $0) }, wake: dependencies.wake)
        if try tokens.deviceKey.isGuarded() {
            state = Mutex(.waiting(try OpenKeychain.takeLock(of: folder)))
            log(.notice, "the device key requires its PIN: run chatelaine unlock")
        } else {
            state = Mutex(.open(try Self.open(folder, dependencies, tokens: tokens, opened: nil)))
        }
    }

    private static func open(
        _ folder: KeychainFolder, _ dependencies: Dependencies, tokens: KeychainTokens,
        opened: (lock: InstanceLock, key: DeviceKey)?
    ) throws(StartError) -> OpenKeychain {
        try OpenKeychain(
            folder, prompter: dependencies.prompter, biometry: dependencies.biometry, tokens: tokens,
            opened: opened, allowsFilesElsewhere: true, policy: dependencies.policy,
            protections: dependencies.protections, log: dependencies.log,
            wake: dependencies.wake)
    }

    var source: KeychainSource {
        KeychainSource(
            begin: { [self] _ in
                if let keychain = opened { .open(keychain.pipeline) } else { .closed(door) }
            }, end: { _ in })
    }

    private var opened: OpenKeychain? {
        state.withLock { state in if case .open(let keychain) = state { keychain } else { nil } }
    }

    // MARK: The door

    private var door: KeychainDoor {
        KeychainDoor(
            opened: { [self] in opened?.pipeline },
            open: { [self] pin throws(Refusal) in try open(with: pin) },
            report: { [self] () throws(Refusal) in
                let state = try tokens.deviceKey.state()
                return TokenReport(tokens: tokens.secureElement.report, deviceKey: state.place, pin: state.pin)
            },
            protections: dependencies.protections)
    }

    private func open(with pin: SecretBytes) throws(Refusal) -> Pipeline {
        let result: Result<(OpenKeychain, isNew: Bool), Refusal> = opening.withLock { _ in
            let lock: InstanceLock
            switch state.withLock({ $0 }) {
            case .open(let keychain): return .success((keychain, isNew: false))
            case .waiting(let held): lock = held
            }
            do throws(Refusal) {
                let key = try tokens.deviceKey.open(with: pin, in: LockedKeyStorage())
                do throws(StartError) {
                    let keychain = try Self.open(folder, dependencies, tokens: tokens, opened: (lock, key))
                    state.withLock { $0 = .open(keychain) }
                    return .success((keychain, isNew: true))
                } catch {
                    dependencies.log(.error, "the keychain cannot be opened: \(error)")
                    throw Refusal(.notAvailable, .storeUnavailable)
                }
            } catch {
                return .failure(error)
            }
        }
        let (keychain, isNew) = try result.get()
        if isNew {
            dependencies.log(.notice, "the device key was opened with its PIN")
            keychain.checkContents()
            dependencies.wake()
        }
        return keychain.pipeline
    }

    // MARK: Functions for the service

    /// Unlocks with the text of a credential; errors are logged.
    func unlock(withCredentialText text: SecretBytes) {
        if let keychain = opened { return keychain.unlock(withCredentialText: text) }
        dependencies.log(
            .warning,
            "the credential that the service was started with is not used, because the device key requires its PIN")
    }

    func checkContents() { opened?.checkContents() }

    /// Does due work.
    ///
    /// - Returns: the time until this has to be called again; nil if nothing is planned.
    func housekeeping() -> Duration? {
        if let keychain = opened { keychain.housekeeping() } else { tokens.secureElement.endIfIdle() }
    }

    /// Whether ending loses nothing, as for an open keychain.
    var losesNothingWhenClosed: Bool { opened?.losesNothingWhenClosed ?? true }

    /// Locks and closes the keychain after its last use.
    func close() { opened?.close() }
}
