// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The figures of a service's work as OpenMetrics text, version 1.0.0 (Documentation/Observability.md).
///
/// Labels are fixed words only: no path, no name of an item or a program.
struct MetricsText {
    private(set) var text = ""

    private enum Kind: String { case counter, gauge, histogram, info, stateset }

    init(_ figures: ServiceFigures) {
        process(figures)
        amounts(figures)
        waiting(figures)
        remembered(figures)
        requests(figures)
        refusals(figures)
        text += "# EOF\n"
    }

    private mutating func process(_ figures: ServiceFigures) {
        begin("chatelaine", .info, "The keychain service.")
        sample("chatelaine_info", [("version", figures.version)], "1")
        begin("chatelaine_lock_state", .stateset, "Lock state of the keychain.")
        for state in LockState.allCases {
            let isThis = state == figures.lockState ? "1" : "0"
            sample("chatelaine_lock_state", [("chatelaine_lock_state", LockStateText.word(state))], isThis)
        }
        begin(
            "chatelaine_start_time_seconds", .gauge, unit: "seconds", "Time when the keychain was opened, since 1970.")
        sample("chatelaine_start_time_seconds", [], Self.since1970(figures.since))
        begin("chatelaine_uptime_seconds", .gauge, unit: "seconds", "Time since the keychain was opened.")
        sample("chatelaine_uptime_seconds", [], String(figures.uptimeSeconds))
    }

    private mutating func amounts(_ figures: ServiceFigures) {
        begin("chatelaine_items", .gauge, "Items that can be opened.")
        for (itemClass, count) in figures.items.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            sample("chatelaine_items", [("class", itemClass.code)], String(count))
        }
        begin("chatelaine_unreadable_items", .gauge, "Items that cannot be opened and were set aside.")
        sample("chatelaine_unreadable_items", [], String(figures.unreadable))
        let open = figures.keychainFiles
        let openBytes = open.reduce(0) { $0 &+ $1.bytes &+ $1.logBytes }
        begin("chatelaine_files", .gauge, "Number of files of each kind.")
        for size in figures.sizes { sample("chatelaine_files", [("file", size.kind.name)], String(size.files)) }
        sample("chatelaine_files", [("file", "open-keychain-files")], String(open.count))
        begin("chatelaine_file_size_bytes", .gauge, unit: "bytes", "Total size of the files of each kind.")
        for size in figures.sizes {
            sample("chatelaine_file_size_bytes", [("file", size.kind.name)], String(size.bytes))
        }
        sample("chatelaine_file_size_bytes", [("file", "open-keychain-files")], String(openBytes))
    }

    private mutating func waiting(_ figures: ServiceFigures) {
        begin("chatelaine_queue_length", .gauge, "Current length of the queue.")
        for queue in figures.queues {
            sample("chatelaine_queue_length", [("queue", queue.kind.name)], String(queue.now))
        }
        begin("chatelaine_queue_length_peak", .gauge, "Greatest length of the queue since the keychain was opened.")
        for queue in figures.queues {
            guard let most = queue.most else { continue }
            sample("chatelaine_queue_length_peak", [("queue", queue.kind.name)], String(most))
        }
        begin("chatelaine_queue_limit", .gauge, "Limit of the length of the queue.")
        for queue in figures.queues {
            sample("chatelaine_queue_limit", [("queue", queue.kind.name)], String(queue.bound))
        }
    }

    private mutating func remembered(_ figures: ServiceFigures) {
        func each(
            _ name: String, _ kind: Kind, unit: String? = nil, help: String, inBytes: Bool? = nil,
            value: (ServiceFigures.Cache) -> UInt64
        ) {
            begin(name, kind, unit: unit, help)
            for cache in figures.caches where inBytes ?? cache.kind.isInBytes == cache.kind.isInBytes {
                sample(kind == .counter ? name + "_total" : name, [("cache", cache.kind.name)], String(value(cache)))
            }
        }
        each("chatelaine_cache_hits", .counter, help: "Lookups that the cache answered.") { $0.hits }
        each("chatelaine_cache_misses", .counter, help: "Lookups that the cache did not answer.") { $0.misses }
        each("chatelaine_cache_entries", .gauge, help: "Current size of the cache.", inBytes: false) { $0.size }
        each("chatelaine_cache_limit_entries", .gauge, help: "Limit of the size of the cache.", inBytes: false) {
            $0.bound
        }
        each("chatelaine_cache_size_bytes", .gauge, unit: "bytes", help: "Current size of the cache.", inBytes: true) {
            $0.size
        }
        each(
            "chatelaine_cache_limit_bytes", .gauge, unit: "bytes", help: "Limit of the size of the cache.",
            inBytes: true
        ) {
            $0.bound
        }
    }

    private mutating func requests(_ figures: ServiceFigures) {
        begin("chatelaine_requests", .counter, "Answered requests by kind and outcome.")
        for requests in figures.requests {
            for (outcome, count) in [
                ("served", requests.served), ("not-found", requests.notFound), ("refused", requests.refused),
                ("abandoned", requests.abandoned),
            ] {
                sample(
                    "chatelaine_requests_total", [("kind", requests.kind.name), ("outcome", outcome)], String(count))
            }
        }
        let duration = "chatelaine_request_duration_seconds"
        begin(
            duration, .histogram, unit: "seconds",
            "Time from the complete request to the written reply, without the time of prompts.")
        for requests in figures.requests {
            let kind = ("kind", requests.kind.name)
            var count: UInt64 = 0
            for (index, more) in requests.histogram.enumerated() {
                count &+= more
                let bounds = ServiceFigures.Requests.bounds
                let bound = index < bounds.count ? Self.bound(bounds[index]) : "+Inf"
                sample(duration + "_bucket", [kind, ("le", bound)], String(count))
            }
            sample(duration + "_count", [kind], String(count))
            sample(duration + "_sum", [kind], Self.seconds(requests.nanoseconds))
        }
        let slowest = "chatelaine_request_slowest_seconds"
        begin(slowest, .gauge, unit: "seconds", "Duration of the slowest request since the keychain was opened.")
        for requests in figures.requests {
            let seconds = Self.seconds(requests.slowestNanoseconds)
            sample(slowest, [("kind", requests.kind.name)], seconds)
        }
    }

    private mutating func refusals(_ figures: ServiceFigures) {
        func labels(_ refused: ServiceFigures.Refused) -> [(String, String)] {
            [("status", "\(refused.refusal.status.rawValue)"), ("reason", "\(refused.refusal.reason)")]
        }
        begin("chatelaine_refusals", .counter, "Requests without success, by status and reason.")
        for refused in figures.refusals {
            sample("chatelaine_refusals_total", labels(refused), String(refused.count))
        }
        begin(
            "chatelaine_refusal_last_seconds", .gauge, unit: "seconds",
            "Time of the last request without success, since 1970.")
        for refused in figures.refusals {
            sample("chatelaine_refusal_last_seconds", labels(refused), Self.since1970(refused.last))
        }
    }

    // MARK: Lines

    private mutating func begin(_ name: String, _ kind: Kind, unit: String? = nil, _ help: String) {
        text += "# TYPE \(name) \(kind.rawValue)\n"
        if let unit { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(help)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(String, String)], _ value: String) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    /// Escapes a label value. Of all labels, only the version could contain such characters.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    private static func seconds(_ nanoseconds: UInt64) -> String {
        let fraction = String(nanoseconds % 1_000_000_000)
        return "\(nanoseconds / 1_000_000_000)." + String(repeating: "0", count: 9 - fraction.count) + fraction
    }

    /// Returns a bound in the form that the format requires: without trailing zeros, except one after the decimal
    /// point.
    private static func bound(_ nanoseconds: UInt64) -> String {
        var text = seconds(nanoseconds)
        while text.hasSuffix("0"), !text.hasSuffix(".0") { text.removeLast() }
        return text
    }

    private static func since1970(_ moment: Timestamp) -> String {
        let seconds = moment.secondsSinceReferenceDate
        guard abs(seconds) < 1e12 else { return "NaN" }
        return String(Int64(seconds.rounded(.down)) + CivilTime.referenceDate)
    }
}
