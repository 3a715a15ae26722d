// SPDX-License-Identifier: Apache-2.0

/// Whether the database has the rows that the service wrote, as far as the service has checked.
public enum ContentsState: Hashable, Sendable {
    /// The rows have not been checked yet.
    case unknown
    case asLeft
    /// The rows differ: the database has so many more than expected (fewer, if negative). With 0 more, rows have been
    /// replaced by other versions.
    case changed(rowsMore: Int64)
    /// The seal over the expected rows is missing, or belongs to another keychain.
    case sealDamaged
    /// The database is damaged: some rows cannot be read, or a lookup does not find them.
    case damaged
}
