// SPDX-License-Identifier: Apache-2.0

public import CFTypes

/// A file-based keychain. There are none: nothing makes one, and functions that take one are given nil.
public final class SecKeychain: Hashable, Sendable, CFTypeIdentified {
    private init() {}

    public static var cfTypeID: CFTypeID { 261 }

    public static func == (left: SecKeychain, right: SecKeychain) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
