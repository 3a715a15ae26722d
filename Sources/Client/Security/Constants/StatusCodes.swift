// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Computed, so that a code serves as a pattern: `case errSecItemNotFound:`.

public import CFTypes

/// No error.
public var errSecSuccess: OSStatus { 0 }

/// This function or operation is not implemented.
public var errSecUnimplemented: OSStatus { -4 }

/// The disk is full.
public var errSecDiskFull: OSStatus { -34 }

/// Reading or writing a file failed.
public var errSecIO: OSStatus { -36 }

/// The file is already open for writing.
public var errSecOpWr: OSStatus { -49 }

/// One or more parameters passed to a function were not valid.
public var errSecParam: OSStatus { -50 }

/// The file may not be written to.
public var errSecWrPerm: OSStatus { -61 }

/// There was not enough memory for the operation.
public var errSecAllocate: OSStatus { -108 }

/// User canceled the operation.
public var errSecUserCanceled: OSStatus { -128 }

/// The request makes no sense with these parameters or in this state.
public var errSecBadReq: OSStatus { -909 }

/// A component of the keychain failed.
public var errSecInternalComponent: OSStatus { -2070 }

/// A Core Foundation call failed for an unknown reason.
public var errSecCoreFoundationUnknown: OSStatus { -4960 }

/// The program lacks an entitlement that this operation needs.
public var errSecMissingEntitlement: OSStatus { -34018 }

/// This program is not allowed to use the interface.
public var errSecRestrictedAPI: OSStatus { -34020 }

/// No keychain is available, or the keychain service cannot be reached.
public var errSecNotAvailable: OSStatus { -25291 }

/// The keychain may only be read, not changed.
public var errSecReadOnly: OSStatus { -25292 }

/// The user name or passphrase you entered is not correct.
public var errSecAuthFailed: OSStatus { -25293 }

/// The specified keychain could not be found.
public var errSecNoSuchKeychain: OSStatus { -25294 }

/// The specified keychain is not a valid keychain file.
public var errSecInvalidKeychain: OSStatus { -25295 }

/// A keychain with the same name already exists.
public var errSecDuplicateKeychain: OSStatus { -25296 }

/// This callback function is already installed.
public var errSecDuplicateCallback: OSStatus { -25297 }

/// This callback function is not installed.
public var errSecInvalidCallback: OSStatus { -25298 }

/// The specified item already exists in the keychain.
public var errSecDuplicateItem: OSStatus { -25299 }

/// The specified item could not be found in the keychain.
public var errSecItemNotFound: OSStatus { -25300 }

/// The buffer cannot hold all the data.
public var errSecBufferTooSmall: OSStatus { -25301 }

/// The data is too large, or cannot be read in this form.
public var errSecDataTooLarge: OSStatus { -25302 }

/// Items of this class do not have the requested attribute.
public var errSecNoSuchAttr: OSStatus { -25303 }

/// The item reference is not valid; the item may have been deleted.
public var errSecInvalidItemRef: OSStatus { -25304 }

/// The search is not valid, or has already ended.
public var errSecInvalidSearchRef: OSStatus { -25305 }

/// There is no item class of this name.
public var errSecNoSuchClass: OSStatus { -25306 }

/// A default keychain could not be found.
public var errSecNoDefaultKeychain: OSStatus { -25307 }

/// User interaction is not allowed.
public var errSecInteractionNotAllowed: OSStatus { -25308 }

/// The attribute may not be changed.
public var errSecReadOnlyAttr: OSStatus { -25309 }

/// This version of the software cannot read the version of the keychain.
public var errSecWrongSecVersion: OSStatus { -25310 }

/// The key is larger or smaller than allowed.
public var errSecKeySizeNotAllowed: OSStatus { -25311 }

/// The part that stores keychain items is not available.
public var errSecNoStorageModule: OSStatus { -25312 }

/// The part that handles certificates is not available.
public var errSecNoCertificateModule: OSStatus { -25313 }

/// The part that evaluates trust policies is not available.
public var errSecNoPolicyModule: OSStatus { -25314 }

/// The operation requires a prompt, but prompts are not allowed now.
public var errSecInteractionRequired: OSStatus { -25315 }

/// The contents of the item cannot be retrieved.
public var errSecDataNotAvailable: OSStatus { -25316 }

/// The contents of the item cannot be changed.
public var errSecDataNotModifiable: OSStatus { -25317 }

/// The certificate chain could not be completed.
public var errSecCreateChainFailed: OSStatus { -25318 }

/// There is no preference domain of this kind.
public var errSecInvalidPrefsDomain: OSStatus { -25319 }

/// No prompt can be shown while the machine is awake without its display.
public var errSecInDarkWake: OSStatus { -25320 }

/// The access control list is too complex for the simple form.
public var errSecACLNotSimple: OSStatus { -25240 }

/// The trust policy could not be found.
public var errSecPolicyNotFound: OSStatus { -25241 }

/// The trust setting is not valid.
public var errSecInvalidTrustSetting: OSStatus { -25242 }

/// The item carries no access control.
public var errSecNoAccessForItem: OSStatus { -25243 }

/// The owner of the access object may not be changed this way.
public var errSecInvalidOwnerEdit: OSStatus { -25244 }

/// There is no trust result; evaluate the trust first.
public var errSecTrustNotAvailable: OSStatus { -25245 }

/// Import or export in this format is not supported.
public var errSecUnsupportedFormat: OSStatus { -25256 }

/// The format of the imported data was not recognized.
public var errSecUnknownFormat: OSStatus { -25257 }

/// The key may leave the keychain only encrypted.
public var errSecKeyIsSensitive: OSStatus { -25258 }

/// More than one private key was found where one was expected.
public var errSecMultiplePrivKeys: OSStatus { -25259 }

/// A passphrase is needed to import or export the data.
public var errSecPassphraseRequired: OSStatus { -25260 }

/// The reference to the password is not valid.
public var errSecInvalidPasswordRef: OSStatus { -25261 }

/// The record of trust settings is damaged.
public var errSecInvalidTrustSettings: OSStatus { -25262 }

/// No trust settings exist for this certificate or domain.
public var errSecNoTrustSettings: OSStatus { -25263 }

/// The integrity check of the PKCS#12 data failed; the password may be wrong.
public var errSecPkcs12VerifyFailure: OSStatus { -25264 }

/// The proposed issuer did not sign this certificate.
public var errSecNotSigner: OSStatus { -26267 }

/// The data could not be decoded.
public var errSecDecode: OSStatus { -26275 }
