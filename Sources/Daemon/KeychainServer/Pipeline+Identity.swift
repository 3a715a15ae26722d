// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainWire

extension Pipeline {
    /// How the service sees a program. Everybody may ask for itself, even one of whom nothing is known: it learns why.
    func identity(
        of subject: IdentitySubject, for caller: Caller, look: ConnectionFacts.Look
    ) throws(Stop) -> [UInt8] {
        try refusing { () throws(Refusal) in
            if subject != .caller, !caller.isAdministrationTool {
                throw Refusal(.missingEntitlement, .administrationOnly)
            }
            return service.rules.current.applied(to: try look(subject, caller)).report.frame
        }
    }
}
