// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import Security

/// An input as a series of choices. After its end, each choice is the first one.
struct Material {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func bytes(atMost limit: Int) -> [UInt8] {
        let count = Int(byte()) % (limit + 1)
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func text() -> String { String(decoding: bytes(atMost: 20), as: UTF8.self) }

    mutating func number() -> UInt64 { bytes(atMost: 8).reduce(0) { $0 << 8 | UInt64($1) } }

    mutating func choice<Element>(of elements: [Element]) -> Element { elements[Int(byte()) % elements.count] }
}

/// The names of Apple's keys that this platform supports, and some that it does not support.
private let keys: [String] = [
    "class", "acct", "svce", "gena", "labl", "desc", "icmt", "crtr", "type", "invi", "nega", "prot", "agrp", "pdmn",
    "accc",
    "acls", "sync", "cdat", "mdat", "clip", "tomb", "musr", "tkid", "vwht", "persistref", "srvr", "sdmn", "ptcl",
    "atyp",
    "port", "path", "subj", "issr", "slnr", "skid", "pkhh", "ctyp", "cenc", "kcls", "klbl", "perm", "sens", "extr",
    "asen",
    "next", "atag", "bsiz", "esiz", "encr", "decr", "drve", "sign", "vrfy", "wrap", "unwp", "snrc", "vyrc", "nleg",
    "v_Data",
    "v_Ref", "v_PersistentRef", "r_Data", "r_Attributes", "r_Ref", "r_PersistentRef", "m_Limit", "m_Policy",
    "m_ItemList",
    "m_SearchList", "m_Issuers", "m_EmailAddressIfPresent", "m_SubjectContains", "m_SubjectStartsWith",
    "m_SubjectEndsWith",
    "m_SubjectWholeString", "m_HostOrSubdomainOfHost", "m_CaseInsensitive", "m_DiacriticInsensitive",
    "m_WidthInsensitive",
    "m_TrustedOnly", "m_ValidOnDate", "u_AuthUI", "u_NoAuthUI", "u_AuthCtx", "u_OpPrompt", "u_ItemList", "u_Keychain",
    "f",
    "", "x", "\u{1F511}\u{1F511}", "a\u{0}bc",
]

private let texts: [String] = [
    "genp", "inet", "cert", "keys", "idnt", "m_LimitAll", "m_LimitOne", "syna", "u_AuthUIA", "u_AuthUIF", "u_AuthUIS",
    "ak",
    "akpu", "dk", "ck", "https", "htps", "form", "dflt", "0", "1", "2", "42", "73", "com.apple.token",
    "com.apple.setoken",
    "a.example", "joe", "",
]

extension Material {
    mutating func key() -> AnyHashable {
        let kind = byte()
        switch kind {
        case 0..<180: return choice(of: keys)
        case 180..<220: return choice(of: keys) as NSString
        case 220..<244: return text()
        case 244..<248: return Int(byte())
        case 248..<252: return Data(bytes(atMost: 8))
        // Always the same object: two equal nulls differ in their hash, and Foundation traps on such keys by itself.
        default: return kCFNull
        }
    }

    mutating func value(depth: Int = 0) -> Any {
        switch byte() % 32 {
        case 0...5: return choice(of: texts)
        case 6: return choice(of: texts) as NSString
        case 7, 8: return text()
        case 9: return true
        case 10: return false
        case 11: return NSNumber(value: byte() & 1 == 1)
        case 12: return Int64(bitPattern: number())
        case 13: return number()
        case 14: return Double(bitPattern: number())
        case 15: return NSNumber(value: Int8(bitPattern: byte()))
        case 16: return Float(bitPattern: UInt32(truncatingIfNeeded: number()))
        case 17: return Data(bytes(atMost: 32))
        case 18: return NSMutableData(data: Data(bytes(atMost: 32)))
        case 19: return reference()
        case 20: return Date(timeIntervalSinceReferenceDate: Double(bitPattern: number()))
        case 21: return NSNull()
        case 22: return UUID()
        case 23: return Int?.none as Any
        case 24: return accessControl()
        case 25: return Decimal(Int8(bitPattern: byte())) / 7
        case 26: return SecPolicyCreateBasicX509()
        case 27: return SecCertificateCreateWithData(nil, Data(bytes(atMost: 255)) as CFData) ?? NSNull()
        case 28: return URL(fileURLWithPath: "/" + text().filter { $0 != "\0" })
        case 29 where depth < 3: return (0..<Int(byte() % 4)).map { _ in value(depth: depth + 1) }
        case 30 where depth < 3: return dictionary(depth: depth + 1)
        case 31 where depth < 3: return NSSet(array: [choice(of: texts)])
        default: return NSObject()
        }
    }

    /// Returns the bytes of a persistent reference, possibly with an error.
    private mutating func reference() -> Data {
        let itemClass = ItemClass(rawValue: byte() % 6) ?? .genericPassword
        let bytes = PersistentReference(
            itemClass: itemClass, item: ItemIdentifier(bytes: (0..<16).map { _ in byte() })!
        ).bytes
        return Data(bytes.dropLast(Int(byte() % 4 / 3)))
    }

    private mutating func accessControl() -> Any {
        let flags = SecAccessControlCreateFlags(rawValue: CFOptionFlags(number()))
        return SecAccessControlCreateWithFlags(nil, choice(of: texts) as CFString, flags, nil) ?? NSNull()
    }

    /// Returns a dictionary of one of the classes that programs use.
    mutating func dictionary(depth: Int = 0) -> NSDictionary {
        let shape = byte()
        let entries = NSMutableDictionary()
        if depth == 0, shape & 0x30 != 0 { entries["class"] = choice(of: texts) }
        for _ in 0..<Int(byte() % 9) {
            // In separate steps, because each consumes part of the input.
            let key = key()
            entries[key] = value(depth: depth)
        }
        switch shape & 3 {
        case 0: return entries
        case 1: return entries.copy() as! NSDictionary
        case 2: return entries as! [AnyHashable: Any] as NSDictionary
        default: return OwnDictionary.of(entries)
        }
    }
}

/// A dictionary class of a program, which provides its own content.
final class OwnDictionary: NSDictionary {
    private var content = NSDictionary()

    static func of(_ content: NSDictionary) -> OwnDictionary {
        let made = OwnDictionary()
        made.content = content
        return made
    }

    override var count: Int { content.count }
    override func object(forKey key: Any) -> Any? { content.object(forKey: key) }
    override func keyEnumerator() -> NSEnumerator { content.keyEnumerator() }
    override func copy(with zone: NSZone? = nil) -> Any { self }
}
