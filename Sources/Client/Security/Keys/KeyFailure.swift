// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel
internal import SecurityValues

/// The reason why a function for keys failed: a status, and an explanation without contents of keys and data.
struct KeyFailure: Error {
    let status: OSStatus
    /// A sentence without a full stop.
    let reason: String

    init(_ status: OSStatus, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    init(_ error: KeyError) {
        status = error.status.rawValue
        reason = error.reason
    }

    /// The failure of an item function that this function uses.
    init(_ failure: CallFailure) {
        status = failure.status.rawValue
        reason = failure.summary
    }

    /// A failure of the service.
    init(_ error: ClientError) {
        status = error.status.rawValue
        reason = "\(error)"
    }

    /// Programs display and compare the whole sentence, which begins as Apple's, with the typographic apostrophe.
    var object: CFError {
        let sentence = "The operation couldn\u{2019}t be completed. (OSStatus error \(status) - \(reason))"
        return NSError(
            domain: NSOSStatusErrorDomain, code: Int(status), userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}

/// Runs the body of a function that returns nil and an error on failure. On success, the error variable is not changed.
func reporting<Result>(
    to error: UnsafeMutablePointer<Unmanaged<CFError>?>?, _ work: () throws -> Result
) -> Result? {
    do {
        return try work()
    } catch let failure {
        // The caller guarantees a valid variable and takes over the reference: Apple's contract of these functions.
        unsafe error?.pointee = Unmanaged.passRetained(KeyFailure(of: failure).object)
        return nil
    }
}

extension KeyFailure {
    fileprivate init(of error: any Error) {
        switch error {
        case let error as KeyError: self.init(error)
        case let error as KeyFailure: self = error
        case let error as CallFailure: self.init(error)
        case let error as ClientError: self.init(error)
        // The text of an error of another library may be a structure of Swift.
        default: self.init(errSecInternalComponent, "the operation on the key failed")
        }
    }
}
