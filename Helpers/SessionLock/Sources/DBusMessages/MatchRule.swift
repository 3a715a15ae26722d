// SPDX-License-Identifier: Apache-2.0

/// Which signals the bus is to send: those that agree with all that is said.
public struct MatchRule: Hashable, Sendable {
    public var sender: BusName?
    public var path: ObjectPath?
    public var interface: InterfaceName?
    public var member: MemberName?
    /// What the first argument must be, a text.
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

    /// The rule as the bus wants it (D-Bus Specification, "Match Rules").
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

    /// Between apostrophes everything stands for itself but the apostrophe, which is written outside, behind a backslash.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
