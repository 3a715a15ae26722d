// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel

/// Why a function on keys did not do what it was asked: a status, and a reason that holds nothing of keys and data.
struct KeyFailure: Error {
    let status: OSStatus
    /// A sentence without a full stop.
    let reason: String

    init(_ status: OSStatus, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    init(_ error: KeyError) {
        switch error.kind {
        case .invalid, .unsupportedAlgorithm: status = errSecParam
        case .sizeNotAllowed: status = errSecKeySizeNotAllowed
        case .verificationFailed: status = errSecVerifyFailed
        case .failed: status = errSecInternalComponent
        }
        reason = error.reason
    }

    /// Of an item function that this one is made of.
    init(_ failure: CallFailure) {
        status = failure.status.rawValue
        reason = failure.summary
    }

    /// From the service.
    init(_ error: ClientError) {
        status = error.status.rawValue
        reason = "\(error)"
    }

    /// Programs show and compare the whole sentence, which begins as Apple's, with the typographic apostrophe.
    var object: CFError {
        let sentence = "The operation couldn\u{2019}t be completed. (OSStatus error \(status) - \(reason))"
        return NSError(
            domain: NSOSStatusErrorDomain, code: Int(status), userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}

/// The work of a function that gives nil and an error where it fails. Without an error, the variable keeps what it held.
func reporting<Result>(
    to error: UnsafeMutablePointer<Unmanaged<CFError>?>?, _ work: () throws -> Result
) -> Result? {
    let failure: KeyFailure
    do {
        return try work()
    } catch let error as KeyError {
        failure = KeyFailure(error)
    } catch let error as KeyFailure {
        failure = error
    } catch {
        failure = KeyFailure(errSecInternalComponent, "\(error)")
    }
    // The caller vouches for the variable, and takes over the reference: Apple's contract of these functions.
    unsafe error?.pointee = Unmanaged.passRetained(failure.object)
    return nil
}
