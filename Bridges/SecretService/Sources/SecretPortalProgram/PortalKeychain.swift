// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import Dispatch
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory
internal import SecretPortal

/// The secrets of applications: an item in the keychain for each, in the access group of the application.
enum PortalKeychain {
    /// The size of a secret, which libsecret requires.
    static let secretBytes = 64

    /// Returns whether the service knows the process as the installed portal. Its file must be root's alone, so that no
    /// other program has this name.
    static func isPortal(_ process: Descriptor) async throws(PortalError) -> Bool {
        try await request(for: process) { keychain throws(ClientError) in
            guard case .installed(let path) = try keychain.identity().identity else { return false }
            return path.split(separator: "/").last == "xdg-desktop-portal"
        }
    }

    /// Passes the secret of the process's application on. The first request of an application makes the secret, or
    /// takes a secret that `chatelaine setup desktop` has imported, for which the user is prompted.
    static func provide(_ process: Descriptor, _ destination: SecretDestination) async throws(PortalError) {
        let secret = try await request(for: process) { keychain throws(ClientError) in
            let program = try keychain.identity()
            guard let group = program.accessGroups.first else {
                throw .refused(Refusal(.missingEntitlement, .unidentifiedCaller))
            }
            return try Self.secret(in: group, for: program.identity, of: keychain)
        }
        guard secret.count == secretBytes else {
            throw .failed("The application has changed its secret, which no longer has \(secretBytes) bytes.")
        }
        try secret.withSpan { span throws(PortalError) in try destination.write(span) }
    }

    // MARK: The item

    /// The unique attributes of the item within an access group.
    private static let attributes: [ItemAttributes.Entry] = [
        .init(.service, .string("org.freedesktop.portal.Secret")), .init(.account, .string("application")),
    ]

    private static func secret(
        in group: String, for program: ProgramIdentity, of keychain: KeychainClient
    ) throws(ClientError) -> SecretBytes {
        if let stored = try storedSecret(in: group, of: keychain) { return stored }
        let made = try importedSecret(for: program, of: keychain) ?? SecretBytes(randomByteCount: secretBytes)
        do throws(ClientError) {
            _ = try keychain.add(newItem(in: group), secret: made.bytes) { _ in }
            return made
        } catch {
            // Another request of the application was faster.
            guard error.status == .duplicateItem, let stored = try storedSecret(in: group, of: keychain) else {
                throw error
            }
            return stored
        }
    }

    /// Returns the secret that gnome-keyring has given the application; nil if none was imported. Without the user's
    /// approval the request fails, because with a new secret the application could not open its file any more.
    ///
    /// Only an item that the command has imported counts: each program can store one with these attributes.
    private static func importedSecret(
        for program: ProgramIdentity, of keychain: KeychainClient
    ) throws(ClientError) -> SecretBytes? {
        guard case .application(let name) = program, let application = ImportedSecret.applicationID(name),
            let pairs = try? LookupAttributes(["app_id": application])
        else { return nil }
        var query = ItemQuery(.genericPassword)
        query.attributes = try checked(.query, [.init(.lookup, .data(pairs.encoded))])
        // An application finds no item of another group unless the request names that group.
        query.accessGroup = CommandGroup.privateItems
        let found = try optional { () throws(ClientError) in
            try keychain.copyMatching(query, limit: .all, returning: [.attributes, .availability]) { _ in }
        }
        let imported = found?.first { item in
            guard item.attributes?[.accessGroup] == .string(CommandGroup.privateItems),
                let lookup = item.attributes?.lookupAttributes
            else { return false }
            return ImportedSecret.has(lookup.pairs, of: application)
        }
        guard let imported else { return nil }
        var item = ItemQuery(imported.reference)
        item.accessGroup = CommandGroup.privateItems
        let secret = try optional { [item] () throws(ClientError) in
            try keychain.copyMatching(item, limit: .one, returning: .data) {
                SecretBytes(copying: $0)
            }
        }?.first?.secret
        // Of another length it is no secret of a portal.
        return secret?.count == secretBytes ? secret : nil
    }

    /// Returns nil if a search finds nothing.
    private static func optional<Found>(
        _ search: () throws(ClientError) -> Found
    ) throws(ClientError) -> Found? {
        do throws(ClientError) {
            return try search()
        } catch {
            guard error.status == .itemNotFound else { throw error }
            return nil
        }
    }

    private static func newItem(in group: String) throws(ClientError) -> ItemAttributes {
        try checked(
            .add,
            attributes + [.init(.label, .string("Portal secret")), .init(.accessGroup, .string(group))])
    }

    private static func storedSecret(
        in group: String, of keychain: KeychainClient
    ) throws(ClientError) -> SecretBytes? {
        var query = ItemQuery(.genericPassword)
        query.attributes = try checked(.query, attributes)
        // A bridge's client that is in no sandbox also finds the items of other programs.
        query.accessGroup = group
        return try optional { () throws(ClientError) in
            try keychain.copyMatching(query, limit: .one, returning: .data) { SecretBytes(copying: $0) }
        }?.first?.secret
    }

    private static func checked(
        _ use: AttributeUse, _ entries: [ItemAttributes.Entry]
    ) throws(ClientError) -> ItemAttributes {
        do throws(AttributeError) {
            return try ItemAttributes(.genericPassword, for: use, entries)
        } catch {
            throw .protocolViolation(.attributes(error))
        }
    }

    // MARK: Requests

    /// Calls of the client library block, each on a thread of this queue.
    private static let queue = DispatchQueue(label: "requests", attributes: .concurrent)

    /// Makes requests on behalf of a process. They end when the task is cancelled.
    private static func request<Success: Sendable>(
        for process: Descriptor, _ body: @escaping @Sendable (KeychainClient) throws(ClientError) -> Success
    ) async throws(PortalError) -> Success {
        let result: Result<Success, ClientError>
        do throws(ClientError) {
            let keychain = try KeychainClient.onBehalf(ofProcess: process.number).separate()
            result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    queue.async {
                        continuation.resume(returning: Result { () throws(ClientError) in try body(keychain) })
                    }
                }
            } onCancel: {
                keychain.interrupt()
            }
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success(let success): return success
        case .failure(let error) where [.userCanceled, .authenticationFailed].contains(error.status): throw .dismissed
        case .failure(let error): throw .failed("The keychain refuses the request of the application: \(error).")
        }
    }
}

extension SecretBytes {
    /// Creates a secret of random bytes.
    fileprivate convenience init(randomByteCount count: Int) {
        var generator = SystemRandomNumberGenerator()
        // The buffer has exactly `count` bytes.
        unsafe self.init(count: count) { buffer in
            for index in buffer.indices { unsafe buffer[index] = generator.next() }
        }
    }
}
