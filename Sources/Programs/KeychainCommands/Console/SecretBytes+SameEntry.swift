// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

extension SecretBytes {
    /// Whether two entries of a password are the same. Only for what the same person has just typed twice.
    func isSameEntry(as other: SecretBytes) -> Bool {
        bytes.elementsEqual(other.bytes)
    }
}
