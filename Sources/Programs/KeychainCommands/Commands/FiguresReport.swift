// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The figures of a service's work, as text and as JSON (Documentation/Observability.md).
struct FiguresReport {
    private let figures: ServiceFigures

    init(_ figures: ServiceFigures) {
        self.figures = figures
    }

    // MARK: Text

    func text(_ context: CommandContext) -> String {
        let since = context.localTime(figures.since) ?? "an unknown time"
        let ago = Self.time(seconds: figures.uptimeSeconds)
        let head = "since       \(since), \(ago) ago: all counts start at this time\n"
        let tables = [items, sizes, queues, caches, requests].map { $0.text(styled: context.outputIsStyled) }
        let files = keychainFiles.map { $0.text(styled: context.outputIsStyled) + damagedKeychainFiles }
        let others = [files, refusals(context)?.text(styled: context.outputIsStyled)].compactMap(\.self)
        return ([head] + tables + others).joined(separator: "\n")
    }

    private var items: TextTable {
        var table = TextTable(["ITEMS", "COUNT"], ofNumbers: true)
        for (itemClass, count) in counts { table.append([Self.title(itemClass), String(count)]) }
        table.append(["unreadable", String(figures.unreadable)])
        return table
    }

    private var counts: [(ItemClass, UInt64)] {
        figures.items.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }

    private var sizes: TextTable {
        var table = TextTable(["FILES", "COUNT", "SIZE"], ofNumbers: true)
        for size in figures.sizes {
            let title = size.kind == .writeAheadLog ? "write-ahead log" : Self.words(size.kind.name)
            table.append([title, String(size.files), Self.amount(bytes: size.bytes)])
        }
        return table
    }

    private var queues: TextTable {
        var table = TextTable(["QUEUE", "NOW", "PEAK", "LIMIT"], ofNumbers: true)
        for queue in figures.queues {
            table.append([
                Self.words(queue.kind.name), String(queue.now), queue.most.map { String($0) } ?? "-",
                String(queue.bound),
            ])
        }
        return table
    }

    private var caches: TextTable {
        var table = TextTable(["CACHE", "HITS", "MISSES", "SIZE", "LIMIT"], ofNumbers: true)
        for cache in figures.caches {
            func size(_ size: UInt64) -> String { cache.kind.isInBytes ? Self.amount(bytes: size) : String(size) }
            table.append([
                Self.words(cache.kind.name), String(cache.hits), String(cache.misses), size(cache.size),
                size(cache.bound),
            ])
        }
        return table
    }

    /// The requests, the kind with the slowest one first, because that is the most interesting one.
    private var requests: TextTable {
        var table = TextTable(
            ["REQUESTS", "SERVED", "NOT FOUND", "REFUSED", "ABANDONED", "MEAN", "SLOWEST"], ofNumbers: true)
        for requests in figures.requests.sorted(by: { $0.slowestNanoseconds > $1.slowestNanoseconds }) {
            table.append(
                [Self.words(requests.kind.name)]
                    + [requests.served, requests.notFound, requests.refused, requests.abandoned].map { String($0) }
                    + [requests.nanoseconds / max(requests.count, 1), requests.slowestNanoseconds]
                    .map(Self.time(nanoseconds:)))
        }
        return table
    }

    private var keychainFiles: TextTable? {
        guard !figures.keychainFiles.isEmpty else { return nil }
        var table = TextTable(["SIZE", "LOG", "OPEN KEYCHAIN FILE"])
        for file in figures.keychainFiles {
            table.append([Self.amount(bytes: file.bytes), Self.amount(bytes: file.logBytes), file.path])
        }
        return table
    }

    /// Lines below the table, because damaged files are rare.
    private var damagedKeychainFiles: String {
        figures.keychainFiles.filter(\.isDamaged).map { file in
            visible("\(file.path): \(DamagedKeychain.file(path: file.path).sentence)") + "\n"
        }.joined()
    }

    private func refusals(_ context: CommandContext) -> TextTable? {
        guard !figures.refusals.isEmpty else { return nil }
        var table = TextTable(["LAST", "COUNT", "STATUS", "REASON"])
        for refused in figures.refusals {
            let refusal = refused.refusal
            let reason =
                refusal.reason == .none
                ? Self.shortened(context.statusMessage(refusal.status.rawValue)) : "\(refusal.reason)"
            table.append([
                context.localTime(refused.last) ?? "", String(refused.count), "\(refusal.status.rawValue)", reason,
            ])
        }
        return table
    }

    /// Shortens a status text to a part of a line, because status texts are whole sentences.
    private static func shortened(_ text: String) -> String {
        text.count <= 40 ? text : text.prefix(39) + "…"
    }

    private static func title(_ itemClass: ItemClass) -> String {
        switch itemClass {
        case .genericPassword: "generic passwords"
        case .internetPassword: "internet passwords"
        case .certificate: "certificates"
        case .key: "keys"
        case .identity: "identities"
        }
    }

    private static func words(_ name: String) -> String { String(name.map { $0 == "-" ? " " : $0 }) }

    /// Returns the amount in the largest unit that gives at least 1, with a decimal place if that is significant.
    static func amount(bytes: UInt64) -> String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB"]
        var (unit, divisor) = (0, UInt64(1))
        while unit < units.count - 1, bytes / divisor >= 1024 {
            unit += 1
            divisor *= 1024
        }
        return scaled(bytes, divisor, units[unit])
    }

    static func time(nanoseconds: UInt64) -> String {
        let units: [(UInt64, String)] = [(1_000_000_000, "s"), (1_000_000, "ms"), (1000, "µs")]
        let (divisor, unit) = units.first { nanoseconds >= $0.0 } ?? (1, "ns")
        return scaled(nanoseconds, divisor, unit)
    }

    private static func scaled(_ number: UInt64, _ divisor: UInt64, _ unit: String) -> String {
        let whole = number / divisor
        guard divisor > 1, whole < 100 else { return "\(whole) \(unit)" }
        return "\(whole).\(number % divisor * 10 / divisor) \(unit)"
    }

    static func time(seconds: UInt64) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h \(seconds / 60 % 60) min"
        default: "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
        }
    }

    // MARK: JSON

    var json: JSONText {
        .object([
            ("since", Self.moment(figures.since)),
            ("uptimeSeconds", Self.number(figures.uptimeSeconds)),
            ("items", .object(counts.map { ($0.0.code, Self.number($0.1)) })),
            ("unreadable", Self.number(figures.unreadable)),
            ("sizes", .array(figures.sizes.map(Self.json))),
            ("keychainFiles", .array(figures.keychainFiles.map(Self.json))),
            ("queues", .array(figures.queues.map(Self.json))),
            ("caches", .array(figures.caches.map(Self.json))),
            ("requests", .array(figures.requests.map(Self.json))),
            ("refusals", .array(figures.refusals.map(Self.json))),
        ])
    }

    private static func json(_ size: ServiceFigures.FileSize) -> JSONText {
        .object([
            ("kind", .text(size.kind.name)), ("files", number(UInt64(size.files))), ("bytes", number(size.bytes)),
        ])
    }

    private static func json(_ file: ServiceFigures.KeychainFile) -> JSONText {
        .object([
            ("path", .text(file.path)), ("bytes", number(file.bytes)), ("logBytes", number(file.logBytes)),
            ("damaged", .boolean(file.isDamaged)),
        ])
    }

    private static func json(_ queue: ServiceFigures.Queue) -> JSONText {
        .object([
            ("kind", .text(queue.kind.name)), ("now", number(queue.now)),
            ("most", queue.most.map(number) ?? .null), ("bound", number(queue.bound)),
        ])
    }

    private static func json(_ cache: ServiceFigures.Cache) -> JSONText {
        .object([
            ("kind", .text(cache.kind.name)), ("hits", number(cache.hits)), ("misses", number(cache.misses)),
            ("size", number(cache.size)), ("bound", number(cache.bound)),
            ("unit", .text(cache.kind.isInBytes ? "bytes" : "entries")),
        ])
    }

    private static func json(_ requests: ServiceFigures.Requests) -> JSONText {
        let bounds = ServiceFigures.Requests.bounds.map { Self.number($0) } + [.null]
        let histogram = zip(bounds, requests.histogram).map { bound, count in
            JSONText.object([("upToNanoseconds", bound), ("count", number(count))])
        }
        return .object([
            ("kind", .text(requests.kind.name)), ("served", number(requests.served)),
            ("notFound", number(requests.notFound)), ("refused", number(requests.refused)),
            ("abandoned", number(requests.abandoned)), ("nanoseconds", number(requests.nanoseconds)),
            ("slowestNanoseconds", number(requests.slowestNanoseconds)), ("histogram", .array(histogram)),
        ])
    }

    private static func json(_ refused: ServiceFigures.Refused) -> JSONText {
        .object([
            ("status", .integer(Int64(refused.refusal.status.rawValue))),
            ("reason", .text("\(refused.refusal.reason)")), ("count", number(refused.count)),
            ("last", moment(refused.last)),
        ])
    }

    private static func number(_ number: UInt64) -> JSONText { .integer(Int64(clamping: number)) }

    private static func moment(_ moment: Timestamp) -> JSONText {
        CivilTime(moment).map { .text($0.rfc3339) } ?? .null
    }
}
