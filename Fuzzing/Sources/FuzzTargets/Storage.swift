// SPDX-License-Identifier: Apache-2.0

import Crypto
import FoundationEssentials
import KeychainModel

@testable import KeychainSealing

/// Fuzzes the files of the service. The first byte selects the kind: a keybag, the attributes inside a sealed item, an
/// access object among those, a trusted application, the header of a backup, its records, an item's key with its access
/// control, or a device key that is protected by a PIN. Checksums are valid, because an attacker who writes a file can
/// compute them.
///
/// A finding is reported by ending the process, because libFuzzer keeps the input of that run.
func fuzzStorage(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let input = Array(bytes.dropFirst())
    switch first & 7 {
    case 0:
        guard let keybag = try? Keybag(decoding: input) else { return }
        guard Array(keybag.encoded) == input else { finding("a keybag has two encodings") }
    case 1:
        guard let attributes = try? AttributeEncoding.decode(input, .genericPassword) else { return }
        guard Array(AttributeEncoding.encode(attributes)) == input else {
            finding("attributes have two encodings")
        }
        guard case .data(let bytes)? = attributes[.lookup] else { return }
        guard let lookup = attributes.lookupAttributes, lookup.encoded == bytes,
            (try? LookupAttributes(lookup.pairs)) == lookup, lookup.contains(lookup)
        else { finding("lookup attributes have two encodings") }
    case 2:
        guard let access = try? AccessObject(encoded: input) else { return }
        guard access.encoded == input else { finding("an access object has two encodings") }
    case 3:
        guard let application = try? TrustedApplication(encoded: input) else { return }
        guard application.encoded == input else { finding("a trusted application has two encodings") }
    case 4:
        let header = input + SHA256.hash(data: input)
        guard let read = try? BackupHeader(decoding: header) else { return }
        guard read.encoded == header else { finding("the header of a backup has two encodings") }
    case 5:
        guard let pieces = input.first else { return }
        ForgedBackup(input.dropFirst()).verify(pieces: Int(pieces) + 1)
    case 6:
        let column = ItemKeyColumn(Data(input))
        guard let access = column.access else {
            guard column.wrappedKey == Data(input) else { finding("an item's key lost bytes") }
            return
        }
        guard access.encoded + column.wrappedKey == input else { finding("an item's key has two encodings") }
    default:
        let file = input + SHA256.hash(data: input)
        guard let read = GuardedDeviceKey(file) else { return }
        guard read.bytes == file else { finding("a guarded device key has two encodings") }
    }
}
