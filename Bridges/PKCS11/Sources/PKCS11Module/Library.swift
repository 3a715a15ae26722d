// SPDX-License-Identifier: Apache-2.0

internal import CCryptoki
internal import Glibc
internal import KeychainClient
internal import PKCS11
internal import Synchronization

/// The module of this process.
enum Library {
    /// The module, and the process to which it belongs.
    private final class Instance: Sendable {
        let process = getpid()
        let module = CryptokiModule { () throws(CryptokiError) in try Library.token() }
    }

    private static let current = unsafe Atomic<Unmanaged<Instance>?>(nil)

    /// Returns the module that this process initialized.
    ///
    /// - Throws: `CKR_CRYPTOKI_NOT_INITIALIZED`, also in a process that was forked after the initialization.
    static func module() throws(CryptokiError) -> CryptokiModule {
        guard let instance, instance.process == getpid() else { throw CryptokiError(CKR_CRYPTOKI_NOT_INITIALIZED) }
        return instance.module
    }

    /// Initializes the module. A forked process gets one of its own. It leaves that of its parent untouched, because a thread of
    /// the parent may have held a lock in it, and because the connections belong to the parent.
    static func initialize() throws(CryptokiError) {
        while true {
            let old = unsafe current.load(ordering: .acquiring)
            if let existing = try? module() { return try existing.initialize() }
            let new = unsafe Unmanaged.passRetained(Instance())
            let isStored = unsafe current.compareExchange(
                expected: old, desired: new, ordering: .acquiringAndReleasing
            ).exchanged
            // Another thread was first.
            if !isStored { unsafe new.release() }
        }
    }

    private static var instance: Instance? {
        // An instance is never released once it is stored.
        unsafe current.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// Returns the keychain, with the rights that each program has through a bridge: it lists the keys and the certificates
    /// of all programs, and uses its own.
    private static func token() throws(CryptokiError) -> KeychainToken {
        let process = chatelaine_own_process()
        guard process >= 0 else { throw CryptokiError(CKR_GENERAL_ERROR) }
        defer { close(process) }
        let client: KeychainClient
        do throws(ClientError) {
            client = try .onBehalf(ofProcess: process, timeout: longestSearch)
        } catch {
            throw CryptokiError(CKR_GENERAL_ERROR)
        }
        return try KeychainToken(listing: client, using: client.separate())
    }

    /// A program that lists objects does not wait longer for a service that does not answer.
    private static let longestSearch: Duration = .seconds(10)
}
