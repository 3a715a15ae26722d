// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainTesting
import Security
import Testing

// Keychains that are files, by the functions that Apple deprecates: cases C132 to C145 of Documentation/Cases.md.

/// Runs a test with a folder for keychains and a person; both are gone afterwards.
func withKeychainFolder(
    person: TestPerson = .absent, _ body: (_ memory: InMemoryKeychain, _ folder: String) throws -> Void
) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/keychains-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let memory = try InMemoryKeychain(keychainFolder: folder)
    memory.person = person
    try memory.run { try body(memory, folder) }
}

@Suite struct `Keychain files` {
    private func created(_ name: String = "test.keychain") throws -> SecKeychain {
        var keychain: SecKeychain?
        #expect(SecKeychainCreate(name, 8, "password", false, nil, &keychain) == errSecSuccess)
        return try #require(keychain)
    }

    private func status(_ keychain: SecKeychain?) -> SecKeychainStatus? {
        var status: SecKeychainStatus = 0
        return SecKeychainGetStatus(keychain, &status) == errSecSuccess ? status : nil
    }

    private func addGeneric(_ keychain: SecKeychain?, _ service: String = "service") throws -> SecKeychainItem {
        var item: SecKeychainItem?
        #expect(
            SecKeychainAddGenericPassword(
                keychain, UInt32(service.utf8.count), service, 7, "account", 4, "test", &item) == errSecSuccess)
        return try #require(item)
    }

    private func addInternet(_ keychain: SecKeychain, _ item: inout SecKeychainItem?) -> OSStatus {
        SecKeychainAddInternetPassword(
            keychain, 6, "server", 6, "domain", 7, "account", 4, "path", 80, .HTTP, .default, 4, "test", &item)
    }

    private func data(_ item: SecKeychainItem) -> (status: OSStatus, text: String?) {
        var length: UInt32 = 0
        var data: UnsafeMutableRawPointer?
        let status = SecKeychainItemCopyContent(item, nil, nil, &length, &data)
        guard status == errSecSuccess, let data else { return (status, nil) }
        defer { SecKeychainItemFreeContent(nil, data) }
        return (status, String(decoding: UnsafeRawBufferPointer(start: data, count: Int(length)), as: UTF8.self))
    }

    private func attribute(_ item: SecKeychainItem, _ attribute: SecItemAttr) throws -> [UInt8] {
        var value = SecKeychainAttribute(tag: attribute.rawValue, length: 0, data: nil)
        return try withUnsafeMutablePointer(to: &value) { value in
            var list = SecKeychainAttributeList(count: 1, attr: value)
            #expect(SecKeychainItemCopyContent(item, nil, &list, nil, nil) == errSecSuccess)
            defer { SecKeychainItemFreeContent(&list, nil) }
            let bytes = try #require(value.pointee.data)
            return Array(UnsafeRawBufferPointer(start: bytes, count: Int(value.pointee.length)))
        }
    }

    // C132
    @Test func `opened by the name it was made under, it is the same object`() throws {
        try withKeychainFolder { _, _ in
            let made = try created()
            var opened: SecKeychain?
            #expect(SecKeychainOpen("test.keychain", &opened) == errSecSuccess)
            #expect(opened === made)
            #expect(SecKeychainLock(opened) == errSecSuccess)
            #expect(status(made) == 2)
        }
    }

    // C133
    @Test func `a damaged file has no status`() throws {
        try withKeychainFolder { _, folder in
            _ = try created()
            try Data("no keychain".utf8).write(to: URL(fileURLWithPath: folder + "/bad.keychain-db"))
            var keychain: SecKeychain?
            #expect(SecKeychainOpen("bad.keychain", &keychain) == errSecSuccess)
            var status: SecKeychainStatus = 0
            #expect(SecKeychainGetStatus(keychain, &status) == errSecInvalidKeychain)
        }
    }

    // C134
    @Test func `an unlock without a password and without a prompter is a failed authentication`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            SecKeychainLock(keychain)
            #expect(SecKeychainUnlock(keychain, 0, nil, false) == errSecAuthFailed)
            #expect(status(keychain) == 2)
        }
    }

    // C135
    @Test func `the right password unlocks, and no password does not`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            #expect(status(keychain) == 7)
            #expect(SecKeychainUnlock(keychain, 0, nil, true) == errSecAuthFailed)
            #expect(SecKeychainLock(keychain) == errSecSuccess)
            #expect(status(keychain) == 2)
            #expect(SecKeychainUnlock(keychain, 5, "wrong", true) == errSecAuthFailed)
            #expect(status(keychain) == 2)
            #expect(SecKeychainUnlock(keychain, 8, "password", true) == errSecSuccess)
            var again: SecKeychain?
            #expect(SecKeychainOpen("test.keychain", &again) == errSecSuccess)
            #expect(status(again) == 7)
        }
    }

    // C136
    @Test func `deleting a keychain takes it off the search list`() throws {
        try withKeychainFolder { _, _ in
            let first = try created("first.keychain")
            let second = try created("second.keychain")
            var list: CFArray?
            #expect(SecKeychainSetSearchList([first] as CFArray) == errSecSuccess)
            #expect(SecKeychainSetSearchList([first, second] as CFArray) == errSecSuccess)
            #expect(SecKeychainCopySearchList(&list) == errSecSuccess)
            #expect(list as? [SecKeychain] == [first, second])
            #expect(SecKeychainDelete(second) == errSecSuccess)
            #expect(SecKeychainCopySearchList(&list) == errSecSuccess)
            #expect(list as? [SecKeychain] == [first])
        }
    }

    // C137
    @Test func `what was added as a generic password is its content`() throws {
        try withKeychainFolder { _, _ in
            let item = try addGeneric(try created())
            #expect(data(item).text == "test")
            #expect(try attribute(item, .labelItemAttr) == Array("service".utf8))
        }
    }

    // C138
    @Test func `a second internet password of the same names is a duplicate, and gives no item`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            var item: SecKeychainItem?
            #expect(addInternet(keychain, &item) == errSecSuccess)
            let first = try #require(item)
            #expect(addInternet(keychain, &item) == errSecDuplicateItem)
            #expect(item === first)
        }
    }

    // C139
    @Test func `an attribute of another class is no such attribute`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            var item: SecKeychainItem?
            #expect(addInternet(keychain, &item) == errSecSuccess)
            let internet = try #require(item)
            var value = SecKeychainAttribute(tag: SecItemAttr.serviceItemAttr.rawValue, length: 0, data: nil)
            withUnsafeMutablePointer(to: &value) { value in
                var list = SecKeychainAttributeList(count: 1, attr: value)
                #expect(SecKeychainItemCopyContent(internet, nil, &list, nil, nil) == errSecNoSuchAttr)
            }
        }
    }

    // C140
    @Test func `a renamed item is found under its new name alone`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let item = try addGeneric(keychain, "old")
            var service = Array("new service".utf8)
            var label = Array("new label".utf8)
            service.withUnsafeMutableBytes { service in
                label.withUnsafeMutableBytes { label in
                    var values = [
                        SecKeychainAttribute(
                            tag: SecItemAttr.serviceItemAttr.rawValue, length: UInt32(service.count),
                            data: service.baseAddress),
                        SecKeychainAttribute(
                            tag: SecItemAttr.labelItemAttr.rawValue, length: UInt32(label.count),
                            data: label.baseAddress),
                    ]
                    values.withUnsafeMutableBufferPointer { values in
                        var list = SecKeychainAttributeList(count: 2, attr: values.baseAddress)
                        #expect(SecKeychainItemModifyAttributesAndData(item, &list, 8, "new data") == errSecSuccess)
                    }
                }
            }
            var found: SecKeychainItem?
            #expect(
                SecKeychainFindGenericPassword(keychain, 3, "old", 0, nil, nil, nil, &found) == errSecItemNotFound)
            #expect(found == nil)
            #expect(
                SecKeychainFindGenericPassword(keychain, 11, "new service", 7, "account", nil, nil, &found)
                    == errSecSuccess)
            #expect(found == item)
            #expect(data(item).text == "new data")
            #expect(try attribute(item, .labelItemAttr) == Array("new label".utf8))
        }
    }

    // C142
    @Test func `a locked keychain is searched, and not read`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let item = try addGeneric(keychain)
            SecKeychainLock(keychain)
            var found: SecKeychainItem?
            #expect(
                SecKeychainFindGenericPassword(keychain, 7, "service", 0, nil, nil, nil, &found) == errSecSuccess)
            #expect(found == item)
            #expect(try attribute(item, .accountItemAttr) == Array("account".utf8))
            #expect(data(item).status == errSecAuthFailed)
        }
    }

    // C143
    @Test func `a copy keeps the dates of its original`() throws {
        try withKeychainFolder { memory, _ in
            let keychain = try created()
            var item: SecKeychainItem?
            #expect(addInternet(keychain, &item) == errSecSuccess)
            let original = try #require(item)
            let other = try created("other.keychain")
            memory.setTime(to: Date(timeIntervalSinceReferenceDate: 800_086_400))
            #expect(SecKeychainItemModifyContent(original, nil, 4, "next") == errSecSuccess)
            memory.setTime(to: Date(timeIntervalSinceReferenceDate: 800_172_800))
            #expect(SecKeychainItemCreateCopy(original, other, nil, &item) == errSecSuccess)
            let copy = try #require(item)
            #expect(try attribute(copy, .creationDateItemAttr) == Array("20260509061320Z\0".utf8))
            for date in [SecItemAttr.creationDateItemAttr, .modDateItemAttr] {
                #expect(try attribute(copy, date) == attribute(original, date))
            }
            #expect(data(copy).text == "next")
        }
    }

    // C144
    @Test func `a callback for additions is called once, with the item and its context, and the item can be read`()
        throws
    {
        let callback: SecKeychainCallback = { event, info, context in
            guard let context, event == .addEvent else { return errSecParam }
            let items = context.assumingMemoryBound(to: [SecKeychainItem].self)
            items.pointee.append(info.pointee.item.takeUnretainedValue())
            return errSecSuccess
        }
        try withKeychainFolder { _, _ in
            let keychain = try created()
            var items: [SecKeychainItem] = []
            try withUnsafeMutablePointer(to: &items) { items in
                #expect(SecKeychainAddCallback(callback, .addEventMask, items) == errSecSuccess)
                defer { SecKeychainRemoveCallback(callback) }
                let added = [try addGeneric(keychain), try addGeneric(keychain, "another service")]
                let end = Date(timeIntervalSinceNow: 60)
                while items.pointee.count < 2, Date() < end {
                    _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
                }
                #expect(items.pointee == added)
                #expect(items.pointee.map { data($0).text } == ["test", "test"])
            }
        }
    }

    // C145
    @Test func `the password is changed with the old one, locked or not`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            for isLocked in [false, true] {
                if isLocked { SecKeychainLock(keychain) }
                #expect(SecKeychainChangePassword(keychain, 5, "wrong", 3, "new") == errSecAuthFailed)
            }
            #expect(SecKeychainChangePassword(keychain, 0, nil, 3, "new") == errSecInteractionNotAllowed)
            #expect(SecKeychainChangePassword(keychain, 8, "password", 3, "new") == errSecSuccess)
            SecKeychainLock(keychain)
            #expect(SecKeychainUnlock(keychain, 8, "password", true) == errSecAuthFailed)
            #expect(SecKeychainUnlock(keychain, 3, "new", true) == errSecSuccess)
        }
    }
}
