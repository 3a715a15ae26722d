// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy

/// Finds the keychain that a connection is about.
public struct KeychainSource: Sendable {
    /// The keychain of a caller who has just connected. Throws why there is none; the caller is told.
    let begin: @Sendable (Caller) throws(Refusal) -> KeychainEntrance
    /// The connection of a caller whom ``begin`` gave a keychain is gone.
    let end: @Sendable (Caller) -> Void

    init(
        begin: @escaping @Sendable (Caller) throws(Refusal) -> KeychainEntrance,
        end: @escaping @Sendable (Caller) -> Void
    ) {
        self.begin = begin
        self.end = end
    }

    /// Everybody's connection is about this one.
    public static func one(_ pipeline: Pipeline) -> KeychainSource {
        KeychainSource(begin: { _ in .open(pipeline) }, end: { _ in })
    }
}
