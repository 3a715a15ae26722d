// SPDX-License-Identifier: Apache-2.0

/// What the clients of bridges may do with other programs' items. The raw value is that of the setting `bridges`, and a
/// lower one protects more.
public enum BridgeMode: UInt64, CaseIterable, Hashable, Sendable {
    /// Each use requires the user's approval.
    case ask = 0
    /// Every program may use every item, as in ``open``, and the audit log records each use that ``ask`` would have
    /// prompted for.
    case learn = 1
    /// Every program may use every item.
    case open = 2

    /// Creates the mode of these settings: ``ask``, which protects most, for settings without a known mode.
    public init(_ settings: [Setting: UInt64]) {
        self = settings[.bridges].flatMap(BridgeMode.init(rawValue:)) ?? .ask
    }

    public var name: String {
        switch self {
        case .ask: "ask"
        case .learn: "learn"
        case .open: "open"
        }
    }

    /// The names of all modes, as text.
    public static let choices = "ask, learn or open"
}
