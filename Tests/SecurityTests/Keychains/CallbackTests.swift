// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainTesting
import Security
import Synchronization
import Testing

/// What a callback was told, as the functions below note it at their context.
private final class Told: Sendable {
    struct Call: Equatable {
        var event: SecKeychainEvent
        var item: SecKeychainItem?
        var keychain: SecKeychain?
        var processID: Int32
    }

    private let noted = Mutex<[Call]>([])
    /// On which it was made.
    private let thread = ObjectIdentifier(Thread.current)

    var calls: [Call] { noted.withLock { $0 } }
    var events: [SecKeychainEvent] { calls.map(\.event) }
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func note(
        _ event: SecKeychainEvent, _ info: UnsafeMutablePointer<SecKeychainCallbackInfo>,
        _ context: UnsafeMutableRawPointer?
    ) -> OSStatus {
        guard let context else { return errSecParam }
        let told = Unmanaged<Told>.fromOpaque(context).takeUnretainedValue()
        #expect(ObjectIdentifier(Thread.current) == told.thread)
        #expect(info.pointee.version == 0)
        let call = Call(
            event: event, item: info.pointee.item?.takeUnretainedValue(),
            keychain: info.pointee.keychain?.takeUnretainedValue(), processID: info.pointee.pid)
        told.noted.withLock { $0.append(call) }
        endRunOfLoop()
        return errSecSuccess
    }

    /// Runs the loop of this thread until so many calls came.
    func wait(for count: Int) { wait { noted.withLock { $0.count >= count } } }

    /// Runs the loop of this thread until the condition, which each call may meet, is met, for at most 60 seconds.
    func wait(until isMet: () -> Bool) {
        let end = Date(timeIntervalSinceNow: 60)
        while !isMet(), Date() < end {
            _ = RunLoop.current.run(mode: .default, before: end)
        }
    }
}

/// Ends the run of this thread's loop after the function that it has called. Foundation for Linux offers this to sources of
/// input and not to timers; dlsym finds the functions of its Core Foundation (CFRunLoop.h) under these names.
private func endRunOfLoop() {
    typealias Current = @convention(c) () -> UnsafeMutableRawPointer
    typealias Stop = @convention(c) (UnsafeMutableRawPointer) -> Void
    guard let current = dlsym(nil, "CFRunLoopGetCurrent"), let stop = dlsym(nil, "CFRunLoopStop") else {
        // Without them the test would wait for a minute and pass. This says what another Foundation lacks.
        fatalError("the library of Foundation does not export CFRunLoopGetCurrent and CFRunLoopStop")
    }
    // dlsym returns no types. These are those of CFRunLoop.h, with a pointer for CFRunLoopRef.
    unsafeBitCast(stop, to: Stop.self)(unsafeBitCast(current, to: Current.self)())
}

/// Being told of what happens in keychains that are files (semantics 8.2). Each test has functions of its own: tests run at the same
/// time, and a function can be added once.
@Suite struct `Keychain callbacks` {
    private func created(_ name: String = "test.keychain") throws -> SecKeychain {
        var keychain: SecKeychain?
        #expect(SecKeychainCreate(name, 8, "password", false, nil, &keychain) == errSecSuccess)
        return try #require(keychain)
    }

    @discardableResult
    private func add(_ account: String, to keychain: SecKeychain) throws -> SecKeychainItem {
        var item: SecKeychainItem?
        let status = SecKeychainAddGenericPassword(
            keychain, 4, "mail", UInt32(account.utf8.count), account, 6, "secret", &item)
        #expect(status == errSecSuccess)
        return try #require(item)
    }

    @Test func `numbers and masks are Apple's`() {
        let masks: [(SecKeychainEvent, SecKeychainEventMask, UInt32)] = [
            (.lockEvent, .lockEventMask, 1), (.unlockEvent, .unlockEventMask, 2), (.addEvent, .addEventMask, 3),
            (.deleteEvent, .deleteEventMask, 4), (.updateEvent, .updateEventMask, 5),
            (.passwordChangedEvent, .passwordChangedEventMask, 6), (.defaultChangedEvent, .defaultChangedEventMask, 9),
            (.dataAccessEvent, .dataAccessEventMask, 10), (.keychainListChangedEvent, .keychainListChangedMask, 11),
            (.trustSettingsChangedEvent, .trustSettingsChangedEventMask, 12),
        ]
        for (event, mask, number) in masks {
            #expect(event.rawValue == number)
            #expect(mask.rawValue == 1 << number)
            #expect(SecKeychainEventMask.everyEventMask.contains(mask))
        }
        #expect(SecKeychainEventMask.everyEventMask.rawValue == 0xFFFF_FFFF)
    }

    @Test func `every event comes in its order, with its item, its keychain and who caused it`() throws {
        let callback: SecKeychainCallback = { Told.note($0, $1, $2) }
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let told = Told()
            #expect(SecKeychainAddCallback(callback, .everyEventMask, told.context) == errSecSuccess)
            defer { SecKeychainRemoveCallback(callback) }
            let item = try add("ann", to: keychain)
            #expect(SecKeychainItemModifyAttributesAndData(item, nil, 3, "new") == errSecSuccess)
            var access: SecAccess?
            #expect(SecKeychainItemCopyAccess(item, &access) == errSecSuccess)
            #expect(SecKeychainItemSetAccess(item, try #require(access)) == errSecSuccess)
            #expect(SecKeychainItemDelete(item) == errSecSuccess)
            #expect(SecKeychainLock(keychain) == errSecSuccess)
            #expect(SecKeychainUnlock(keychain, 8, "password", true) == errSecSuccess)
            #expect(SecKeychainSetSearchList([keychain] as CFArray) == errSecSuccess)
            #expect(SecKeychainSetDefault(keychain) == errSecSuccess)
            told.wait(for: 9)
            let inItem = [SecKeychainEvent.addEvent, .deleteEvent, .addEvent, .updateEvent, .deleteEvent]
            #expect(
                told.calls == inItem.map { .init(event: $0, item: item, keychain: keychain, processID: 1) } + [
                    .init(event: .lockEvent, keychain: keychain, processID: 1),
                    .init(event: .unlockEvent, keychain: keychain, processID: 1),
                    .init(event: .keychainListChangedEvent, processID: 1),
                    .init(event: .defaultChangedEvent, keychain: keychain, processID: 1),
                ])
        }
    }

    @Test func `only what the mask says comes, and of a change what it says of that`() throws {
        let callback: SecKeychainCallback = { Told.note($0, $1, $2) }
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let told = Told()
            #expect(
                SecKeychainAddCallback(callback, [.deleteEventMask, .unlockEventMask], told.context) == errSecSuccess)
            defer { SecKeychainRemoveCallback(callback) }
            let item = try add("ann", to: keychain)
            #expect(SecKeychainItemModifyAttributesAndData(item, nil, 3, "new") == errSecSuccess)
            #expect(SecKeychainLock(keychain) == errSecSuccess)
            #expect(SecKeychainUnlock(keychain, 8, "password", true) == errSecSuccess)
            told.wait(for: 2)
            #expect(told.events == [.deleteEvent, .unlockEvent])
        }
    }

    @Test func `items of the data-protection keychain are none of a callback's`() throws {
        let callback: SecKeychainCallback = { Told.note($0, $1, $2) }
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let told = Told()
            #expect(SecKeychainAddCallback(callback, .everyEventMask, told.context) == errSecSuccess)
            defer { SecKeychainRemoveCallback(callback) }
            let plain: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "plain"]
            #expect(SecItemAdd(plain as CFDictionary, nil) == errSecSuccess)
            let item = try add("ann", to: keychain)
            told.wait(for: 1)
            #expect(told.calls == [.init(event: .addEvent, item: item, keychain: keychain, processID: 1)])
        }
    }

    @Test func `a function is added once and removed once`() throws {
        let callback: SecKeychainCallback = { Told.note($0, $1, $2) }
        try withKeychainFolder { _, _ in
            #expect(SecKeychainRemoveCallback(callback) == errSecInvalidCallback)
            #expect(SecKeychainAddCallback(callback, .lockEventMask, nil) == errSecSuccess)
            #expect(SecKeychainAddCallback(callback, .everyEventMask, nil) == errSecDuplicateCallback)
            #expect(SecKeychainRemoveCallback(callback) == errSecSuccess)
            #expect(SecKeychainRemoveCallback(callback) == errSecInvalidCallback)
            #expect(SecKeychainAddCallback(callback, .lockEventMask, nil) == errSecSuccess)
            #expect(SecKeychainRemoveCallback(callback) == errSecSuccess)
        }
    }

    @Test func `a global function is the same wherever it is named`() throws {
        try withKeychainFolder { _, _ in
            #expect(SecKeychainAddCallback(namedCallback, .lockEventMask, nil) == errSecSuccess)
            let again: SecKeychainCallback = namedCallback
            #expect(SecKeychainAddCallback(again, .lockEventMask, nil) == errSecDuplicateCallback)
            #expect(SecKeychainRemoveCallback(again) == errSecSuccess)
        }
    }

    @Test func `closures of the same code that capture other things are other functions`() throws {
        func callback(_ number: Int32) -> SecKeychainCallback { { _, _, _ in number } }
        try withKeychainFolder { _, _ in
            let (first, second) = (callback(1), callback(2))
            #expect(SecKeychainAddCallback(first, .lockEventMask, nil) == errSecSuccess)
            #expect(SecKeychainAddCallback(second, .lockEventMask, nil) == errSecSuccess)
            #expect(SecKeychainAddCallback(first, .lockEventMask, nil) == errSecDuplicateCallback)
            #expect(SecKeychainRemoveCallback(first) == errSecSuccess)
            #expect(SecKeychainRemoveCallback(second) == errSecSuccess)
        }
    }

    @Test func `a removed callback is not called, whatever was on its way`() throws {
        let removed: SecKeychainCallback = { Told.note($0, $1, $2) }
        let kept: SecKeychainCallback = { Told.note($0, $1, $2) + 0 }
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let (first, second) = (Told(), Told())
            #expect(SecKeychainAddCallback(removed, .addEventMask, first.context) == errSecSuccess)
            #expect(SecKeychainAddCallback(kept, .addEventMask, second.context) == errSecSuccess)
            defer { SecKeychainRemoveCallback(kept) }
            try add("ann", to: keychain)
            #expect(SecKeychainRemoveCallback(removed) == errSecSuccess)
            try add("bob", to: keychain)
            second.wait(for: 2)
            #expect(second.events == [.addEvent, .addEvent])
            #expect(first.events == [])
        }
    }

    @Test func `a callback may remove itself`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let (told, other) = (Told(), Told())
            let fence: SecKeychainCallback = { Told.note($0, $1, $2) }
            #expect(SecKeychainAddCallback(removingItself, .addEventMask, told.context) == errSecSuccess)
            try add("ann", to: keychain)
            try add("bob", to: keychain)
            told.wait(for: 1)
            #expect(SecKeychainAddCallback(fence, .addEventMask, other.context) == errSecSuccess)
            try add("eve", to: keychain)
            other.wait(for: 1)
            #expect(SecKeychainRemoveCallback(fence) == errSecSuccess)
            #expect(told.events == [.addEvent])
            #expect(SecKeychainRemoveCallback(removingItself) == errSecInvalidCallback)
        }
    }

    @Test func `what happens while a thread does not run its loop waits for it, in order`() throws {
        let callback: SecKeychainCallback = { Told.note($0, $1, $2) }
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let told = Told()
            let mask: SecKeychainEventMask = [.lockEventMask, .unlockEventMask]
            #expect(SecKeychainAddCallback(callback, mask, told.context) == errSecSuccess)
            defer { SecKeychainRemoveCallback(callback) }
            for _ in 0..<250 {
                SecKeychainLock(keychain)
                SecKeychainUnlock(keychain, 8, "password", true)
            }
            #expect(told.events.isEmpty)
            told.wait(for: 500)
            #expect(told.events == (0..<250).flatMap { _ in [SecKeychainEvent.lockEvent, .unlockEvent] })
        }
    }

    @Test func `for a thread that does not run its loop the first 1024 events wait, and later ones go on from there`()
        throws
    {
        let callback: SecKeychainCallback = { Told.note($0, $1, $2) }
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let told = Told()
            #expect(
                SecKeychainAddCallback(callback, [.lockEventMask, .unlockEventMask, .addEventMask], told.context)
                    == errSecSuccess)
            defer { SecKeychainRemoveCallback(callback) }
            // Far more than wait: the thread that receives them may be some behind when the loop begins to run.
            let pairs = 1200
            for _ in 0..<pairs {
                SecKeychainLock(keychain)
                SecKeychainUnlock(keychain, 8, "password", true)
            }
            told.wait(for: 1024)
            try add("ann", to: keychain)
            told.wait { told.events.last == .addEvent }
            let events = told.events
            #expect(
                events.prefix(1024) == (0..<512).flatMap { _ in [SecKeychainEvent.lockEvent, .unlockEvent] }[...])
            #expect(events.last == .addEvent)
            #expect(events.count < 2 * pairs)
        }
    }

    @Test func `a forked process has none of the callbacks, and the first process keeps them`() async {
        await #expect(processExitsWith: .success) {
            let callback: SecKeychainCallback = { Told.note($0, $1, $2) }
            try withKeychainFolder { _, _ in
                var keychain: SecKeychain?
                try #require(SecKeychainCreate("k", 8, "password", false, nil, &keychain) == errSecSuccess)
                let told = Told()
                try #require(SecKeychainAddCallback(callback, .lockEventMask, told.context) == errSecSuccess)
                // Swift hides fork, for good reasons; C programs that use this library fork all the same. What dlsym finds under this
                // name is the C function of that type (fork(2)).
                typealias Fork = @convention(c) () -> pid_t
                let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
                let child = fork()
                if child == 0 { _exit(SecKeychainRemoveCallback(callback) == errSecInvalidCallback ? 0 : 1) }
                var status: Int32 = -1
                try #require(waitpid(child, &status, 0) == child && status == 0)
                try #require(SecKeychainLock(keychain) == errSecSuccess)
                told.wait(for: 1)
                try #require(told.events == [.lockEvent])
                try #require(SecKeychainRemoveCallback(callback) == errSecSuccess)
            }
        }
    }

    @Test func `a callback goes on when the service was stopped and started again`() throws {
        let callback: SecKeychainCallback = { Told.note($0, $1, $2) }
        try withKeychainFolder { memory, _ in
            let keychain = try created()
            let told = Told()
            #expect(SecKeychainAddCallback(callback, .everyEventMask, told.context) == errSecSuccess)
            defer { SecKeychainRemoveCallback(callback) }
            memory.endChangeStreams()
            // Events that happen before the callback has connected again do not reach it, so they are repeated.
            let events = Timer(timeInterval: 0.01, repeats: true) { _ in
                SecKeychainLock(keychain)
                SecKeychainUnlock(keychain, 8, "password", true)
            }
            RunLoop.current.add(events, forMode: .default)
            defer { events.invalidate() }
            told.wait(for: 1)
            #expect(!told.events.isEmpty)
        }
    }

    @Test func `where there is no service, no callback is added`() throws {
        let callback: SecKeychainCallback = { Told.note($0, $1, $2) }
        try withKeychainFolder { memory, _ in
            memory.refuseCalls(with: .notAvailable)
            #expect(SecKeychainAddCallback(callback, .everyEventMask, nil) == errSecNotAvailable)
            memory.refuseCalls(with: nil)
            #expect(SecKeychainRemoveCallback(callback) == errSecInvalidCallback)
        }
    }
}

private func namedCallback(
    _ event: SecKeychainEvent, _ info: UnsafeMutablePointer<SecKeychainCallbackInfo>,
    _ context: UnsafeMutableRawPointer?
) -> OSStatus { errSecSuccess }

private func removingItself(
    _ event: SecKeychainEvent, _ info: UnsafeMutablePointer<SecKeychainCallbackInfo>,
    _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    #expect(SecKeychainRemoveCallback(removingItself) == errSecSuccess)
    return Told.note(event, info, context)
}
