// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainWire

/// Decodes the input of the service: frames in pieces, and the requests in them.
func fuzzRequests(_ input: [UInt8]) {
    // The nonce is taken from the input, because otherwise no input could reach the code after its check.
    let nonce = Array(input.dropFirst(FrameHeader.size).prefix(WireLimits.nonceBytes))
    guard let first = request(input, nonce) else { return }
    let written = first.frame(nonce: nonce)
    guard let again = request(written, nonce) else { finding("what was written cannot be read") }
    guard again.frame(nonce: nonce) == written else { finding("what was written reads as something else") }
}

private func request(_ bytes: [UInt8], _ nonce: [UInt8]) -> Request<[UInt8]>? {
    var reader = FrameReader()
    do throws(WireError) {
        // In two pieces, as a socket may deliver them.
        try reader.receive(bytes.prefix(bytes.count / 2))
        try reader.receive(bytes.dropFirst(bytes.count / 2))
        return try Request(try reader.frame(), nonce: nonce) { Array($0) }
    } catch {
        return nil
    }
}
