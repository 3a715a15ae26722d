// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore
internal import KeychainWire

extension Pipeline {
    /// What the service says of itself and of the caller. The counts tell about other programs' items, so only the
    /// administration tool is told.
    func status(for caller: Caller) throws(Stop) -> [UInt8] {
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
        return ServiceStatus(
            version: ProductVersion.current, lockState: service.store.lockState, callerTier: caller.tier,
            callerPath: caller.displayPath, accessGroups: caller.accessGroups, itemCount: items,
            unreadableCount: unreadable, protections: service.protections, contents: contents
        ).frame
    }

    /// Takes the rows for what they should be from now on.
    func acceptContents() throws(Refusal) {
        do throws(StoreError) { try service.store.acceptContents() } catch { throw error.refusal }
        service.rules.reload()
    }
}
