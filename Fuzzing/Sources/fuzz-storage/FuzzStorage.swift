// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fuzzer
import KeychainModel

@testable import KeychainSealing

@main
enum FuzzStorage {
    static func main() { runFuzzer() }
}

/// What the service reads from its own files. The first byte chooses: a keybag, or the attributes inside a sealed item.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    do throws(SealingError) {
        if start.pointee & 1 == 0 {
            let keybag = try Keybag(decoding: input)
            guard Array(keybag.encoded) == input else { fatalError("a keybag has two encodings") }
        } else {
            let attributes = try AttributeEncoding.decode(input, .genericPassword)
            guard Array(AttributeEncoding.encode(attributes)) == input else {
                fatalError("attributes have two encodings")
            }
        }
    } catch {
        return 0
    }
    return 0
}
