// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSealing
internal import SecretMemory

/// The place of a keychain's device key, and the operation that moves it.
public struct DeviceKeyMoving: Sendable {
    /// The state of the device key's file.
    struct State {
        var place: DeviceKeyLocation
        /// The state of its PIN; nil without a PIN.
        var pin: TokenReport.PIN?
    }

    let state: @Sendable () throws(Refusal) -> State
    let move: @Sendable (DeviceKeyMove<SecretBytes>, () throws(Refusal) -> ScryptCost) throws(Refusal) -> Void

    /// Creates the operation.
    ///
    /// - Parameter move: moves the key atomically; does nothing if the key is already at the new place. Receives the
    ///   cost of stretching a new PIN, if there is one.
    init(
        state: @escaping @Sendable () throws(Refusal) -> State,
        move:
            @escaping @Sendable (
                DeviceKeyMove<SecretBytes>, () throws(Refusal) -> ScryptCost
            ) throws(Refusal) -> Void
    ) {
        self.state = state
        self.move = move
    }

    /// For a keychain whose device key is not in a file.
    public static let impossible = DeviceKeyMoving {
        State(place: .file)
    } move: { _, _ throws(Refusal) in
        throw Refusal(.unimplemented, .notSupportedYet)
    }
}
