// SPDX-License-Identifier: Apache-2.0

internal import CCryptoki
internal import KeychainKeys
internal import Synchronization

/// A session of a program with the token.
final class Session: Sendable {
    let handle: CK_SESSION_HANDLE
    let isReadWrite: Bool
    private let operations = Mutex(Operations())

    init(_ handle: CK_SESSION_HANDLE, isReadWrite: Bool) {
        self.handle = handle
        self.isReadWrite = isReadWrite
    }

    /// Runs a part of an operation. A request can wait for a prompt meanwhile, so a second thread does not wait.
    ///
    /// - Throws: `CKR_OPERATION_ACTIVE` while another thread uses the session.
    func operating<R: Sendable>(_ body: (inout Operations) throws(CryptokiError) -> R) throws(CryptokiError) -> R {
        let result: Result<R, CryptokiError>? = operations.withLockIfAvailable { operations in
            do throws(CryptokiError) { return .success(try body(&operations)) } catch { return .failure(error) }
        }
        guard let result else { throw CryptokiError(CKR_OPERATION_ACTIVE) }
        return try result.get()
    }
}

/// The operations of a session; at most one of each kind.
struct Operations {
    struct Signature {
        let key: TokenObject
        var input: SignatureInput
        /// Whether parts of the data have arrived already.
        var isInParts = false
    }

    struct Decryption {
        let key: TokenObject
        let algorithm: KeyAlgorithm
        /// The result, if the room of the program was too small for it.
        var plaintext: [UInt8]?
    }

    /// The handles that were found and not fetched yet.
    var search: ArraySlice<CK_OBJECT_HANDLE>?
    var signing: Signature?
    var verifying: Signature?
    var decrypting: Decryption?
    var encrypting: Decryption?
}

/// A result of variable length.
public enum Output: Sendable {
    /// The program asks for the length alone.
    case length(Int)
    /// The room of the program is smaller than this length.
    case tooSmall(Int)
    case bytes([UInt8])

    /// Returns the answer where the length is known before the result.
    ///
    /// - Parameter room: the program's room in bytes; nil if it asks for the length.
    static func before(_ length: Int, room: Int?) -> Output? {
        guard let room else { return .length(length) }
        return room < length ? .tooSmall(length) : nil
    }
}
