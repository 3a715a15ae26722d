// SPDX-License-Identifier: Apache-2.0

/// The identifier of this installation of a system (machine-id(5)).
public enum MachineIdentity {
    /// 32 hexadecimal digits; nil if there are none, as in some containers.
    public static var current: [UInt8]? {
        guard let bytes = SmallFile.bytes(at: "/etc/machine-id") else { return nil }
        let digits = Array(bytes.prefix { $0 != 0x0A })
        return digits.count == 32 ? digits : nil
    }
}
