// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainWire

extension Pipeline {
    /// Returns how the service identifies a program. Every caller may ask for itself, even an unidentified one: it
    /// receives the reason. An identified caller may ask about a program's file, to trust it with an item of a file
    /// keychain: it could determine the same from its user's files itself.
    func identity(
        of subject: IdentitySubject, for caller: Caller, look: RequestConnection.Look
    ) throws(RequestInterruption) -> [UInt8] {
        try refusing { () throws(Refusal) in
            let mayAsk =
                switch subject {
                case .caller: true
                case .program: caller.tier != .unidentified || caller.isAdministrationTool
                case .process: caller.isAdministrationTool
                }
            guard mayAsk else { throw Refusal(.missingEntitlement, .administrationOnly) }
            return service.rules.current.applied(to: try look(subject, caller)).report.frame
        }
    }
}
