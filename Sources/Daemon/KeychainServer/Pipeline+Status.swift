// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore
internal import KeychainWire

extension Pipeline {
    /// Returns the service's status and the caller's. The counts reveal facts about other programs' items, so only the
    /// administration tool receives them.
    func status(for caller: Caller) throws(RequestInterruption) -> [UInt8] {
        var items: UInt64?
        var unreadable: UInt64?
        var contents: ContentsState?
        if caller.isAdministrationTool {
            do throws(StoreError) {
                let statistics = try service.store.statistics()
                items = UInt64(statistics.items.values.reduce(0, +))
                unreadable = UInt64(statistics.unreadable)
                contents = service.store.contentsState
            } catch {
                throw .refused(error.refusal)
            }
        }
        var protections = service.protections
        if let authorization = authorizationProtection(for: caller) { protections.append(authorization) }
        return ServiceStatus(
            version: ProductVersion.current, lockState: service.store.lockState, callerTier: caller.tier,
            callerPath: caller.displayPath, accessGroups: caller.accessGroups, itemCount: items,
            unreadableCount: unreadable, protections: protections, contents: contents
        ).frame
    }

    /// Returns how the owner authorizes operations that loosen the protection of a keychain without a passcode, for the
    /// command alone; nil if a passcode or root proves the owner, and in a user service.
    private func authorizationProtection(for caller: Caller) -> String? {
        guard caller.isAdministrationTool, caller.userID != 0, !service.lock.isProtected,
            let authority = service.ownerAuthority
        else { return nil }
        return switch authority.presence() {
        case .present: OwnerAuthorityState.present.rawValue
        case .absent where service.rules.policy.requiresAuthorization: OwnerAuthorityState.absentAndRequired.rawValue
        case .absent: OwnerAuthorityState.absent.rawValue
        case .unanswered: OwnerAuthorityState.unanswered.rawValue
        }
    }

    /// Accepts the current rows as valid.
    func acceptContents() throws(Refusal) {
        do throws(StoreError) { try service.store.acceptContents() } catch { throw error.refusal }
        service.rules.reload()
    }
}
