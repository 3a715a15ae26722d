// SPDX-License-Identifier: Apache-2.0

import Crypto
import FoundationEssentials
import Fuzzer
import KeychainModel

@testable import KeychainSealing

@main
enum FuzzStorage {
    static func main() { runFuzzer() }
}

/// What the service reads from files. The first byte chooses: a keybag, the attributes inside a sealed item, an access object
/// among those, a trusted application by itself, the header of a backup, its records, an item's key with its access control, or
/// a device key that a PIN guards. Checksums are right: who makes a file can make them, too.
///
/// A finding is told by ending the process: libFuzzer keeps the input that it ended with.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start.pointee & 7 {
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
    case 3:
        guard let application = try? TrustedApplication(encoded: input) else { return 0 }
        guard application.encoded == input else { finding("a trusted application has two encodings") }
    case 4:
        let header = input + SHA256.hash(data: input)
        guard let read = try? BackupHeader(decoding: header) else { return 0 }
        guard read.encoded == header else { finding("the header of a backup has two encodings") }
    case 5:
        guard let pieces = input.first else { return 0 }
        ForgedBackup(input.dropFirst()).check(pieces: Int(pieces) + 1)
    case 6:
        let column = ItemKeyColumn(Data(input))
        guard let access = column.access else {
            guard column.wrappedKey == Data(input) else { finding("an item's key lost bytes") }
            return 0
        }
        guard access.encoded + column.wrappedKey == input else { finding("an item's key has two encodings") }
    default:
        let file = input + SHA256.hash(data: input)
        guard let read = GuardedDeviceKey(file) else { return 0 }
        guard read.bytes == file else { finding("a guarded device key has two encodings") }
    }
    return 0
}
