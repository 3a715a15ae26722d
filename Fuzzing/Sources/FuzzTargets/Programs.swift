// SPDX-License-Identifier: Apache-2.0

import KeychainCodeSigning

/// Decodes files of callers' programs. The first byte selects: a signature, or an ELF file.
func fuzzPrograms(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let input = Array(bytes.dropFirst())
    if first & 1 == 0 {
        if let signature = try? CodeSignature(input), signature.encoded != input {
            finding("a signature has two encodings")
        }
        return
    }
    let read: ELFFile.Reading = { offset, count throws(ELFError) in
        // The largest allowed read: a larger one means that a size was used without a check.
        guard count <= 1 << 20 else { finding("\(count) bytes at once") }
        guard offset <= UInt64(input.count) else { return [] }
        return Array(input[Int(offset)...].prefix(count))
    }
    guard let file = try? ELFFile(size: UInt64(input.count), read: read) else { return }
    if let range = file.signatureRange { check(range.upperBound <= UInt64(input.count), "a range outside the file") }
    if let base = try? file.beforeSigning(read: read) {
        check(base.size < file.size, "nothing was before the signature")
    }
    if let edit = try? file.addingSignature(byteCount: 200, read: read) {
        let signed = apply(edit, to: input)
        let again: ELFFile.Reading = { offset, count throws(ELFError) in
            offset <= UInt64(signed.count) ? Array(signed[Int(offset)...].prefix(count)) : []
        }
        guard let result = try? ELFFile(size: UInt64(signed.count), read: again) else {
            finding("a program that is signed cannot be read")
        }
        check(result.signatureRange == edit.signatureRange, "the signature is elsewhere")
    }
    if let edit = try? file.removingSignature(read: read) { _ = apply(edit, to: input) }
}

private func apply(_ edit: ELFEdit, to bytes: [UInt8]) -> [UInt8] {
    var result = Array(bytes.prefix(Int(edit.keptByteCount)))
    for patch in edit.patches {
        result.replaceSubrange(Int(patch.offset)..<Int(patch.offset) + patch.bytes.count, with: patch.bytes)
    }
    return result + edit.tail
}
