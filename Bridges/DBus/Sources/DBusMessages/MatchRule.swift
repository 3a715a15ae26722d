// SPDX-License-Identifier: Apache-2.0

/// A filter for the signals that the bus sends; a signal must match all of its conditions.
public struct MatchRule: Hashable, Sendable {
    public var sender: BusName?
    public var path: ObjectPath?
    public var interface: InterfaceName?
    public var member: MemberName?
    /// The required first argument, a text.
    public var firstArgument: String?

    public init(
        sender: BusName? = nil, path: ObjectPath? = nil, interface: InterfaceName? = nil, member: MemberName? = nil,
        firstArgument: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.firstArgument = firstArgument
    }

    /// The rule in the syntax of the bus (D-Bus Specification, "Match Rules").
    public var text: String {
        var parts = ["type='signal'"]
        // Names contain no quotes.
        if let sender { parts.append("sender='\(sender)'") }
        if let path { parts.append("path='\(path)'") }
        if let interface { parts.append("interface='\(interface)'") }
        if let member { parts.append("member='\(member)'") }
        if let firstArgument { parts.append("arg0=\(Self.quoted(firstArgument))") }
        return parts.joined(separator: ",")
    }

    /// Between apostrophes all characters are literal. An apostrophe itself is written outside of them, after a
    /// backslash.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
