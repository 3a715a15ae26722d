// SPDX-License-Identifier: Apache-2.0

public import DBusMessages
internal import Glibc

extension ServerAddress {
    /// Returns the addresses of the session bus of this process: those of DBUS_SESSION_BUS_ADDRESS, otherwise the socket
    /// `bus` in XDG_RUNTIME_DIR.
    ///
    /// Throws ``ServerAddress/Malformed`` if neither variable has a usable value. It reads the environment, which no
    /// other thread may change meanwhile.
    public static func sessionBus() throws(Malformed) -> [ServerAddress] {
        // The texts are copied at once.
        if let value = unsafe getenv("DBUS_SESSION_BUS_ADDRESS") { return try list(unsafe String(cString: value)) }
        guard let value = unsafe getenv("XDG_RUNTIME_DIR") else { throw Malformed() }
        return [.path(unsafe String(cString: value) + "/bus")]
    }
}
