// SPDX-License-Identifier: Apache-2.0

public import DBusMessages
internal import Glibc
internal import Synchronization

/// A time in clock ticks since the machine started, rounded down, as proc_pid_stat(5) has the start of a process.
public struct ProcessTime: Hashable, Comparable, Sendable {
    public let ticks: UInt64

    public init(ticks: UInt64) { self.ticks = ticks }

    /// Returns the present time.
    @Sendable public static func now() -> ProcessTime {
        var time = timespec()
        // The kernel writes the variable. The clock exists on each Linux.
        guard unsafe clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { preconditionFailure("no CLOCK_BOOTTIME") }
        let rate = sysconf(Int32(_SC_CLK_TCK))
        return ProcessTime(ticks: UInt64(time.tv_sec * rate + time.tv_nsec / (1_000_000_000 / rate)))
    }

    public static func < (left: ProcessTime, right: ProcessTime) -> Bool { left.ticks < right.ticks }
}

/// A process that was opened by its number.
public struct NumberedProcess: Sendable {
    public let pidfd: Descriptor
    public let start: ProcessTime

    /// - Parameters:
    ///   - pidfd: a descriptor of the process (pidfd_open(2)).
    ///   - start: the start of the process, read while the pidfd showed that it ran.
    public init(pidfd: Descriptor, start: ProcessTime) {
        self.pidfd = pidfd
        self.start = start
    }
}

/// The process that opened a connection to the bus.
public struct ConnectedProcess: Sendable {
    /// Its number, which the kernel may give to another process when it has ended.
    public let number: UInt32
    public let pidfd: Descriptor
}

extension BusServer {
    /// Returns the process that opened a connection.
    ///
    /// A bus without pidfds names a number, which it stored when the connection was made. The kernel may have given the
    /// number to another process since. So the process of this number must have started before the server saw the
    /// connection: at the announcement of the bus; for a connection that is older than the run, at the start of the run.
    /// Both times are rounded down to a tick, so the process that connected is never refused. A process that started
    /// after the connection was made, and in the tick in which the server saw it or before, is not recognised as
    /// another one. While a run goes on, this requires that all process numbers are used up in that time.
    ///
    /// - Parameters:
    ///   - name: the unique name of the connection.
    ///   - open: opens a process number; nil if there is no such process.
    /// - Returns: nil if the process has ended, if its number belongs to another process, or if the bus does not name it.
    /// - Throws: every ``BusError``; `.refused` if the connection has ended.
    public func process(
        of name: BusName, open: (UInt32) -> NumberedProcess?
    ) async throws(BusError) -> ConnectedProcess? {
        process(name, try await perform(.credentials(of: name)), open)
    }

    /// Returns the process that opened a connection, and blocks until the bus has answered. Not for the thread of the
    /// server. Otherwise as the asynchronous function.
    public func process(
        of name: BusName, open: (UInt32) -> NumberedProcess?
    ) throws(BusError) -> ConnectedProcess? {
        process(name, try perform(.credentials(of: name)), open)
    }

    private func process(
        _ name: BusName, _ credentials: ConnectionCredentials, _ open: (UInt32) -> NumberedProcess?
    ) -> ConnectedProcess? {
        guard let number = credentials.processID else { return nil }
        if let pidfd = credentials.process { return ConnectedProcess(number: number, pidfd: pidfd) }
        // The bus has announced the connection before it answered.
        guard let process = open(number), let seen = state.withLock({ $0.connections[name] }), process.start <= seen
        else { return nil }
        return ConnectedProcess(number: number, pidfd: process.pidfd)
    }

    /// Subscribes to the beginnings and ends of connections, once, and notes the connections that exist.
    func subscribe() {
        let mustSubscribe = state.withLock { state in
            defer { state.isSubscribed = true }
            return !state.isSubscribed
        }
        guard mustSubscribe else { return }
        let rule = MatchRule(
            sender: MessageBus.name, path: MessageBus.path, interface: MessageBus.interface,
            member: "NameOwnerChanged")
        perform(.addMatch(rule)) { [weak self] result in
            // Names that cannot be watched count as gone.
            if case .failure = result { self?.endWatches() }
        }
        // The bus handles this after the subscription, so that no connection is missed. Connections that are not known
        // because of a failure have no process.
        perform(.names) { [weak self] result in
            for name in (try? result.get()) ?? [] { self?.noteConnection(name) }
        }
    }

    /// Notes when a connection was seen first; its name never belongs to another one.
    func noteConnection(_ name: BusName) {
        guard name.isUnique else { return }
        let time = clock()
        state.withLock { state in
            guard state.connections[name] == nil, state.connections.count < limits.connections else { return }
            state.connections[name] = time
        }
    }
}
