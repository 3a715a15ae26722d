// SPDX-License-Identifier: Apache-2.0

/// Whether the database's rows are those that the service left, as far as it has looked.
public enum ContentsState: Hashable, Sendable {
    /// They have not been looked at yet.
    case unknown
    case asLeft
    /// They are not: so many more than there should be (fewer, if negative). None more, and still not the same, are rows of
    /// another version.
    case changed(rowsMore: Int64)
    /// What tells which rows there should be is missing, or is none of this keychain's.
    case sealDamaged
    /// The database is: some rows cannot be read, or are not found by who looks them up.
    case damaged
}
