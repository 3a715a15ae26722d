// SPDX-License-Identifier: Apache-2.0

import CFTypes
import Foundation
import Testing

/// Stands for SecKey and the like.
private final class Token: CFTypeIdentified, Hashable {
    let number: Int
    init(_ number: Int) { self.number = number }
    static let cfTypeID: CFTypeID = 300
    static func == (left: Token, right: Token) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

@Suite struct `Type identifiers` {
    @Test func `name the type of an object`() {
        #expect(CFGetTypeID("x" as CFString) == CFStringGetTypeID())
        #expect(CFGetTypeID(NSMutableString(string: "x")) == CFStringGetTypeID())
        #expect(CFGetTypeID(["a": 1] as CFDictionary) == CFDictionaryGetTypeID())
        #expect(CFGetTypeID(NSMutableDictionary()) == CFDictionaryGetTypeID())
        #expect(CFGetTypeID([1] as CFArray) == CFArrayGetTypeID())
        #expect(CFGetTypeID(Data([1]) as CFData) == CFDataGetTypeID())
        #expect(CFGetTypeID(Date() as CFDate) == CFDateGetTypeID())
        #expect(CFGetTypeID(Set(["a"]) as CFSet) == CFSetGetTypeID())
        #expect(CFGetTypeID(kCFNull) == CFNullGetTypeID())
        #expect(CFGetTypeID(NSError(domain: "x", code: 1)) == CFErrorGetTypeID())
    }

    @Test func `tell a truth value from a number`() {
        #expect(CFGetTypeID(kCFBooleanTrue) == CFBooleanGetTypeID())
        #expect(CFGetTypeID(false as CFBoolean) == CFBooleanGetTypeID())
        #expect(CFGetTypeID(1 as CFNumber) == CFNumberGetTypeID())
        #expect(CFGetTypeID(NSNumber(value: 0.5)) == CFNumberGetTypeID())
    }

    @Test func `see through the box of a Swift value`() {
        #expect(CFGetTypeID("x" as AnyObject) == CFStringGetTypeID())
        #expect(CFGetTypeID(true as AnyObject) == CFBooleanGetTypeID())
        #expect(CFGetTypeID(["a": 1] as [String: Any] as AnyObject) == CFDictionaryGetTypeID())
        #expect(CFGetTypeID(Data() as AnyObject) == CFDataGetTypeID())
    }

    @Test func `come from classes of other modules`() {
        let item: CFTypeRef = Token(1)
        #expect(CFGetTypeID(item) == Token.cfTypeID)
    }

    @Test func `are zero for objects other than CF types`() {
        final class Stranger {}
        #expect(CFGetTypeID(Stranger()) == 0)
        #expect(CFGetTypeID(nil) == 0)
    }
}

@Suite struct `Equality` {
    @Test func `is by content`() {
        #expect(CFEqual("x" as CFString, NSMutableString(string: "x")))
        #expect(!CFEqual("x" as CFString, "y" as CFString))
        #expect(CFEqual(["a": 1] as CFDictionary, ["a": 1] as CFDictionary))
        #expect(CFHash("x" as CFString) == CFHash("x" as CFString))
    }

    @Test func `of classes of other modules is their own`() {
        #expect(CFEqual(Token(1), Token(1)))
        #expect(!CFEqual(Token(1), Token(2)))
        #expect(!CFEqual(Token(1), "x" as CFString))
        #expect(CFHash(Token(1)) == CFHash(Token(1)))
    }

    @Test func `with nothing is false`() {
        #expect(!CFEqual(nil, "x" as CFString))
    }
}

@Suite struct `Data functions` {
    @Test func `copy bytes`() {
        let bytes: [UInt8] = [1, 2, 3]
        let data: CFData = CFDataCreate(kCFAllocatorDefault, bytes, bytes.count)!
        #expect(data as Data == Data(bytes))
        #expect(CFDataGetLength(data) == 3)
        #expect(CFDataGetBytePtr(data)[2] == 3)
        withExtendedLifetime(data) {}
    }

    @Test func `leave borrowed bytes to their owner`() {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 2)
        bytes.initialize(repeating: 9, count: 2)
        do {
            let data: CFData? = CFDataCreateWithBytesNoCopy(nil, bytes, 2, kCFAllocatorNull)
            #expect(data.map { CFDataGetBytePtr($0) == UnsafePointer(bytes) } == true)
        }
        #expect(bytes[1] == 9)
        bytes.deallocate()
    }

    @Test func `make nothing out of a bad length`() {
        let bytes: [UInt8] = [1]
        #expect(CFDataCreate(nil, bytes, -1) == nil)
        #expect(CFDataCreate(nil, nil, 1) == nil)
        #expect(CFDataCreate(nil, nil, 0)?.length == 0)
        #expect(CFDataGetBytePtr(NSData()) == nil)
    }
}

@Suite struct `Error functions` {
    @Test func `take an error apart`() {
        let info = [NSLocalizedDescriptionKey: "It failed."] as CFDictionary
        let error: CFError = CFErrorCreate(nil, kCFErrorDomainOSStatus, -50, info)
        #expect(CFErrorGetCode(error) == -50)
        #expect(CFErrorGetDomain(error) as String == NSOSStatusErrorDomain)
        #expect(CFErrorGetDomain(error) == kCFErrorDomainOSStatus)
        #expect(CFErrorCopyDescription(error) as String == "It failed.")
        #expect((CFErrorCopyUserInfo(error) as NSDictionary)[NSLocalizedDescriptionKey] as? String == "It failed.")
    }

    @Test func `hand an error over as Swift expects`() {
        func fail(_ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> Bool {
            error?.pointee = Unmanaged.passRetained(CFErrorCreate(nil, kCFErrorDomainOSStatus, -25300, nil))
            return false
        }
        var error: Unmanaged<CFError>?
        #expect(!fail(&error))
        let swiftError = error!.takeRetainedValue() as any Error
        #expect((swiftError as NSError).code == -25300)
        #expect((swiftError as NSError).domain == NSOSStatusErrorDomain)
    }

    @Test func `fill in an NSErrorPointer`() {
        func check(error: NSErrorPointer) -> Bool {
            error?.pointee = NSError(domain: "x", code: 3)
            return false
        }
        var nsError: NSError?
        #expect(!check(error: &nsError))
        #expect(nsError?.code == 3)
        #expect(!check(error: nil))
    }
}

@Suite struct `Scalars` {
    @Test func `have the widths of Apple's`() {
        let status: OSStatus = noErr
        #expect(status == 0)
        #expect([OSStatus]().isEmpty)
        #expect(OSType(0x6765_6E70).bigEndian == 0x706E_6567)
        let none = DarwinBoolean(false)
        #expect(!none.boolValue)
        let yes: DarwinBoolean = true
        #expect(yes.boolValue && yes.description == "true")
        #expect(CFRangeMake(1, 2) == CFRange(location: 1, length: 2))
    }

    @Test func `numbers know how they are kept`() {
        #expect(CFNumberGetType(NSNumber(value: 1.5)) == .float64Type)
        #expect(CFNumberIsFloatType(NSNumber(value: 1.5)))
        #expect(!CFNumberIsFloatType(7 as CFNumber))
        #expect(CFNumberGetType(kCFBooleanTrue) == .charType)
        #expect(CFNumberGetType(NSNumber(value: Int64.max)) == .sInt64Type)
    }

    @Test func `counts and times`() {
        #expect(CFArrayGetCount([1, 2] as CFArray) == 2)
        #expect(CFDictionaryGetCount(["a": 1] as CFDictionary) == 1)
        #expect(CFStringGetLength("né" as CFString) == 2)
        #expect(CFDateGetAbsoluteTime(CFDateCreate(nil, 12.5)) == 12.5)
    }

    @Test func `the key of a bundle's identifier is a key of Info plist`() {
        let info: [String: Any] = ["CFBundleIdentifier": "org.example"]
        #expect(info[kCFBundleIdentifierKey as String] as? String == "org.example")
    }
}
