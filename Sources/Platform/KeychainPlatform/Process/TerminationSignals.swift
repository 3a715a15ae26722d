// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import KeychainEndpoint

/// SIGTERM and SIGINT as a descriptor to poll, instead of a handler that interrupts the program at any point.
public final class TerminationSignals: Sendable {
    private let signals: OwnedDescriptor

    /// Blocks the signals in the calling thread and those started later. Call before threads exist; otherwise another
    /// thread gets the signal and the process ends.
    public init() throws(SystemCallError) {
        let numbers = [SIGTERM, SIGINT]
        // The shim reads exactly the given number of signals.
        signals = try OwnedDescriptor(unsafe ckp_signalfd(numbers, numbers.count), from: "signalfd")
    }

    /// Readable when a signal has arrived.
    public var descriptor: Int32 { signals.number }

    /// Returns the signal that has arrived, or nil; does not wait.
    public func next() -> Int32? {
        let number = ckp_signalfd_read(signals.number)
        return number > 0 ? number : nil
    }
}
