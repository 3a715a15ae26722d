// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// The purpose of a derived key (RFC 7292, B.3).
enum PKCS12Purpose: UInt8 {
    case key = 1
    case initializationVector = 2
    case authentication = 3
}

/// Derives a key from a passphrase by PKCS #12's own scheme (RFC 7292, B.2). It is needed to authenticate whole files,
/// which still use it with modern hashes.
///
/// - Parameter passphrase: as in B.1: UTF-16 followed by a zero, or no bytes.
func pkcs12Key<Hash: HashFunction>(
    _: Hash.Type, passphrase: [UInt8], salt: [UInt8], repetitions: Int, purpose: PKCS12Purpose, byteCount: Int
) -> [UInt8] {
    let block = Hash.blockByteCount
    let diversifier = Array(repeating: purpose.rawValue, count: block)
    var input = filled(salt, block) + filled(passphrase, block)
    defer { input.wipe() }
    var output: [UInt8] = []
    while true {
        var digest = digest(Hash.self, diversifier + input)
        for _ in 1..<max(repetitions, 1) { digest = Hash.hash(data: Array(digest)) }
        output += digest
        if output.count >= byteCount { return Array(output.prefix(byteCount)) }
        // Each block of the input is increased by the repeated digest plus one.
        let addend = filled(Array(digest), block)
        for start in stride(from: 0, to: input.count, by: block) {
            var carry = 1
            for place in (0..<block).reversed() {
                carry += Int(input[start + place]) + Int(addend[place])
                input[start + place] = UInt8(carry & 0xFF)
                carry >>= 8
            }
        }
    }
}

private func digest<Hash: HashFunction>(_: Hash.Type, _ bytes: [UInt8]) -> Hash.Digest { Hash.hash(data: bytes) }

/// Repeats bytes to a whole number of blocks; no bytes give no bytes.
private func filled(_ bytes: [UInt8], _ block: Int) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    let count = (bytes.count + block - 1) / block * block
    return (0..<count).map { bytes[$0 % bytes.count] }
}
