// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fuzzer
import KeychainModel

@testable import KeychainSealing

@main
enum FuzzStorage {
    static func main() { runFuzzer() }
}

/// What the service reads from its own files. The first byte chooses: a keybag, the attributes inside a sealed item, an access object
/// among those, or a trusted application by itself.
///
/// A finding is told by ending the process: libFuzzer keeps the input that it ended with.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start.pointee & 3 {
    case 0:
        guard let keybag = try? Keybag(decoding: input) else { return 0 }
        guard Array(keybag.encoded) == input else { finding("a keybag has two encodings") }
    case 1:
        guard let attributes = try? AttributeEncoding.decode(input, .genericPassword) else { return 0 }
        guard Array(AttributeEncoding.encode(attributes)) == input else {
            finding("attributes have two encodings")
        }
    case 2:
        guard let access = try? AccessObject(encoded: input) else { return 0 }
        guard access.encoded == input else { finding("an access object has two encodings") }
    default:
        guard let application = try? TrustedApplication(encoded: input) else { return 0 }
        guard application.encoded == input else { finding("a trusted application has two encodings") }
    }
    return 0
}
