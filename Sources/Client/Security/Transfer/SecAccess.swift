// SPDX-License-Identifier: Apache-2.0

public import CFTypes

/// Who may use an item of a file-based keychain. There are none: nothing makes one, and what takes one is given nil.
public final class SecAccess: Hashable, Sendable, CFTypeIdentified {
    private init() {}

    public static var cfTypeID: CFTypeID { 262 }

    public static func == (left: SecAccess, right: SecAccess) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
