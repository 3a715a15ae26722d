// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import KeychainClient
internal import KeychainModel
internal import Synchronization

/// A function that is called for keychain events. Each callback has a connection to the service and a thread that reads
/// from it; without callbacks there are neither.
final class EventCallback: Sendable {
    private struct Event {
        let kind: SecKeychainEvent
        let item: SecKeychainItem?
        let keychain: SecKeychain?
        let processID: Int32
    }

    private struct State {
        var isRemoved = false
        var stream: (any KeychainNoticeStream)?
        var waiting: [Event] = []
        /// Whether the thread will process the pending events without another notification.
        var isScheduled = false
    }

    /// The maximum number of events that are pending for a thread that does not run its loop; later events are dropped
    /// until it does.
    private static let waitingLimit = 1024

    private static let registered = Mutex<[CalledFunction.Identity: EventCallback]>([:])

    private let state = Mutex(State())
    private let function: CalledFunction
    private let mask: SecKeychainEventMask
    private let thread = CallbackThread()
    /// After a fork, the new process has no reading thread, and the connection belongs to the old process.
    private let processID = ProcessInfo.processInfo.processIdentifier
    private let client = KeychainClient.current
    private let removal = DispatchSemaphore(value: 0)

    init(_ function: CalledFunction, _ mask: SecKeychainEventMask) {
        self.function = function
        self.mask = mask
    }

    deinit { thread.leave() }

    /// Returns the callback with this function that was added in this process.
    static func registered(_ function: CalledFunction) -> EventCallback? {
        guard let callback = registered.withLock({ $0[function.identity] }), callback.belongsToThisProcess else {
            return nil
        }
        return callback
    }

    private var belongsToThisProcess: Bool { processID == ProcessInfo.processInfo.processIdentifier }

    /// - Returns: false if a callback with the same function exists.
    func register() -> Bool {
        let identity = function.identity
        return Self.registered.withLock { registered in
            guard registered[identity]?.belongsToThisProcess != true else { return false }
            registered[identity] = self
            return true
        }
    }

    /// When this returns, no later event is missed.
    func start() throws(CallFailure) {
        let stream = try asking(.keychain) { _ throws(ClientError) in try client.watchKeychains(mask.filter) }
        state.withLock { $0.stream = stream }
        Thread { self.read(stream) }.start()
    }

    func remove() {
        let identity = function.identity
        Self.registered.withLock { registered in
            if registered[identity] === self { registered[identity] = nil }
        }
        let stream = state.withLock { state in
            state.isRemoved = true
            state.waiting = []
            return state.stream.take()
        }
        stream?.cancel()
        thread.leave()
        removal.signal()
    }

    private var isRemoved: Bool { state.withLock(\.isRemoved) }

    // MARK: Events from the service

    private func read(_ first: any KeychainNoticeStream) {
        var stream = first
        while true {
            do throws(ClientError) {
                while let notice = try stream.next() { put(notice) }
                return
            } catch {
                guard let next = connectAgain() else { return }
                stream = next
            }
        }
    }

    /// - Returns: nil after the callback was removed.
    private func connectAgain() -> (any KeychainNoticeStream)? {
        var delay = 1
        while !isRemoved {
            if let stream = try? client.watchKeychains(mask.filter) {
                let isRemoved = state.withLock { state in
                    if !state.isRemoved { state.stream = stream }
                    return state.isRemoved
                }
                guard isRemoved else { return stream }
                stream.cancel()
                return nil
            }
            // Retried until another service is available or the callback is removed.
            _ = removal.wait(timeout: .now() + .seconds(delay))
            delay = min(2 * delay, 60)
        }
        return nil
    }

    private func put(_ notice: KeychainNotice) {
        let keychain = notice.keychain.map { SecKeychain.at($0) }
        var item: SecKeychainItem?
        if let keychain, let reference = notice.item { item = SecKeychainItem(keychain, reference) }
        let events = SecKeychainEvent.all(of: notice.kind).filter(mask.contains).map {
            Event(kind: $0, item: item, keychain: keychain, processID: notice.processID)
        }
        let hasToBeScheduled = state.withLock { state in
            guard !state.isRemoved else { return false }
            state.waiting += events.prefix(max(0, Self.waitingLimit - state.waiting.count))
            guard !state.waiting.isEmpty, !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        if hasToBeScheduled { thread.perform { [weak self] in self?.deliver() } }
    }

    // MARK: Calls of the program

    /// Delivers the pending events. Events that arrive in the meantime are delivered in a separate turn, so that the
    /// thread can do other work.
    private func deliver() {
        guard belongsToThisProcess else { return }
        let events = state.withLock { state in
            state.isScheduled = false
            defer { state.waiting = [] }
            return state.waiting
        }
        // The function may remove itself.
        for event in events where !isRemoved { call(event) }
    }

    private func call(_ event: Event) {
        withExtendedLifetime((event.item, event.keychain)) {
            var info = unsafe SecKeychainCallbackInfo(
                version: 0, item: event.item.map { unsafe .passUnretained($0) },
                keychain: event.keychain.map { unsafe .passUnretained($0) }, pid: event.processID)
            unsafe function.call(event.kind, &info)
        }
    }
}

/// A program's function and its context. The caller that adds it guarantees both until it is removed.
@safe struct CalledFunction: Sendable {
    /// A Swift function is two words: the address of its code, and the values that it captures. The second is retained
    /// as long as the function.
    struct Identity: Hashable {
        let code: UInt
        let captures: UInt
    }

    /// A field stores the function unchanged; an argument of generic type would be wrapped anew each time.
    @safe private struct Field {
        let function: SecKeychainCallback
    }

    private let function: SecKeychainCallback
    /// An address.
    private let context: UInt
    let identity: Identity

    init(_ function: @escaping SecKeychainCallback, _ context: UnsafeMutableRawPointer? = nil) {
        unsafe self.function = function
        self.context = UInt(bitPattern: context)
        // Swift does not compare functions, and Apple's contract requires the same function: the words are only
        // compared, and never called or retained. The sizes are checked at run time.
        let words = unsafe unsafeBitCast(Field(function: function), to: (UInt, UInt).self)
        identity = Identity(code: words.0, captures: words.1)
    }

    @unsafe func call(_ event: SecKeychainEvent, _ info: UnsafeMutablePointer<SecKeychainCallbackInfo>) {
        _ = unsafe function(event, info, UnsafeMutableRawPointer(bitPattern: context))
    }
}

/// The thread whose run loop calls the program.
///
/// `@unchecked Sendable`: other threads add timers to its loop and invalidate them, which Core Foundation allows
/// (CFRunLoop locks itself) and Foundation for Linux does not declare. Only its own thread runs the loop.
private struct CallbackThread: @unchecked Sendable {
    /// Nil for the main thread, whose run loop serves the main queue.
    private let loop: RunLoop?
    /// An empty run loop ends at once.
    private let presence: Timer?

    init() {
        guard !Thread.isMainThread else {
            (loop, presence) = (nil, nil)
            return
        }
        let presence = Timer(timeInterval: 1e9, repeats: true) { _ in }
        RunLoop.current.add(presence, forMode: .default)
        (loop, self.presence) = (RunLoop.current, presence)
    }

    func perform(_ body: @escaping @Sendable () -> Void) {
        guard let loop else { return DispatchQueue.main.async(execute: body) }
        // Unlike a block, a timer wakes the loop.
        loop.add(Timer(timeInterval: 0, repeats: false) { _ in body() }, forMode: .default)
    }

    /// The run loop does not have to continue for this callback.
    func leave() { presence?.invalidate() }
}
