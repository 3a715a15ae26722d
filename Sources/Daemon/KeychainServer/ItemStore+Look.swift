// SPDX-License-Identifier: Apache-2.0

internal import KeychainStore

extension ItemStore {
    /// Checks whether lookups find all existing rows, and logs the result. If the database is damaged, the state of the
    /// contents reports it afterwards.
    func lookAtIndices(warn: (String) -> Void) {
        do throws(StoreError) {
            switch try checkIndices() {
            case .whole, .damaged: break
            case .builtAnew: warn("indices of the database were damaged and have been rebuilt; no item was lost")
            }
        } catch .closed {
            // The store is closing.
        } catch {
            warn("cannot check the indices of the database: \(error)")
        }
    }
}
