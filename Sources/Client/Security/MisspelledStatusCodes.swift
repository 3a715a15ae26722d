// SPDX-License-Identifier: Apache-2.0

// Other spellings of names in Apple's headers, which tables of all codes therefore contain.

public import CFTypes

/// The same as ``errSecInvalidCRLAuthority``.
public var errSecInvaldCRLAuthority: OSStatus { errSecInvalidCRLAuthority }

/// The same as ``errSecInvalidTupleCredentials``.
public var errSecInvalidTupleCredendtials: OSStatus { errSecInvalidTupleCredentials }

/// The same as ``errSecDiskFull``; its earlier name.
public var errSecDskFull: OSStatus { errSecDiskFull }
