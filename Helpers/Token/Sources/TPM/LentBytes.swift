// SPDX-License-Identifier: Apache-2.0

internal import Crypto

extension SharedSecret {
    /// swift-crypto lends them as a pointer, which is used while it is lent.
    var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
