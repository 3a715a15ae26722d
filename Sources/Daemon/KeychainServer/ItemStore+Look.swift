// SPDX-License-Identifier: Apache-2.0

internal import KeychainStore

extension ItemStore {
    /// Looks whether lookups find all rows there are, and tells the log what came of it. That the database is damaged is in its state
    /// of the contents afterwards.
    func lookAtIndices(warn: (String) -> Void) {
        do throws(StoreError) {
            switch try checkIndices() {
            case .whole, .damaged: break
            case .builtAnew: warn("indices of the database were damaged, and were built anew; no item is lost by that")
            }
        } catch .closed {
            // Nobody wants to know any more.
        } catch {
            warn("cannot look whether the database's indices are whole: \(error)")
        }
    }
}
