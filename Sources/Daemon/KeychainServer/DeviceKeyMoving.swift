// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Where a keychain's device key is, and moving it.
public struct DeviceKeyMoving: Sendable {
    let place: @Sendable () throws(Refusal) -> DeviceKeyPlace
    let move: @Sendable (DeviceKeyPlace) throws(Refusal) -> Void

    /// - Parameter move: moves it all at once or not at all; nothing where it is there already.
    public init(
        place: @escaping @Sendable () throws(Refusal) -> DeviceKeyPlace,
        move: @escaping @Sendable (DeviceKeyPlace) throws(Refusal) -> Void
    ) {
        self.place = place
        self.move = move
    }

    /// For a keychain whose device key is in no file.
    public static let impossible = DeviceKeyMoving {
        .file
    } move: { _ throws(Refusal) in
        throw Refusal(.unimplemented, .notSupportedYet)
    }
}
