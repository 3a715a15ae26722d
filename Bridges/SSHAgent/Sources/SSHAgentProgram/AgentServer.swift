// SPDX-License-Identifier: Apache-2.0

@preconcurrency @unsafe internal import Glibc
internal import KeychainClient
internal import KeychainEndpoint
internal import KeychainPlatform
internal import SSHAgent
internal import SSHAgentKeychain
internal import SSHAgentProtocol
internal import Synchronization

/// The connections of an agent, each with a thread of its own.
final class AgentServer: Sendable {
    private enum Limits {
        /// Connections at the same time, half of them of one process. The longest idle one gives way to a new one.
        static let connections = 256
        /// Bytes of one read.
        static let piece = 16 << 10
        /// The time after which the connection to the keychain service is closed, so that the service can end.
        static let idle = Duration.seconds(10)
        /// The time that the keychain service may take for each part of a list of keys, which never prompts.
        static let search = Duration.seconds(5)
        /// The wait of a thread for the end of its client, which begins again after it.
        static let watch = Duration.seconds(3600)
        /// The wait before the next connection is accepted, if the system has no room for one.
        static let retry = Duration.milliseconds(100)
    }

    private let agent: Agent
    private let listener: ListeningSocket
    /// The process with which the agent ends.
    private let parent: PeerProcess?
    private let report: @Sendable (String) -> Void
    private let connections = Mutex(ConnectionTable<ServerConnection>(limit: Limits.connections))

    init(
        _ line: AgentCommandLine, listener: ListeningSocket, parent: PeerProcess?,
        report: @escaping @Sendable (String) -> Void
    ) {
        agent = Agent(AgentEnvironment.dependencies(line.fingerprintHash, report: report), line.options)
        self.listener = listener
        self.parent = parent
        self.report = report
    }

    /// Serves until SIGTERM or SIGINT, or until the parent has ended.
    ///
    /// - Parameter isReady: called when clients are served.
    func run(isReady: () -> Void) throws(AgentStart.Failure) {
        do throws(SystemCallError) {
            // Before there are threads.
            let signals = try TerminationSignals()
            isReady()
            while true {
                let next = agent.removeExpiredKeys().map { Duration.seconds($0 + 1) }
                let endings = [signals.descriptor] + (parent.map { [$0.endDescriptor] } ?? [])
                let ready = try Readiness.wait(for: [listener.descriptor] + endings, timeout: next)
                if ready.contains(where: { $0 > 0 }) { return }
                if ready.contains(0) { try accept(endings) }
            }
        } catch {
            throw AgentStart.Failure("clients cannot be served: \(error)")
        }
    }

    private func accept(_ endings: [Int32]) throws(SystemCallError) {
        do throws(ListeningSocket.Error) {
            let connection = try listener.accept()
            let process = try? PeerProcess(of: connection)
            guard let number = admit(connection, of: process) else { return }
            let isStarted = SystemThread.start { [self] in
                serve(connection, of: process, number)
                connections.withLock { $0.remove(number) }
            }
            guard isStarted else {
                connections.withLock { $0.remove(number) }
                report("A connection was closed, because no thread can be started.")
                return
            }
        } catch {
            report("A connection cannot be accepted: \(error).")
            // The client still waits, and without a pause the loop would find it again at once.
            _ = try Readiness.wait(for: endings, timeout: Limits.retry)
        }
    }

    /// Decides about a connection. Returns its number in the table; nil if it is closed.
    private func admit(_ connection: ServerConnection, of process: PeerProcess?) -> Int? {
        guard let user = connection.peerUser, user == 0 || user == geteuid() else {
            report("A connection of another user was closed.")
            return nil
        }
        let admitted = connections.withLock { connections in
            connections.admit(connection, of: process?.pid, at: AgentEnvironment.uptime())
        }
        guard let (number, givesWay) = admitted else {
            report("A connection of \(Self.name(process)) was closed, because too many are in use.")
            return nil
        }
        if let givesWay {
            givesWay.stopReceiving()
            report("An idle connection was closed for one of \(Self.name(process)), because there are too many.")
        }
        return number
    }

    // MARK: One connection

    private func serve(_ connection: ServerConnection, of process: PeerProcess?, _ number: Int) {
        let keys = process.flatMap(keychainKeys)
        var state = AgentConnection(
            client: Self.name(process), process: process?.pid,
            program: process.flatMap { AgentEnvironment.programPath($0.pid) },
            keptKeys: keys)
        let end = keys.flatMap { watch(connection, $0) }
        defer { end?.signal() }
        var stream = MessageStream()
        do {
            while let bytes = try receive(from: connection, process, &state, keys) {
                stream.receive(bytes)
                while let message = try stream.next() {
                    connections.withLock { $0.setIdle(number, since: nil) }
                    try connection.send(agent.reply(to: message, on: &state).frame.span)
                    connections.withLock { $0.setIdle(number, since: AgentEnvironment.uptime()) }
                }
            }
        } catch let error as MessageError {
            report("The connection of \(state.client) was closed: \(error).")
        } catch {
            // The client has closed the connection, or does not read its replies.
        }
    }

    /// Receives bytes; nil at the end of the stream.
    private func receive(
        from connection: ServerConnection, _ process: PeerProcess?, _ state: inout AgentConnection,
        _ keys: KeychainAgentKeys?
    ) throws -> [UInt8]? {
        if let keys, try Readiness.wait(for: [connection.descriptor], timeout: Limits.idle).isEmpty {
            keys.disconnect()
        }
        var bytes: [UInt8] = []
        let received = try connection.receive(atMost: Limits.piece) { span in
            bytes.reserveCapacity(span.count)
            for index in span.indices { bytes.append(span[index]) }
        }
        guard received.count > 0 else { return nil }
        // The bytes of a process that inherited the connection are not requests of the identified process.
        if process?.sent(received.sender) != true { state.keptKeys = nil }
        return bytes
    }

    private func keychainKeys(of process: PeerProcess) -> KeychainAgentKeys? {
        do throws(ClientError) {
            return KeychainAgentKeys(
                try KeychainClient.onBehalf(ofProcess: process.endDescriptor, timeout: Limits.search))
        } catch {
            report("The keychain of \(Self.name(process)) cannot be used: \(error).")
            return nil
        }
    }

    /// Ends a request of the keychain that prompts when its client disconnects. Returns the signal for the end of the
    /// watch.
    private func watch(_ connection: ServerConnection, _ keys: KeychainAgentKeys) -> WakeUp? {
        guard let end = try? WakeUp() else { return nil }
        let isStarted = SystemThread.start {
            while (try? Readiness.wait(
                for: [end.descriptor], hangUpOf: [connection.descriptor], timeout: Limits.watch)) == false
            {}
            keys.interrupt()
        }
        return isStarted ? end : nil
    }

    private static func name(_ process: PeerProcess?) -> String {
        guard let process else { return "a process that cannot be inspected" }
        return "\(AgentEnvironment.programName(process.pid)) (process \(process.pid))"
    }
}
