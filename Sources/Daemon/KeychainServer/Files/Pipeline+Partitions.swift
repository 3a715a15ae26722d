// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

// The partition lists of items. Only the keychain's password allows a change (semantics 8.6).
extension Pipeline {
    /// Replaces the partition lists of items of a file, one after the other. The password is verified first, even if
    /// the keychain is unlocked, and unlocks a locked keychain.
    func setPartitions(
        _ partitions: [PartitionID], of items: [PersistentReference], in path: String, password: SecretBytes?,
        files: FileKeychains, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        let caller = context.caller
        return try files.using(path, failure: { RequestInterruption.refused($0) }) {
            keychain throws(RequestInterruption) in
            try refusing { () throws(Refusal) in
                _ = try FileKeychainPolicy.scope(of: caller)
                let given: SecretBytes
                if let password {
                    given = password
                } else {
                    given = try self.password(of: keychain, for: context)
                }
                if keychain.isLocked {
                    try keychain.unlock(with: given, by: caller.processID)
                } else {
                    try keychain.lock.verify(ProtectorSecret(.passcode, given))
                }
            }
            var changed = AuditedItems()
            for item in items {
                try keychain.pipeline.setPartitions(partitions, of: item, for: caller, after: changed)
                if case .item(let identifier) = item.target { changed.append(identifier) }
            }
            keychain.lock.noteUse()
            return (
                FileKeychainAnswer([]).frame,
                .granted(items: changed, accessGroups: [FileKeychainPolicy.group], by: .fileKeychain)
            )
        }
    }

    /// Replaces the partition list of one item of this keychain.
    ///
    /// - Precondition: the password was verified.
    private func setPartitions(
        _ partitions: [PartitionID], of item: PersistentReference, for caller: Caller, after changed: AuditedItems
    ) throws(RequestInterruption) {
        guard item.itemClass != .identity else { throw .refused(Refusal(.parameter, .none), changed) }
        let scope = try scope(of: caller, .update, nil)
        let found = try find(ItemQuery(item), in: scope, .one, .attributes, for: caller)
        guard !found.isEmpty else { throw .refused(Refusal(.itemNotFound, .none), changed) }
        guard let old = try guarded(found, for: caller).first, let new = old.access?.with(partitions: partitions) else {
            throw .refused(Refusal(.noAccessForItem, .noAccessObject), changed)
        }
        switch policy.judgeChange(of: old, to: new, by: caller, passwordWasProved: true) {
        case .allow: try changeAccess(of: item, for: caller) { $0.with(partitions: partitions) }
        // The keychain may have been locked again meanwhile.
        case .refuse(let refusal): throw .refused(refusal, changed)
        // No prompt is shown, because the password was already given for this request.
        case .ask(let request): throw .refused(request.refusalIfDenied, changed)
        }
    }
}
