// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import DBusMessages
internal import Synchronization

/// The prompts of all clients, bounded: a prompt keeps the operation that it repeats, and a client need not start it.
final class PromptSupply: Sendable {
    /// The bounds of all clients together.
    enum Limits {
        static let prompts = 512
        /// Enough for the largest item that one message can contain.
        static let bytes = 32 << 20
    }

    /// The share of one prompt. It ends when neither the client nor a running operation keeps it.
    final class Share: Sendable {
        private let supply: PromptSupply
        private let byteCount: Int

        fileprivate init(_ supply: PromptSupply, _ byteCount: Int) {
            self.supply = supply
            self.byteCount = byteCount
        }

        deinit {
            supply.taken.withLock { taken in
                taken.count -= 1
                taken.bytes -= byteCount
            }
        }
    }

    private let taken = Mutex((count: 0, bytes: 0))

    /// Takes a share. Throws `LimitsExceeded`.
    ///
    /// - Parameter byteCount: the bytes of the client's arguments that the prompt keeps.
    func share(_ byteCount: Int) throws(MethodError) -> Share {
        try taken.withLock { taken throws(MethodError) in
            guard taken.count < Limits.prompts, byteCount <= Limits.bytes - taken.bytes else {
                throw .limitsExceeded(
                    "All clients together have at most \(Limits.prompts) prompts, with \(Limits.bytes) bytes, that have "
                        + "not ended. Start or dismiss prompts first.")
            }
            taken.count += 1
            taken.bytes += byteCount
        }
        return Share(self, byteCount)
    }
}
