// SPDX-License-Identifier: Apache-2.0

// Two names that Apple's headers have spelled wrong, and that tables of all codes therefore use.

public import CFTypes

/// The same as ``errSecInvalidCRLAuthority``.
public var errSecInvaldCRLAuthority: OSStatus { errSecInvalidCRLAuthority }

/// The same as ``errSecInvalidTupleCredentials``.
public var errSecInvalidTupleCredendtials: OSStatus { errSecInvalidTupleCredentials }
