// SPDX-License-Identifier: Apache-2.0

public import DBusMessages

/// The path of a request of the portal, which names the connection that made the request:
/// `/org/freedesktop/portal/desktop/request/1_42/token` for `:1.42`.
public struct RequestHandle: Hashable, Sendable {
    /// The path below which all requests are.
    public static let parent: ObjectPath = "/org/freedesktop/portal/desktop/request"

    public let path: ObjectPath
    /// The unique name of the application's connection.
    public let client: BusName

    /// - Returns: nil for any other path, and for a connection that no message bus names like this.
    public init?(_ path: ObjectPath) {
        let prefix = Self.parent.rawValue + "/"
        guard path.rawValue.hasPrefix(prefix) else { return nil }
        // The sender and one or two elements that make the request unique.
        let elements = path.rawValue.dropFirst(prefix.count).split(separator: "/")
        // Message buses number their connections, so an underscore always stands for a dot.
        let numbers = elements[0].split(separator: "_", omittingEmptySubsequences: false)
        guard elements.count > 1, numbers.count > 1,
            numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) }),
            let client = BusName(rawValue: ":" + numbers.joined(separator: "."))
        else { return nil }
        self.path = path
        self.client = client
    }
}
