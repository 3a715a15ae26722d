// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import Security
import TestSupport
import Testing

private let names: [String] = [
    "class", "acct", "svce", "gena", "labl", "desc", "icmt", "crtr", "type", "invi", "nega", "agrp", "pdmn", "accc",
    "sync",
    "cdat", "mdat", "clip", "tomb", "musr", "lkup", "tkid", "srvr", "nleg", "v_Data", "v_Ref", "v_PersistentRef",
    "r_Data",
    "r_Attributes", "r_Ref", "r_PersistentRef", "m_Limit", "m_Policy", "m_CaseInsensitive", "m_ValidOnDate", "u_AuthUI",
    "u_AuthCtx", "u_OpPrompt", "u_ItemList", "f", "", "x", "unknown", "\u{1F511}\u{1F511}", "\u{E9}cole", "a\u{0}bc",
]

private func randomKey(_ generator: inout SeededGenerator) -> AnyHashable {
    let name = names.randomElement(using: &generator)!
    switch Int.random(in: 0..<24, using: &generator) {
    case 0: return Int.random(in: 0..<9, using: &generator)
    // Always the same object: two equal nulls differ in their hash, and Foundation traps on such keys by itself.
    case 1: return kCFNull
    case 2: return Data(name.utf8)
    case 3...12: return name as NSString
    default: return name
    }
}

private func randomValue(_ generator: inout SeededGenerator, depth: Int = 0) -> Any {
    switch Int.random(in: 0..<24, using: &generator) {
    case 0...5:
        return ["genp", "inet", "ak", "akpu", "m_LimitAll", "syna", "u_AuthUIS", "joe"].randomElement(
            using: &generator)!
    case 6: return (names.randomElement(using: &generator)! as NSString)
    case 7, 8: return Bool.random(using: &generator)
    case 9: return Int64.random(in: .min ... .max, using: &generator)
    case 10: return UInt64.random(in: .min ... .max, using: &generator)
    case 11: return Double(bitPattern: UInt64.random(in: .min ... .max, using: &generator))
    case 12: return NSNumber(value: Int8.random(in: -1...2, using: &generator))
    case 13, 14: return Data((0..<Int.random(in: 0..<24, using: &generator)).map { UInt8($0) })
    case 15: return Data(PersistentReference.example.bytes)
    case 16: return Date(timeIntervalSinceReferenceDate: Double(bitPattern: generator.next()))
    case 17: return NSNull()
    case 18: return UUID()
    case 19: return Int?.none as Any
    case 20: return SecAccessControlCreateWithFlags(nil, "ak" as CFString, [], nil)!
    case 21: return Decimal(Int.random(in: -9..<9, using: &generator)) / 7
    case 22 where depth < 3: return [randomValue(&generator, depth: depth + 1)]
    case 23 where depth < 3: return ["k": randomValue(&generator, depth: depth + 1)]
    default: return NSObject()
    }
}

private func randomDictionary(_ generator: inout SeededGenerator) -> CFDictionary {
    let dictionary = NSMutableDictionary()
    if Int.random(in: 0..<4, using: &generator) > 0 { dictionary[kSecClass] = "genp" }
    for _ in 0..<Int.random(in: 0..<6, using: &generator) {
        dictionary[randomKey(&generator)] = randomValue(&generator)
    }
    return dictionary
}

@Suite struct `Any dictionary at all` {
    private static let possible: Set<OSStatus> = [
        errSecSuccess, errSecParam, errSecNoSuchAttr, errSecNoSuchClass, errSecUnimplemented, errSecMissingEntitlement,
        // Of a call for keychain files: the service of this test knows none.
        errSecNotAvailable,
    ]

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `gets a status and never a trap`(seed: UInt64) {
        var generator = SeededGenerator(searchFrom: seed)
        let service = RecordingService(.items([ReturnedItem(reference: .example, attributes: nil, secret: [1])]))
        var successes = 0
        service.run {
            for _ in 0..<(isLong ? 1500 : 300) {
                let first = randomDictionary(&generator)
                let second = randomDictionary(&generator)
                var result: CFTypeRef?
                let statuses = [
                    SecItemAdd(first, &result), SecItemCopyMatching(first, &result), SecItemUpdate(first, second),
                    SecItemDelete(first),
                ]
                for status in statuses where !Self.possible.contains(status) {
                    Issue.record("status \(status) for \(first) and \(second)")
                }
                successes += statuses.count { $0 == errSecSuccess }
                // The same dictionary, the same status.
                #expect(SecItemDelete(first.copy() as! CFDictionary) == statuses[3])
            }
        }
        // Random dictionaries that were all refused would try little.
        #expect(successes > (isLong ? 300 : 60))
    }
}

/// Whether the tests may take long: `make test-all` sets CHATELAINE_LONG to 1.
private let isLong = ProcessInfo.processInfo.environment["CHATELAINE_LONG"] == "1"
