// SPDX-License-Identifier: Apache-2.0

/// A filter for the signals that the bus sends; a signal must match all of its conditions.
public struct MatchRule: Hashable, Sendable {
    public var sender: BusName?
    public var path: ObjectPath?
    public var interface: InterfaceName?
    public var member: MemberName?
    /// Required arguments, which are texts, by their indices from 0 to 63.
    public var arguments: [Int: String]

    /// Creates a rule. A condition that is nil holds for every signal.
    ///
    /// - Parameters:
    ///   - sender: the connection that sends the signal.
    ///   - path: the object that sends the signal.
    ///   - interface: the interface that declares the signal.
    ///   - member: the name of the signal.
    ///   - firstArgument: the same as the argument with the index 0.
    ///   - arguments: required arguments by their indices.
    public init(
        sender: BusName? = nil, path: ObjectPath? = nil, interface: InterfaceName? = nil, member: MemberName? = nil,
        firstArgument: String? = nil, arguments: [Int: String] = [:]
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
        if let firstArgument { self.arguments[0] = firstArgument }
    }

    /// The rule in the syntax of the bus (D-Bus Specification, "Match Rules").
    public var text: String {
        var parts = ["type='signal'"]
        // Names contain no quotes.
        if let sender { parts.append("sender='\(sender)'") }
        if let path { parts.append("path='\(path)'") }
        if let interface { parts.append("interface='\(interface)'") }
        if let member { parts.append("member='\(member)'") }
        for (index, text) in arguments.sorted(by: { $0.key < $1.key }) {
            parts.append("arg\(index)=\(Self.quoted(text))")
        }
        return parts.joined(separator: ",")
    }

    /// Between apostrophes all characters are literal. An apostrophe itself is written outside of them, after a
    /// backslash.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
