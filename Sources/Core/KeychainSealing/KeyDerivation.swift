// SPDX-License-Identifier: Apache-2.0

import Crypto
import FoundationEssentials
import KeychainModel

/// The keys that are derived rather than stored: those that wrap other keys.
struct KeyDerivation {
    let identifier: [UInt8]
    let salt: [UInt8]
    let deviceKey: DeviceKey

    /// Derives the key that wraps the keybag key.
    ///
    /// - Parameters:
    ///   - material: the protector's secret, stretched if the user chooses it; empty for the device key alone. Its size
    ///     follows from the kind.
    ///   - head: the protector's entry up to the wrapped key, so that a change of any byte is detected.
    func protectorKey(_ kind: ProtectorKind, material: Data, head: [UInt8]) -> SymmetricKey {
        derive(SealingConstants.protectorLabel, kind.rawValue, material, withDevice: true, context: head)
    }

    /// Derives the key that wraps the index key. It needs only the device key, because rows are found and deleted while
    /// the keychain is locked.
    func indexWrappingKey() -> SymmetricKey {
        derive(SealingConstants.indexLabel, 0, Data(), withDevice: true)
    }

    /// Derives the key that wraps a class key. Its material decides when the class can be read and whether it can leave
    /// the device.
    ///
    /// - Parameter keybagKey: nil is enough for ``Accessibility/needsOnlyDevice``.
    func classWrappingKey(_ accessibility: Accessibility, _ keybagKey: KeybagKey?) throws(SealingError) -> SymmetricKey
    {
        if accessibility.needsOnlyDevice {
            return derive(SealingConstants.classLabel, accessibility.rawValue, Data(), withDevice: true)
        }
        guard let keybagKey else { throw .keyNotAvailable(accessibility) }
        var material = keybagKey.key.copyBytes()
        defer { material.wipe() }
        return derive(
            SealingConstants.classLabel, accessibility.rawValue, material, withDevice: accessibility.isThisDeviceOnly)
    }

    /// Derives a key: HKDF-SHA256 of material ‖ device key, as far as they are required. The size of each follows from
    /// label and number, so no two inputs can be confused.
    private func derive(
        _ label: String, _ number: UInt8, _ material: Data, withDevice: Bool, context: [UInt8] = []
    ) -> SymmetricKey {
        var input = Data(capacity: 2 * SealingConstants.keySize)
        defer { input.wipe() }
        input.append(material)
        if withDevice {
            // Copied inside the closure only; wiped on return.
            unsafe deviceKey.key.withBytes { unsafe input.append(contentsOf: $0) }
        }
        return unsafe input.withUnsafeBytes { bytes in
            unsafe HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes), salt: salt,
                info: Array(label.utf8) + [number] + identifier + context, outputByteCount: SealingConstants.keySize)
        }
    }
}

extension Accessibility {
    /// Whether the class key needs only the device key, so that it is available in every lock state.
    var needsOnlyDevice: Bool { self == .always || self == .alwaysThisDeviceOnly }
}

/// The key that protectors wrap and that wraps class keys. It exists only while an unlock or a change takes place;
/// swift-crypto wipes it with the last reference.
public struct KeybagKey: Sendable {
    let key: SymmetricKey
}

extension KeybagKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "KeybagKey(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
