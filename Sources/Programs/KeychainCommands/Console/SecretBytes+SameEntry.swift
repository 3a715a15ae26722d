// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

extension SecretBytes {
    /// Whether two entries of a password are the same. Only for what one person gives and may see: a password typed twice,
    /// or one in a file beside their own stored one. It takes the longer the more of them is equal.
    func isSameEntry(as other: SecretBytes) -> Bool {
        bytes.elementsEqual(other.bytes)
    }
}
