// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform
internal import KeychainStore
internal import KeychainWire

extension Pipeline {
    /// Returns the service's figures for the owner of this keychain. Of figures of the whole process, in a service of
    /// many users, it includes only this user's share.
    func figures(on connection: RequestConnection) throws(Refusal) -> ServiceFigures {
        let (statistics, store): (StoreStatistics, StoreFigures)
        do throws(StoreError) {
            statistics = try service.store.statistics()
            store = try service.store.figures()
        } catch {
            throw error.refusal
        }
        let (requests, refusals) = service.figures.read()
        return ServiceFigures(
            version: ProductVersion.current, lockState: service.store.lockState, since: service.figures.since,
            uptimeSeconds: service.figures.uptimeSeconds, items: statistics.items.mapValues { UInt64($0) },
            unreadable: UInt64(statistics.unreadable), sizes: fileSizes(), keychainFiles: openFiles(),
            queues: queues(store, on: connection), caches: caches(store, on: connection), requests: requests,
            refusals: refusals)
    }

    /// Returns the sizes of files; nothing for a database in memory, and for a log that is kept elsewhere.
    private func fileSizes() -> [ServiceFigures.FileSize] {
        var sizes: [ServiceFigures.FileSize] = []
        let paths = service.store.paths
        if let paths {
            sizes.append(Self.size(.database, [paths.database]))
            sizes.append(Self.size(.writeAheadLog, [paths.log]))
        }
        if let log = service.log { sizes.append(Self.size(.auditLog, log.paths)) }
        if let paths { sizes.append(Self.size(.snapshots, paths.snapshots)) }
        return sizes
    }

    private static func size(_ kind: ServiceFigures.FileSize.Kind, _ paths: [String]) -> ServiceFigures.FileSize {
        let sizes = paths.compactMap { FileLocation.byteCount(of: $0) }
        return .init(kind, files: UInt32(sizes.count), bytes: sizes.reduce(0, &+))
    }

    private func openFiles() -> [ServiceFigures.KeychainFile] {
        (service.files?.open.keychains ?? []).map { path, isDamaged in
            .init(
                path: path, bytes: FileLocation.byteCount(of: path) ?? 0,
                logBytes: FileLocation.byteCount(of: path + "-wal") ?? 0, isDamaged: isDamaged)
        }
    }

    private func queues(_ store: StoreFigures, on connection: RequestConnection) -> [ServiceFigures.Queue] {
        let connections = service.figures.connections
        let limit = UInt64(connection.connectionLimit)
        var queues = [
            ServiceFigures.Queue(.connections, now: connections.now, most: connections.most, bound: limit),
            // One for each connection.
            ServiceFigures.Queue(
                .changes, now: UInt64(store.waitingChanges), most: UInt64(store.mostWaitingChanges), bound: limit),
        ]
        if let questions = service.prompter.queue() { queues.append(questions) }
        let watchers = service.changes.watchers.count + service.changes.notices.count
        let followers = service.log?.followerCount ?? 0
        queues.append(.init(.watchers, now: UInt64(watchers + followers), bound: limit))
        if let (keychains, limit) = service.files?.open {
            queues.append(.init(.keychainFiles, now: UInt64(keychains.count), bound: UInt64(limit)))
        }
        return queues
    }

    /// Returns the caches in the order of their kinds.
    private func caches(_ store: StoreFigures, on connection: RequestConnection) -> [ServiceFigures.Cache] {
        var caches = store.caches
        if let programs = connection.programs() { caches.append(programs) }
        return caches.sorted { $0.kind.rawValue < $1.kind.rawValue }
    }
}
