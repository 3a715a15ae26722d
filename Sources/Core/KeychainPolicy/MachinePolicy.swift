// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// The administrator's policy for all keychains of a machine (Documentation/Formats/policy.md). No user can weaken it.
public struct MachinePolicy: Hashable, Sendable {
    /// The limits of settings.
    public private(set) var settings = SettingLimits.none
    /// The lowest tier that may use items.
    public private(set) var minimumTier = CallerTier.unidentified
    /// The identifiers of the teams that are trusted on this machine.
    public private(set) var trustedTeams: Set<String> = []
    /// Whether backups may be made.
    public private(set) var allowsBackups = true
    /// Whether users may have development folders.
    public private(set) var allowsDevelopment = true
    /// Whether a request that weakens a keychain without a passcode is refused if its owner cannot authorize it. Only
    /// the system service applies this rule.
    public private(set) var requiresAuthorization = false

    /// No rules.
    public static let none = MachinePolicy()

    public init() {}

    /// An invalid line.
    public struct SyntaxError: Error, Hashable, Sendable {
        /// The number of the line, counted from 1.
        public let line: Int
        /// The fault of the line, as readable text.
        public let reason: String
    }

    /// Adds the rules of a file. If two rules conflict, the stricter one counts.
    ///
    /// - Throws: for the first invalid line; then none of the file's rules count.
    public mutating func add(_ text: String) throws(SyntaxError) {
        var policy = self
        for (place, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmed
            guard !line.isEmpty, line.first != "#" else { continue }
            do throws(RuleError) { try policy.addRule(line) } catch {
                throw SyntaxError(line: place + 1, reason: error.reason)
            }
        }
        self = policy
    }

    private struct RuleError: Error { let reason: String }

    private mutating func addRule(_ line: Substring) throws(RuleError) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw RuleError(reason: "the line does not have the form NAME = VALUE") }
        let (name, value) = (parts[0].trimmed, String(parts[1].trimmed))
        switch name {
        case "minimum-tier":
            let tiers = CallerTier.allCases.filter { $0 != .unidentified }
            guard let tier = tiers.first(where: { $0.name == value }) else {
                throw RuleError(reason: "minimum-tier must be one of " + tiers.map(\.name).joined(separator: ", "))
            }
            minimumTier = max(minimumTier, tier)
        case "trusted-team":
            let letters = value.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x32...0x37).contains($0) }
            guard value.utf8.count == 26, letters else {
                throw RuleError(reason: "trusted-team must be an identifier of 26 letters A to Z and digits 2 to 7")
            }
            trustedTeams.insert(value)
        case "backups":
            guard value == "on" || value == "off" else { throw RuleError(reason: "backups must be on or off") }
            if value == "off" { allowsBackups = false }
        case "development":
            guard value == "on" || value == "off" else { throw RuleError(reason: "development must be on or off") }
            if value == "off" { allowsDevelopment = false }
        case "require-authorization":
            guard value == "on" || value == "off" else {
                throw RuleError(reason: "require-authorization must be on or off")
            }
            if value == "on" { requiresAuthorization = true }
        default:
            guard let setting = Setting.allCases.first(where: { $0.commandName == name }) else {
                throw RuleError(reason: "the rule is unknown")
            }
            guard let number = setting.number(value), setting.range.contains(number) else {
                throw RuleError(reason: "\(setting.commandName) must be \(setting.choices)")
            }
            settings.add(number, for: setting)
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank }) else {
            return self[startIndex..<startIndex]
        }
        return self[first...last]
    }
}

extension Character {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
