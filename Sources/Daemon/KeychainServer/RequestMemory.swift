// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import Synchronization

/// A program of one user, to which its use of the service's resources is attributed.
struct UserProgram: Hashable {
    let user: UInt32
    let identity: ProgramIdentity
    /// Every program of the user can start the file of an enforced program without its shield, and must not use up the
    /// shares of the enforced program.
    let isEnforced: Bool

    init(of caller: Caller) {
        user = caller.userID
        identity = caller.identity
        isEnforced = caller.tier == .enforced
    }
}

/// Counts the memory that requests hold and that may grow with their size: large requests on arrival, and search
/// results until the answer is sent. Counted for all, for each user and for each program, so that a program that
/// repeatedly requests everything, or does not read its answers, takes no memory from others.
final class RequestMemory: Sendable {
    /// In bytes.
    struct Limits: Sendable {
        var all: Int
        var ofUser: Int
        var ofProgram: Int

        /// Creates the limits: a quarter of the machine's memory and at most 4 GiB for all; for one user half of that
        /// if there are several, and for one program half of its user's.
        ///
        /// - Parameter isOfUsers: whether the service has several users.
        init(physicalMemory: UInt64, isOfUsers: Bool) {
            // Enough for a secret of the maximum length and its overhead, on the smallest machine.
            all = max(256 << 20, Int(min(physicalMemory / 4, 4 << 30)))
            ofUser = isOfUsers ? all / 2 : all
            ofProgram = ofUser / 2
        }

        init(all: Int, ofUser: Int, ofProgram: Int) {
            self.all = all
            self.ofUser = ofUser
            self.ofProgram = ofProgram
        }
    }

    private struct State {
        var all = 0
        var users: [UInt32: Int] = [:]
        var programs: [UserProgram: Int] = [:]

        mutating func add(_ byteCount: Int, _ holder: UserProgram) {
            all += byteCount
            // A holder without memory is removed.
            let ofUser = (users[holder.user] ?? 0) + byteCount
            users[holder.user] = ofUser == 0 ? nil : ofUser
            let ofProgram = (programs[holder] ?? 0) + byteCount
            programs[holder] = ofProgram == 0 ? nil : ofProgram
        }
    }

    private let limits: Limits
    private let state = Mutex(State())

    init(_ limits: Limits) { self.limits = limits }

    /// Returns the share of one connection.
    func share(of caller: Caller) -> Share {
        Share(self, UserProgram(of: caller))
    }

    private func take(_ byteCount: Int, for holder: UserProgram) -> Bool {
        state.withLock { state in
            guard state.all + byteCount <= limits.all,
                (state.users[holder.user] ?? 0) + byteCount <= limits.ofUser,
                (state.programs[holder] ?? 0) + byteCount <= limits.ofProgram
            else { return false }
            state.add(byteCount, holder)
            return true
        }
    }

    private func giveBack(_ byteCount: Int, of holder: UserProgram) { state.withLock { $0.add(-byteCount, holder) } }

    /// The share of one connection, used by its thread alone.
    final class Share: Sendable {
        private let memory: RequestMemory
        private let holder: UserProgram
        private let used = Atomic(0)
        private let taken = Atomic(0)

        /// The memory that is not counted, so that requests of usual size do not contend for a lock.
        private static let free = 64 << 10
        /// The unit in which the rest is counted.
        private static let piece = 1 << 20

        fileprivate init(_ memory: RequestMemory, _ holder: UserProgram) {
            self.memory = memory
            self.holder = holder
        }

        deinit { giveBack() }

        /// Counts additional memory of the request.
        ///
        /// - Returns: false if the limit is exceeded; then nothing is counted.
        func take(_ byteCount: Int) -> Bool {
            let wanted = used.load(ordering: .relaxed) + byteCount
            let has = taken.load(ordering: .relaxed)
            if wanted > Self.free + has {
                let more = (wanted - Self.free - has + Self.piece - 1) / Self.piece * Self.piece
                guard memory.take(more, for: holder) else { return false }
                taken.store(has + more, ordering: .relaxed)
            }
            used.store(wanted, ordering: .relaxed)
            return true
        }

        /// Releases the memory of a finished request.
        func giveBack() {
            used.store(0, ordering: .relaxed)
            let has = taken.exchange(0, ordering: .relaxed)
            if has > 0 { memory.giveBack(has, of: holder) }
        }
    }
}

extension Pipeline {
    /// Returns whether the request may hold this many more bytes.
    func takesMemory(_ byteCount: Int) -> Bool { memory?.take(byteCount) ?? true }
}
