// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file descriptor that is closed with the last reference.
public final class Descriptor: Sendable {
    public let number: Int32

    /// Takes ownership of a descriptor that no other code closes.
    public init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }
}
