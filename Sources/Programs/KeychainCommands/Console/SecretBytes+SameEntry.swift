// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

extension SecretBytes {
    /// Returns whether two entries of a password are equal. Use it only for secrets of one user who may see both: a
    /// password typed twice, or a password in a file and the user's own stored one. The time depends on the length of
    /// the equal part.
    func isSameEntry(as other: SecretBytes) -> Bool {
        bytes.elementsEqual(other.bytes)
    }
}
