// SPDX-License-Identifier: Apache-2.0

internal import Crypto

extension Certificate {
    /// SHA-256 over ``encoded``: 32 bytes.
    public var sha256Fingerprint: [UInt8] { Array(SHA256.hash(data: encoded)) }

    /// SHA-1 over ``encoded``: 20 bytes. An identifier for display and old programs; it protects nothing.
    public var sha1Fingerprint: [UInt8] { Array(Insecure.SHA1.hash(data: encoded)) }
}
