// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Glibc
import KeychainEndpoint
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainSealing
import KeychainServer
import KeychainStore
import Synchronization
import TestSupport
import Testing

@testable import KeychainClient

/// A service on a real socket in a directory of its own, with its store in memory.
final class RunningService: Sendable {
    let directories: InstanceDirectories
    let store: ItemStore
    private let root: String
    private let stopping: WakeUp
    private let hasEnded = DispatchSemaphore(value: 0)
    private let result = Mutex<KeychainService.StopReason?>(nil)
    private let auditTrail = AuditTrail()
    /// Nil once the service has ended.
    private let listener = Mutex<ListeningSocket?>(nil)

    static let program = Caller(
        userID: getuid(), processID: getpid(), tier: .unsigned, identity: .unsigned(digest: [1]),
        accessGroups: ["tests"], displayPath: "/test")

    init(
        limits: KeychainService.Limits = .init(), identifier: CallerIdentifier = .constant(program),
        clock: MonotonicClock = .live, jobs: BackupJobs = BackupJobs(), directories given: InstanceDirectories? = nil,
        idleExit: Duration? = nil, mayEnd: @escaping @Sendable () -> Bool = { true }, prompter: Prompter = .unavailable,
        biometry: BiometryReader = .none,
        secureElement: SecureElement = .none, policy: MachinePolicy = .none, ownerAuthority: OwnerAuthority? = nil,
        passcodeCost: ScryptCost = .minimum,
        source: (Pipeline) -> KeychainSource = { .one($0) }
    ) throws {
        let root = try makeScratchFolder("cs")
        self.root = root
        directories = given ?? InstanceDirectories(runtime: root, data: root + "/d", configuration: root + "/c")
        stopping = try WakeUp()
        let storage = PlainKeyStorage()
        store = try ItemStore(
            at: .memory, deviceKey: try DeviceKey.generate(in: storage), keyStorage: storage,
            clock: { Timestamp(secondsSinceReferenceDate: 800_000_000) },
            makeIdentifier: { ItemIdentifier(bytes: RandomSource.live.bytes(16))! })
        let changes = ChangeFeed()
        let lock = LockController(
            store, changes: changes, wallClock: { Timestamp(secondsSinceReferenceDate: 800_000_000) }, clock: clock,
            minimumCost: passcodeCost)
        var dependencies = ServiceDependencies(
            store: store, changes: changes, lock: lock, clock: { Timestamp(secondsSinceReferenceDate: 0) })
        dependencies.jobs = jobs
        dependencies.prompter = prompter
        dependencies.biometry = biometry
        dependencies.secureElement = secureElement
        dependencies.policy = policy
        dependencies.ownerAuthority = ownerAuthority
        let state = ServiceState(dependencies) { [auditTrail] in
            auditTrail.add(String(decoding: $0, as: UTF8.self))
        }
        let service = try KeychainService(source(Pipeline(state)), identifier: identifier, clock: clock, limits: limits)
        let socket = try ListeningSocket(bindingTo: directories.socketPath)
        listener.withLock { $0 = socket }
        let started = SystemThread.start { [self] in
            let reason = serve(service, idleExit, mayEnd)
            // Closed first: who has seen the end may listen at the same place.
            listener.withLock { $0 = nil }
            result.withLock { $0 = reason }
            hasEnded.signal()
        }
        #expect(started)
    }

    private func serve(
        _ service: KeychainService, _ idleExit: Duration?, _ mayEnd: () -> Bool
    ) -> KeychainService.StopReason? {
        guard let socket = listener.withLock({ $0 }) else { return nil }
        return try? service.run(on: socket, until: [stopping.descriptor], idleExit: idleExit, mayEnd: mayEnd)
    }

    var auditLog: [String] { auditTrail.lines }

    /// A program's way to the service.
    func client() -> KeychainClient { KeychainClient(SocketTransport(directories)) }

    func raw() throws -> RawClient { try RawClient(directories.socketPath) }

    /// Tells the service to stop, without waiting for it.
    func tellToStop() { stopping.signal() }

    /// Why the service ended; waits for it.
    func ended() -> KeychainService.StopReason? {
        hasEnded.wait()
        hasEnded.signal()
        return result.withLock { $0 }
    }

    /// Stops the service and removes its directory.
    func stop() {
        tellToStop()
        _ = ended()
        try? FileManager.default.removeItem(atPath: root)
    }
}

private final class AuditTrail: Sendable {
    private let state = Mutex<[String]>([])
    var lines: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }
}
