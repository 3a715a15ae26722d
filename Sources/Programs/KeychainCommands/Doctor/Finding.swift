// SPDX-License-Identifier: Apache-2.0

/// A finding of `chatelaine doctor`: one line. Contains names and reasons, never a secret.
struct Finding: Hashable {
    enum Severity: String, CaseIterable, Comparable {
        case ok
        /// For information; no action is needed.
        case note
        case warning
        /// A function or a protection does not work.
        case failure

        static func < (left: Self, right: Self) -> Bool { left.order < right.order }

        fileprivate var style: TextStyle {
            switch self {
            case .ok: .green
            case .note: .bold
            case .warning: .yellow
            case .failure: .red
            }
        }

        private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The check of the finding: a word of chatelaine(1), which never changes.
    let check: String
    let severity: Severity
    let text: String
    /// The recommended action; nil if no action is needed.
    let advice: String?

    init(_ check: String, _ severity: Severity, _ text: String, advice: String? = nil) {
        self.check = check
        self.severity = severity
        self.text = text
        self.advice = advice
    }

    /// Returns the line.
    ///
    /// - Parameter styled: whether the severity has a colour.
    func line(styled: Bool) -> String {
        let label = severity.style.text(severity.rawValue, styled)
        let space = String(repeating: " ", count: 9 - severity.rawValue.count)
        let place = check + String(repeating: " ", count: max(1, 13 - check.count))
        return label + space + place + visible(text) + (advice.map { "; " + visible($0) } ?? "") + "\n"
    }

    var json: JSONText {
        .object([
            ("check", .text(check)), ("severity", .text(severity.rawValue)), ("text", .text(text)),
            ("advice", advice.map(JSONText.text) ?? .null),
        ])
    }
}

extension [Finding] {
    func count(_ severity: Finding.Severity) -> Int { count { $0.severity == severity } }

    /// The failure with which the command ends if an action is needed; nil if none is.
    var verdict: CommandFailure? {
        let parts = [(count(.failure), "failure"), (count(.warning), "warning")].filter { $0.0 > 0 }
        guard !parts.isEmpty else { return nil }
        let words = parts.map { count, word in "\(count) \(word)\(count == 1 ? "" : "s")" }
        return CommandFailure("the installation needs attention: " + words.joined(separator: ", "), exitCode: .findings)
    }
}
