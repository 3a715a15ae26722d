// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainModel
internal import KeychainTransfer

extension CallFailure {
    /// A status of Apple's that the service never returns.
    init(transfer status: OSStatus, _ reason: String) {
        self.init(StatusCode(rawValue: status), reason)
    }

    /// The status for a file in `SecPKCS12Import` (semantics 6.7).
    init(importingPKCS12 error: TransferError) {
        let status =
            switch error.kind {
            case .unknownFormat, .malformed, .tooLong, .tooExpensive, .unsupported: errSecDecode
            case .passphraseRequired, .wrongPassphrase: errSecAuthFailed
            }
        self.init(transfer: status, error.description)
    }
}

extension Passphrase {
    /// - Parameter object: CFString or CFData.
    /// - Throws: `errSecParam` for any other object.
    init(object: Any, _ name: String) throws(CallFailure) {
        switch DictionaryValue(object) {
        case .text(let text): self.init(text)
        case .data(let data): self.init(data)
        case .truth, .number, .date, .other: throw CallFailure(.parameter, "\(name) is neither a string nor data")
        }
    }
}
