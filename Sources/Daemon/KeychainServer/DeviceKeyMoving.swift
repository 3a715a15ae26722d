// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSealing
internal import SecretMemory

/// Where a keychain's device key is, and moving it.
public struct DeviceKeyMoving: Sendable {
    /// What is in the device key's file.
    struct State {
        var place: DeviceKeyPlace
        /// Nil where it has no PIN.
        var pin: TokenReport.PIN?
    }

    let state: @Sendable () throws(Refusal) -> State
    let move: @Sendable (DeviceKeyMove<SecretBytes>, () throws(Refusal) -> ScryptCost) throws(Refusal) -> Void

    /// - Parameter move: moves it all at once or not at all; nothing where it is there already. Is given what a new PIN is stretched
    ///   with, where there is one.
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

    /// For a keychain whose device key is in no file.
    public static let impossible = DeviceKeyMoving {
        State(place: .file)
    } move: { _, _ throws(Refusal) in
        throw Refusal(.unimplemented, .notSupportedYet)
    }
}
