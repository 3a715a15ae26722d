// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import KeychainStore

// The folders below which unsigned programs keep their items over rebuilds.
extension ServiceState {
    /// Returns the development folders in ascending order.
    func developmentFolders() throws(Refusal) -> [String] {
        guard rules.policy.allowsDevelopment else { return [] }
        do throws(StoreError) { return try store.developmentFolders().sorted() } catch { throw error.refusal }
    }

    /// Adds a development folder.
    ///
    /// - Parameter user: the user to whom the folder must belong.
    /// - Throws: `errSecParam` with the reason `machinePolicy` or `unsuitableFolder`, and without a reason for too
    ///   many.
    func trustFolder(_ path: String, of user: UInt32) throws(Refusal) {
        guard rules.policy.allowsDevelopment else { throw Refusal(.parameter, .machinePolicy) }
        guard DevelopmentFolder.isPath(path), UserOwnedFolders.include(path, of: user) else {
            throw Refusal(.parameter, .unsuitableFolder)
        }
        let known = try developmentFolders()
        guard known.contains(path) || known.count < DevelopmentFolder.limit else { throw Refusal(.parameter, .none) }
        do throws(StoreError) {
            try store.setDevelopmentFolder(path, isTrusted: true)
            // Checks all rows if they were not checked yet, before requests wait for the rules.
            _ = try store.developmentFolders()
        } catch {
            throw error.refusal
        }
        rules.reload()
    }

    /// Removes a development folder, also while the machine's policy does not allow any.
    ///
    /// - Throws: `errSecItemNotFound` for a folder that is not on the list.
    func revokeFolder(_ path: String) throws(Refusal) {
        do throws(StoreError) {
            guard try store.setDevelopmentFolder(path, isTrusted: false) else {
                throw .refused(Refusal(.itemNotFound, .none))
            }
        } catch {
            throw error.refusal
        }
        rules.reload()
    }
}
