// SPDX-License-Identifier: Apache-2.0

/// The address of a bus: a Unix socket (D-Bus Specification, "Server Addresses").
public enum ServerAddress: Hashable, Sendable {
    case path(String)
    /// An abstract name (unix(7)), without the leading zero that the kernel adds.
    case abstract(String)

    public struct Malformed: Error, Hashable, Sendable {
        public init() {}
    }

    /// The default address of the system bus.
    public static let systemBus = [ServerAddress.path("/run/dbus/system_bus_socket")]

    /// Returns the addresses of a list such as `unix:path=/run/dbus/system_bus_socket`, in the order to try them.
    /// Addresses of other kinds (`tcp:`, `autolaunch:` …) are left out.
    ///
    /// Throws ``Malformed``, also if no address is left.
    public static func list(_ text: String) throws(Malformed) -> [ServerAddress] {
        var addresses: [ServerAddress] = []
        for entry in text.split(separator: ";") {
            guard let colon = entry.firstIndex(of: ":") else { throw Malformed() }
            var options: [Substring: String] = [:]
            for option in entry[entry.index(after: colon)...].split(separator: ",") {
                guard let equals = option.firstIndex(of: "=") else { throw Malformed() }
                options[option[..<equals]] = try unescaped(option[option.index(after: equals)...])
            }
            guard entry[..<colon] == "unix" else { continue }
            switch (options["path"], options["abstract"]) {
            case (let path?, nil): addresses.append(.path(path))
            case (nil, let name?): addresses.append(.abstract(name))
            // unix:runtime=yes and unix:tmpdir= are for servers.
            default: continue
            }
        }
        guard !addresses.isEmpty else { throw Malformed() }
        return addresses
    }

    /// `%` and two hexadecimal digits stand for a byte.
    private static func unescaped(_ text: Substring) throws(Malformed) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal)
            else { throw Malformed() }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { throw Malformed() }
        return text
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8? {
        Character(Unicode.Scalar(digit)).hexDigitValue.flatMap { UInt8(exactly: $0) }
    }
}
