// SPDX-License-Identifier: Apache-2.0

public import DBus
public import DBusMessages
internal import Synchronization

/// The backend of the portal for secrets (`org.freedesktop.impl.portal.Secret`): each application gets one secret, with
/// which it encrypts its own files.
///
/// The portal (xdg-desktop-portal) alone may call it. Its requests name the connection of the application, whose process
/// decides which secret is passed on. The application ID in a request is not used: some versions of the portal take it
/// from the application itself.
public final class SecretPortal: BusObject {
    /// The name that `chatelaine.portal` declares.
    public static let name: BusName = "org.freedesktop.impl.portal.desktop.chatelaine"
    /// The path at which the portal expects its backends.
    public static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    /// The name of the portal.
    public static let frontend: BusName = "org.freedesktop.portal.Desktop"

    /// What the backend needs from its program.
    public struct Dependencies: Sendable {
        /// Returns whether a process is the portal.
        public var isFrontend: @Sendable (Descriptor) async throws(PortalError) -> Bool
        /// Passes the secret of a process's application on. The task is cancelled when the application ends the request.
        public var provide: @Sendable (_ process: Descriptor, SecretDestination) async throws(PortalError) -> Void
        /// Opens a process as a pidfd; nil if it does not exist.
        public var openProcess: @Sendable (UInt32) -> NumberedProcess?
        /// Takes a sentence for the log. It contains no secret.
        public var report: @Sendable (String) -> Void

        public init(
            isFrontend: @escaping @Sendable (Descriptor) async throws(PortalError) -> Bool,
            provide: @escaping @Sendable (Descriptor, SecretDestination) async throws(PortalError) -> Void,
            openProcess: @escaping @Sendable (UInt32) -> NumberedProcess?, report: @escaping @Sendable (String) -> Void
        ) {
            self.isFrontend = isFrontend
            self.provide = provide
            self.openProcess = openProcess
            self.report = report
        }
    }

    /// The most requests without an answer. Each may wait for a prompt.
    static let requestLimit = 32

    /// The result of a request (org.freedesktop.portal.Request, "Response").
    private enum Response: UInt32 {
        case success = 0
        /// The user denied it.
        case cancelled = 1
        case failed = 2
    }

    private struct Key: Hashable {
        let caller: BusName
        let path: ObjectPath
    }

    private let server: BusServer
    private let dependencies: Dependencies
    private let requests = Mutex<[Key: Task<Void, Never>]>([:])

    /// - Parameter server: the server on which ``serve(on:)`` exports the backend.
    public init(_ server: BusServer, _ dependencies: Dependencies) {
        self.server = server
        self.dependencies = dependencies
    }

    public static let interfaces: [Interface<SecretPortal>] = [
        Interface(
            "org.freedesktop.impl.portal.Secret",
            methods: [
                Method(
                    "RetrieveSecret",
                    in: [
                        Argument("handle", "o"), Argument("app_id", "s"), Argument("fd", "h"),
                        Argument("options", "a{sv}"),
                    ], out: [Argument("response", "u"), Argument("results", "a{sv}")],
                    later: { portal, call, reply in portal.retrieveSecret(call, reply) })
            ],
            properties: [Property("version", "u", changeSignal: .constant) { _ in .uint32(1) }])
    ]

    /// How the service of the name ended.
    public enum End: Hashable, Sendable {
        /// Another program owns the name.
        case nameIsTaken
        /// The server was stopped.
        case stopped
    }

    /// Serves until the server is stopped or the connection ends.
    ///
    /// - Throws: as ``BusServer/run(on:onSignal:)``, and `.refused` if the bus forbids the name.
    public func serve(on connection: BusConnection) throws(BusError) -> End {
        server.export(self, at: Self.path)
        server.export(PortalRequests(portal: self), below: RequestHandle.parent)
        switch try connection.perform(.name(Self.name, .doNotQueue)) {
        case .primaryOwner, .alreadyOwner: break
        case .exists, .inQueue: return .nameIsTaken
        }
        try server.run(on: connection)
        return .stopped
    }

    // MARK: Requests

    private func retrieveSecret(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        do throws(MethodError) {
            guard let handle = call.arguments[0].objectPath.flatMap(RequestHandle.init) else {
                throw .invalidArguments("The handle does not name the application's connection.")
            }
            let descriptor = try call.descriptor(at: 2)
            let key = Key(caller: call.sender, path: handle.path)
            try begin(key, reply) { [self] () throws(PortalError) in
                let destination = try SecretDestination(descriptor)
                let watch = try watch(handle.client) { [weak self] in self?.end(key) }
                defer { withExtendedLifetime(watch) {} }
                guard let process = await process(of: handle.client) else {
                    throw .failed("The application has ended, or the bus does not name its process.")
                }
                try await dependencies.provide(process, destination)
            }
        } catch {
            reply.fail(error)
        }
    }

    /// Begins a request. It exists from now on, so that the portal can end it.
    private func begin(
        _ key: Key, _ reply: Reply<MethodResult>, _ provide: @escaping @Sendable () async throws(PortalError) -> Void
    ) throws(MethodError) {
        try requests.withLock { requests throws(MethodError) in
            guard requests[key] == nil else { throw .invalidArguments("A request with this handle exists already.") }
            guard requests.count < Self.requestLimit else {
                throw .limitsExceeded("\(Self.requestLimit) requests are not answered yet. Wait for answers first.")
            }
            requests[key] = Task { [self] in
                let result: Result<Response, MethodError>
                if await isFrontend(key.caller) {
                    result = .success(await response(provide))
                } else {
                    report("A program that is not the portal was refused.")
                    result = .failure(.accessDenied("Only the portal may request the secrets of applications."))
                }
                remove(key)
                reply.answer {
                    [
                        .uint32(try result.get().rawValue),
                        .dictionary(key: .string, value: .variant, []),
                    ]
                }
            }
        }
    }

    private func response(_ provide: @Sendable () async throws(PortalError) -> Void) async -> Response {
        do throws(PortalError) {
            try await provide()
            return .success
        } catch {
            switch error {
            case .dismissed: return .cancelled
            case .failed(let reason):
                // The application knows why it ended its request.
                if !Task.isCancelled { report(reason) }
                return .failed
            }
        }
    }

    private func report(_ sentence: String) { dependencies.report(sentence) }

    /// Returns whether a connection owns the name of the portal and belongs to the portal.
    private func isFrontend(_ caller: BusName) async -> Bool {
        guard (try? await server.perform(.owner(of: Self.frontend))) == caller, let process = await process(of: caller)
        else { return false }
        do throws(PortalError) {
            return try await dependencies.isFrontend(process)
        } catch {
            if case .failed(let reason) = error { report(reason) }
            return false
        }
    }

    private func process(of name: BusName) async -> Descriptor? {
        do throws(BusError) {
            return try await server.process(of: name, open: dependencies.openProcess)?.pidfd
        } catch {
            return nil
        }
    }

    /// Watches the connection of an application: its prompts must not outlive it.
    private func watch(
        _ client: BusName, _ end: @escaping @Sendable () -> Void
    ) throws(PortalError) -> NameWatch {
        do throws(BusError) {
            return try server.watch(client, end)
        } catch {
            throw .failed("The connection of the application cannot be watched: \(error).")
        }
    }

    private func remove(_ key: Key) { requests.withLock { $0[key] = nil } }

    private func end(_ key: Key) { requests.withLock { $0[key] }?.cancel() }

    /// Returns the paths of a caller's requests.
    fileprivate func requests(of caller: BusName) -> [ObjectPath] {
        requests.withLock { $0.keys.filter { $0.caller == caller }.map(\.path) }
    }

    fileprivate func end(_ path: ObjectPath, of caller: BusName) { end(Key(caller: caller, path: path)) }
}

/// The requests that are not answered yet. Each exists for its caller alone.
private struct PortalRequests: ObjectSource {
    let portal: SecretPortal

    func findObject(at path: ObjectPath, for sender: BusName, _ reply: Reply<(any BusObject)?>) {
        let exists = portal.requests(of: sender).contains(path)
        reply.succeed(exists ? PortalRequest(portal: portal, path: path, caller: sender) : nil)
    }

    func listChildren(of path: ObjectPath, for sender: BusName, _ reply: Reply<[String]>) {
        let prefix = path.rawValue + "/"
        let names = portal.requests(of: sender).compactMap { request in
            request.rawValue.hasPrefix(prefix)
                ? request.rawValue.dropFirst(prefix.count).split(separator: "/").first.map(String.init) : nil
        }
        reply.succeed(Set(names).sorted())
    }
}

/// A request that is not answered yet (`org.freedesktop.impl.portal.Request`).
private struct PortalRequest: BusObject {
    let portal: SecretPortal
    let path: ObjectPath
    let caller: BusName

    static let interfaces: [Interface<PortalRequest>] = [
        Interface(
            "org.freedesktop.impl.portal.Request",
            methods: [
                Method("Close") { request, _ in
                    request.portal.end(request.path, of: request.caller)
                    return []
                }
            ])
    ]
}
