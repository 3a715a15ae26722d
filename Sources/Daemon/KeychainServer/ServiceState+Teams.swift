// SPDX-License-Identifier: Apache-2.0

internal import KeychainCodeSigning
internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore

// The teams whose programs may hold lasting grants.
extension ServiceState {
    /// Returns the trusted teams, those of the machine's policy first.
    func trustedTeams() throws(Refusal) -> [TrustedTeam] {
        let ofMachine = rules.policy.trustedTeams
        let ofUser = try teams().subtracting(ofMachine)
        return ofMachine.sorted().map { TrustedTeam($0, isOfMachine: true) }
            + ofUser.sorted().map { TrustedTeam($0, isOfMachine: false) }
    }

    /// Adds a trusted team.
    ///
    /// - Throws: `errSecParam` for an invalid team, and for too many.
    func trustTeam(_ team: String) throws(Refusal) {
        let known = try teams()
        guard TeamIdentifier(team) != nil, known.contains(team) || known.count < TrustedTeam.limit else {
            throw Refusal(.parameter, .none)
        }
        do throws(StoreError) { try store.setTeam(team, isTrusted: true) } catch { throw error.refusal }
        rules.reload()
    }

    /// Removes a trusted team.
    ///
    /// - Throws: `errSecItemNotFound` for a team that is not on the list; `errSecParam` with the reason
    ///   `machinePolicy`.
    func distrustTeam(_ team: String) throws(Refusal) {
        guard !rules.policy.trustedTeams.contains(team) else { throw Refusal(.parameter, .machinePolicy) }
        guard try teams().contains(team) else { throw Refusal(.itemNotFound, .none) }
        do throws(StoreError) { try store.setTeam(team, isTrusted: false) } catch { throw error.refusal }
        rules.reload()
    }

    private func teams() throws(Refusal) -> Set<String> {
        do throws(StoreError) { return try store.trustedTeams() } catch { throw error.refusal }
    }
}
