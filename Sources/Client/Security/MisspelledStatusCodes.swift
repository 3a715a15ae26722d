// SPDX-License-Identifier: Apache-2.0

// Names that Apple's headers have spelled differently, and that tables of all codes therefore use.

public import CFTypes

/// The same as ``errSecInvalidCRLAuthority``.
public var errSecInvaldCRLAuthority: OSStatus { errSecInvalidCRLAuthority }

/// The same as ``errSecInvalidTupleCredentials``.
public var errSecInvalidTupleCredendtials: OSStatus { errSecInvalidTupleCredentials }

/// The same as ``errSecDiskFull``, by its first name.
public var errSecDskFull: OSStatus { errSecDiskFull }
