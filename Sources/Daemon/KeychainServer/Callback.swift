// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A function that one thread sets and others call; before it is set, a call does nothing.
struct Callback<Input>: ~Copyable, Sendable {
    /// In a structure, because a `Mutex` of a function wraps the function once more at each access: after some ten
    /// thousand accesses a call needs more stack than a thread has.
    private struct Body: Sendable {
        var call: (@Sendable (Input) -> Void)?
    }

    private let body = Mutex(Body())

    func set(_ call: @escaping @Sendable (Input) -> Void) { body.withLock { $0.call = call } }

    func callAsFunction(_ input: Input) { body.withLock(\.self).call?(input) }
}

extension Callback<Void> {
    func callAsFunction() { self(()) }
}
