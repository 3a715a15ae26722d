// SPDX-License-Identifier: Apache-2.0

import CFTypes
import Foundation
import Testing

// The ways in which existing code gets into and out of CF types; half of each test is that it compiles.

@Suite struct `Casts between Swift and CF types` {
    // As a constant of Security is declared.
    nonisolated(unsafe) static let account: CFString = "acct"
    nonisolated(unsafe) static let label: CFString = "labl"

    @Test func `text goes both ways`() {
        #expect("acct" as CFString == Self.account)
        #expect(Self.account as String == "acct")
        #expect(String(Self.account) == "acct")
        #expect("\(Self.account)" == "acct")
    }

    @Test func `text is a pattern and an element of a set`() {
        var matched = false
        switch "acct" as CFString {
        case Self.label: break
        case Self.account: matched = true
        default: break
        }
        #expect(matched)
        let set: Set<CFString> = [Self.account, Self.label]
        #expect(set.contains("labl"))
    }

    @Test func `any dictionary becomes a CFDictionary`() {
        let byText: [String: Any] = ["acct": "joe"]
        let byCFString: [CFString: Any] = [Self.account: "joe", Self.label: 5]
        let byObject: [NSString: AnyObject] = [Self.account: "joe" as NSString]
        for dictionary in [byText as CFDictionary, byCFString as CFDictionary, byObject as CFDictionary] {
            #expect(dictionary[Self.account] as? String == "joe")
            #expect(dictionary["acct"] as! String == "joe")
            #expect((dictionary as? [String: Any])?["acct"] as? String == "joe")
        }
    }

    @Test func `a literal of mixed values becomes a dictionary`() {
        let fixed = [Self.account: "joe", Self.label: 10, "x" as CFString: true] as NSDictionary
        #expect(fixed.count == 3)
        let changing = [Self.account: "joe", Self.label: 10] as NSMutableDictionary
        changing[Self.label] = Data([1])
        #expect(changing["labl"] as? Data == Data([1]))
    }

    @Test func `a dictionary takes keys that are said to be copyable`() {
        let query = NSMutableDictionary()
        query.setObject("joe", forKey: Self.account as any NSCopying)
        query.setObject("Mail", forKey: Self.label as any NSCopying)
        #expect(query[Self.account] as? String == "joe")
        #expect(query["labl"] as? String == "Mail")
        // As before.
        query.setObject("jim", forKey: Self.account)
        query.setObject("jim", forKey: "acct")
        query.setObject(443, forKey: "port" as NSString)
        #expect(query.count == 3)
        let made = NSMutableDictionary(
            objects: ["joe", true], forKeys: [Self.account as any NSCopying, Self.label as any NSCopying])
        #expect(made["acct"] as? String == "joe")
        #expect(made[Self.label] as? Bool == true)
        #expect(NSDictionary(objects: [5], forKeys: [Self.label as any NSCopying]).count == 1)
        // Of two equal keys the last one counts, as for keys of any other type.
        #expect(
            NSDictionary(objects: [5, 6], forKeys: [Self.label as any NSCopying, Self.label])["labl"] as? Int == 6)
        #expect(NSDictionary(objects: [5, 6], forKeys: [Self.label, Self.label])["labl"] as? Int == 6)
    }

    @Test func `a dictionary is made of another one`() {
        let found: CFTypeRef = ["acct": "joe", "port": 443] as NSDictionary
        let query = NSMutableDictionary(dictionary: found as! NSDictionary)
        query[Self.label] = "Mail"
        #expect(query["acct"] as? String == "joe")
        #expect(query[Self.account] as? String == "joe")
        #expect(query.count == 3)
        #expect((found as! CFDictionary).count == 2)
        let fixed = NSDictionary(dictionary: query)
        query.removeAllObjects()
        #expect(fixed["port"] as? Int == 443)
        #expect(NSDictionary(dictionary: NSDictionary()).count == 0)
        // As before: from a Swift dictionary, and from a literal.
        let byText: [String: Any] = ["acct": "joe"]
        #expect(NSMutableDictionary(dictionary: byText)["acct"] as? String == "joe")
        #expect(NSMutableDictionary(dictionary: [Self.account: "joe", Self.label: 5]).count == 2)
        #expect(NSDictionary(dictionary: [:]).count == 0)
    }

    @Test func `a dictionary of objects and keys can be grown`() {
        let dictionary = NSMutableDictionary(objects: ["joe", true], forKeys: [Self.account, Self.label])
        #expect(dictionary[Self.account] as? String == "joe")
        #expect((dictionary as CFDictionary)["labl"] as? Bool == true)
    }

    @Test func `results come back as arrays of dictionaries`() {
        let result: CFTypeRef? = [["acct": "joe"], ["acct": "jim"]] as NSArray
        #expect((result as? [[String: Any]])?.count == 2)
        #expect((result as! [[CFString: Any]])[1][Self.account] as? String == "jim")
        #expect((result as? [NSDictionary])?.first?[Self.account] as? String == "joe")
        #expect((result as? CFArray)?.count == 2)
    }

    @Test func `a result is filled in through any of the usual variables`() {
        func copy(_ result: UnsafeMutablePointer<CFTypeRef?>?) { result?.pointee = Data([7]) as CFData }
        var typed: CFTypeRef?
        copy(&typed)
        #expect(typed as? Data == Data([7]))
        var object: AnyObject?
        copy(&object)
        #expect(object as! Data == Data([7]))
        var wrapped: AnyObject?
        withUnsafeMutablePointer(to: &wrapped) { copy(UnsafeMutablePointer($0)) }
        #expect((wrapped as? NSData)?.length == 1)
        copy(nil)
    }

    @Test func `truth values and numbers go both ways`() {
        #expect(kCFBooleanTrue as! Bool)
        #expect(kCFBooleanTrue! as CFBoolean == true as CFBoolean)
        #expect(CFBooleanGetValue(true as CFBoolean))
        #expect(!CFBooleanGetValue(kCFBooleanFalse))
        let values: [String: Any] = ["a": kCFBooleanTrue!, "b": kCFBooleanTrue as Any, "c": 5 as CFNumber]
        #expect(values["a"] as? Bool == true)
        #expect(values["b"] as? Bool == true)
        #expect(values["c"] as? Int == 5)
        var byText: [String: Any] = [:]
        byText["d"] = kCFBooleanTrue
        #expect(byText["d"] as? Bool == true)
        var objects: [String: AnyObject] = [:]
        objects["e"] = kCFBooleanTrue
        #expect((objects as CFDictionary)["e"] as? Bool == true)
    }

    @Test func `data, dates, sets and addresses go both ways`() {
        #expect((Data([1, 2]) as CFData) as Data == Data([1, 2]))
        let now = Date(timeIntervalSinceReferenceDate: 5)
        #expect((now as CFDate) as Date == now)
        #expect((["a"] as Set<String> as CFSet).contains("a"))
        #expect((URL(fileURLWithPath: "/x") as CFURL).path == "/x")
    }
}

@Suite struct `Text as a dictionary key` {
    @Test func `is the same key as a String and as a CFString`() {
        #expect(AnyHashable("x") == AnyHashable("x" as NSString))
        #expect(AnyHashable("x" as NSString) == AnyHashable("x"))
        #expect(AnyHashable("x").hashValue == AnyHashable("x" as NSString).hashValue)
        #expect(AnyHashable("x" as NSString) != AnyHashable("y"))
    }

    @Test func `finds its value in a dictionary of any keys`() {
        let item: Any = ["acct": "joe"] as [String: Any]
        #expect((item as! [AnyHashable: Any])["acct" as CFString] as? String == "joe")
    }

    @Test func `works with the names of key-value coding`() {
        let query = NSMutableDictionary()
        query.setValue("joe", forKey: "acct")
        #expect(query["acct" as CFString] as? String == "joe")
        #expect(query.value(forKey: "acct") as? String == "joe")
        query.setValue(nil, forKey: "acct")
        #expect(query.count == 0)

        let literal = ["acct": "joe"] as NSMutableDictionary
        literal.setValue("jim", forKey: "acct")
        #expect(literal.count == 1)
        #expect(literal["acct"] as? String == "jim")
    }
}
