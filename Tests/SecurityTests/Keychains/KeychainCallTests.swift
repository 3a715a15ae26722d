// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainTesting
import Security
import Testing

/// The functions for keychains as a whole (semantics 8.2).
@Suite struct `Calls for keychains` {
    private func created(_ name: String = "test.keychain") throws -> SecKeychain {
        var keychain: SecKeychain?
        #expect(SecKeychainCreate(name, 8, "password", false, nil, &keychain) == errSecSuccess)
        return try #require(keychain)
    }

    private func opened(_ name: String) throws -> SecKeychain {
        var keychain: SecKeychain?
        #expect(SecKeychainOpen(name, &keychain) == errSecSuccess)
        return try #require(keychain)
    }

    private func standard() -> (status: OSStatus, keychain: SecKeychain?) {
        var keychain: SecKeychain?
        let status = SecKeychainCopyDefault(&keychain)
        return (status, keychain)
    }

    private func searchList() -> [SecKeychain]? {
        var list: CFArray?
        return SecKeychainCopySearchList(&list) == errSecSuccess ? list as? [SecKeychain] : nil
    }

    @Test func `the version is Apple's`() {
        var version: UInt32 = 0
        #expect(SecKeychainGetVersion(&version) == errSecSuccess)
        #expect(version == 0x0202_8000)
        #expect(SecKeychainGetVersion(nil) == errSecSuccess)
    }

    @Test func `opening looks at no file, and takes a name and a variable`() throws {
        try withKeychainFolder { _, folder in
            #expect(SecKeychainOpen(nil, nil) == errSecParam)
            #expect(SecKeychainOpen("x", nil) == errSecParam)
            var keychain: SecKeychain?
            #expect(SecKeychainOpen(nil, &keychain) == errSecParam)
            #expect(SecKeychainOpen("", &keychain) == errSecNoSuchKeychain)
            #expect(keychain == nil)
            let missing = try opened("missing.keychain")
            #expect(try opened(folder + "/missing.keychain") === missing)
            #expect(try opened("missing.keychain-db") === missing)
            var status: SecKeychainStatus = 0
            #expect(SecKeychainGetStatus(missing, &status) == errSecNoSuchKeychain)
            #expect(SecKeychainLock(missing) == errSecNoSuchKeychain)
            #expect(SecKeychainUnlock(missing, 1, "x", true) == errSecNoSuchKeychain)
            #expect(SecKeychainDelete(missing) == errSecNoSuchKeychain)
            #expect(CFGetTypeID(missing) == SecKeychainGetTypeID())
        }
    }

    @Test func `making takes a name, and a password or a prompt`() throws {
        try withKeychainFolder { memory, _ in
            #expect(SecKeychainCreate(nil, 1, "x", false, nil, nil) == errSecParam)
            #expect(SecKeychainCreate("x", 0, nil, false, nil, nil) == errSecParam)
            #expect(SecKeychainCreate("x", 1, "x", true, nil, nil) == errSecInteractionNotAllowed)
            _ = try created()
            var keychain: SecKeychain?
            #expect(SecKeychainCreate("test.keychain", 1, "x", false, nil, &keychain) == errSecDuplicateKeychain)
            #expect(keychain == nil)
            #expect(SecKeychainCreate("empty.keychain", 0, "", false, nil, &keychain) == errSecSuccess)
            SecKeychainLock(keychain)
            #expect(SecKeychainUnlock(keychain, 0, "", true) == errSecSuccess)
            memory.person = TestPerson { _ in .type(SecretData(utf8: "typed")) }
            #expect(SecKeychainCreate("asked.keychain", 1, "x", true, nil, &keychain) == errSecSuccess)
            SecKeychainLock(keychain)
            #expect(SecKeychainUnlock(keychain, 1, "x", true) == errSecAuthFailed)
            #expect(SecKeychainUnlock(keychain, 5, "typed", true) == errSecSuccess)
        }
    }

    @Test func `of new keychains the login keychain alone is listed, and the default where there is none`() throws {
        try withKeychainFolder { _, _ in
            #expect(standard().status == errSecNoDefaultKeychain)
            _ = try created()
            #expect(standard().status == errSecNoDefaultKeychain)
            #expect(searchList() == [])
            let login = try created("login.keychain")
            #expect(standard().keychain === login)
            #expect(searchList() == [login])
        }
    }

    @Test func `nil is the default keychain`() throws {
        try withKeychainFolder { _, _ in
            var status: SecKeychainStatus = 0
            #expect(SecKeychainGetStatus(nil, &status) == errSecNoDefaultKeychain)
            #expect(SecKeychainSetDefault(nil) == errSecNoDefaultKeychain)
            let keychain = try created()
            #expect(SecKeychainSetDefault(keychain) == errSecSuccess)
            #expect(SecKeychainSetDefault(nil) == errSecSuccess)
            #expect(standard().keychain === keychain)
            #expect(SecKeychainLock(nil) == errSecSuccess)
            #expect(SecKeychainGetStatus(nil, &status) == errSecSuccess)
            #expect(status == kSecReadPermStatus)
            let missing = try opened("missing.keychain")
            #expect(SecKeychainSetDefault(missing) == errSecWrPerm)
            #expect(SecKeychainDelete(nil) == errSecInvalidKeychain)
            #expect(SecKeychainDelete("text" as CFString) == errSecInvalidKeychain)
            #expect(SecKeychainDelete([keychain] as CFArray) == errSecSuccess)
            #expect(standard().status == errSecNoDefaultKeychain)
        }
    }

    @Test func `settings are those of version 1`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            var settings = SecKeychainSettings()
            #expect(SecKeychainCopySettings(keychain, &settings) == errSecSuccess)
            #expect(settings == SecKeychainSettings())
            settings.version = UInt32(SEC_KEYCHAIN_SETTINGS_VERS1)
            #expect(SecKeychainCopySettings(keychain, &settings) == errSecSuccess)
            #expect(
                settings
                    == SecKeychainSettings(version: 1, lockOnSleep: true, useLockInterval: false, lockInterval: 300))
            settings.lockOnSleep = false
            settings.lockInterval = UInt32(Int32.max)
            #expect(SecKeychainSetSettings(keychain, &settings) == errSecSuccess)
            var other = SecKeychainSettings(version: 2, lockOnSleep: true, useLockInterval: true, lockInterval: 7)
            #expect(SecKeychainSetSettings(keychain, &other) == errSecSuccess)
            #expect(SecKeychainSetSettings(keychain, nil) == errSecParam)
            SecKeychainLock(keychain)
            var read = SecKeychainSettings(version: 1, lockOnSleep: true, useLockInterval: true, lockInterval: 7)
            #expect(SecKeychainCopySettings(keychain, &read) == errSecSuccess)
            #expect(read.lockOnSleep == false && read.lockInterval == UInt32(Int32.max))
            #expect(read.useLockInterval == true)
            #expect(SecKeychainSetSettings(keychain, &settings) != errSecSuccess)
        }
    }

    @Test func `a path that does not fit says how long it is`() throws {
        try withKeychainFolder { _, folder in
            let keychain = try created()
            let path = folder + "/test.keychain-db"
            var buffer = [CChar](repeating: 7, count: path.utf8.count + 1)
            var length = UInt32(path.utf8.count)
            #expect(SecKeychainGetPath(keychain, &length, &buffer) == errSecBufferTooSmall)
            #expect(length == UInt32(path.utf8.count))
            #expect(buffer[0] == 7)
            length += 1
            #expect(SecKeychainGetPath(keychain, &length, &buffer) == errSecSuccess)
            #expect(length == UInt32(path.utf8.count))
            #expect(String(cString: buffer) == path)
            #expect(SecKeychainGetPath(keychain, nil, &buffer) == errSecParam)
        }
    }

    @Test func `domains other than the user's cannot be changed`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            var list: CFArray?
            #expect(SecKeychainSetDomainSearchList(.dynamic, [keychain] as CFArray) == errSecInvalidPrefsDomain)
            #expect(SecKeychainSetDomainSearchList(.system, [keychain] as CFArray) == errSecWrPerm)
            #expect(SecKeychainSetDomainSearchList(.user, [keychain] as CFArray) == errSecSuccess)
            #expect(SecKeychainCopyDomainSearchList(.user, &list) == errSecSuccess)
            #expect(list as? [SecKeychain] == [keychain])
            #expect(SecKeychainSetSearchList([] as CFArray) == errSecSuccess)
            #expect(searchList() == [])
            #expect(SecKeychainSetSearchList(["text"] as CFArray) == errSecParam)
            var standard: SecKeychain?
            #expect(SecKeychainCopyDomainDefault(.dynamic, &standard) == errSecInvalidPrefsDomain)
            #expect(SecKeychainSetDomainDefault(.dynamic, keychain) == errSecInvalidPrefsDomain)
            #expect(SecKeychainSetDomainDefault(.user, keychain) == errSecSuccess)
            #expect(SecKeychainCopyDomainDefault(.user, &standard) == errSecSuccess)
            #expect(standard === keychain)
            #expect(SecKeychainSetPreferenceDomain(.dynamic) == errSecInvalidPrefsDomain)
            var domain = SecPreferencesDomain.common
            #expect(SecKeychainGetPreferenceDomain(&domain) == errSecSuccess)
            #expect(domain == .user)
        }
    }

    @Test func `all are locked at once`() throws {
        try withKeychainFolder { _, _ in
            let keychains = [try created("a"), try created("b")]
            #expect(SecKeychainLockAll() == errSecSuccess)
            for keychain in keychains {
                var status: SecKeychainStatus = 0
                #expect(SecKeychainGetStatus(keychain, &status) == errSecSuccess)
                #expect(status == 2)
            }
        }
    }

    @Test func `a person who is asked unlocks, or gives up`() throws {
        try withKeychainFolder { memory, _ in
            let keychain = try created()
            SecKeychainLock(keychain)
            memory.person = .cancelling
            #expect(SecKeychainUnlock(keychain, 0, nil, false) == errSecUserCanceled)
            memory.person = TestPerson { _ in .type(SecretData(utf8: "password")) }
            #expect(SecKeychainUnlock(keychain, 0, nil, false) == errSecSuccess)
            let count = memory.questions.count
            #expect(SecKeychainUnlock(keychain, 0, nil, false) == errSecSuccess)
            #expect(memory.questions.count == count)
        }
    }

    @Test func `keychains have no access object`() throws {
        try withKeychainFolder { _, _ in
            var access: SecAccess?
            let keychain = try created()
            #expect(SecKeychainCopyAccess(keychain, &access) == errSecUnimplemented)
            #expect(SecKeychainSetAccess(nil, nil) == errSecUnimplemented)
        }
    }

    @Test func `the attributes of a class are named with their forms`() {
        for item in [UInt32(0x8000_0000), SecItemClass.genericPasswordItemClass.rawValue] {
            var info: UnsafeMutablePointer<SecKeychainAttributeInfo>?
            #expect(SecKeychainAttributeInfoForItemID(nil, item, &info) == errSecSuccess)
            guard let info else { return }
            var formats: [UInt32: UInt32] = [:]
            for index in 0..<Int(info.pointee.count) {
                formats[info.pointee.tag[index]] = info.pointee.format?[index]
            }
            #expect(formats[SecItemAttr.serviceItemAttr.rawValue] == 6)
            #expect(formats[SecItemAttr.creationDateItemAttr.rawValue] == 5)
            #expect(formats[SecItemAttr.creatorItemAttr.rawValue] == 2)
            #expect(formats[SecItemAttr.serverItemAttr.rawValue] == nil)
            #expect(SecKeychainFreeAttributeInfo(info) == errSecSuccess)
        }
        #expect(SecKeychainAttributeInfoForItemID(nil, 1, nil) == errSecParam)
        var info: UnsafeMutablePointer<SecKeychainAttributeInfo>?
        #expect(SecKeychainAttributeInfoForItemID(nil, 1, &info) == errSecNoSuchClass)
    }

    // These two switches are the process's: a process of their own, so that no other test meets them.

    @Test func `where prompts are forbidden, no prompt is shown`() async {
        await #expect(processExitsWith: .success) {
            try withKeychainFolder(person: TestPerson { _ in .type(SecretData(utf8: "password")) }) { memory, _ in
                var allowed: DarwinBoolean = false
                SecKeychainGetUserInteractionAllowed(&allowed)
                try #require(allowed == true)
                var keychain: SecKeychain?
                try #require(SecKeychainCreate("a", 8, "password", false, nil, &keychain) == errSecSuccess)
                try #require(
                    SecKeychainAddGenericPassword(keychain, 1, "s", 1, "a", 1, "x", nil) == errSecSuccess)
                SecKeychainSetUserInteractionAllowed(false)
                SecKeychainGetUserInteractionAllowed(&allowed)
                try #require(allowed == false)
                SecKeychainLock(keychain)
                try #require(SecKeychainUnlock(keychain, 0, nil, false) == errSecAuthFailed)
                var length: UInt32 = 0
                try #require(
                    SecKeychainFindGenericPassword(keychain, 0, nil, 0, nil, &length, nil, nil) == errSecAuthFailed)
                try #require(SecKeychainCreate("b", 0, nil, true, nil, nil) == errSecInteractionNotAllowed)
                try #require(memory.questions.isEmpty)
                SecKeychainSetUserInteractionAllowed(true)
                try #require(SecKeychainUnlock(keychain, 0, nil, false) == errSecSuccess)
                try #require(memory.questions.count == 1)
            }
        }
    }

    @Test func `the preference domain says whose default keychain is meant`() async {
        await #expect(processExitsWith: .success) {
            try withKeychainFolder { _, _ in
                var keychain: SecKeychain?
                try #require(SecKeychainCreate("login.keychain", 1, "x", false, nil, &keychain) == errSecSuccess)
                try #require(SecKeychainSetPreferenceDomain(.system) == errSecSuccess)
                var domain = SecPreferencesDomain.user
                try #require(SecKeychainGetPreferenceDomain(&domain) == errSecSuccess)
                try #require(domain == .system)
                try #require(SecKeychainSetDefault(keychain) == errSecWrPerm)
                try #require(SecKeychainSetPreferenceDomain(.user) == errSecSuccess)
                try #require(SecKeychainSetDefault(keychain) == errSecSuccess)
            }
        }
    }
}
