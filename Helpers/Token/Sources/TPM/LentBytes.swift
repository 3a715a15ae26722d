// SPDX-License-Identifier: Apache-2.0

internal import Crypto

extension SharedSecret {
    /// swift-crypto gives access to the bytes through a pointer, which is used only while it is valid.
    var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
