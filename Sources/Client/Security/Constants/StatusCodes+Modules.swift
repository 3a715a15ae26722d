// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Computed, so that a code serves as a pattern: `case errSecItemNotFound:`.

public import CFTypes

/// The service that the operation needs is not available.
public var errSecServiceNotAvailable: OSStatus { -67585 }

/// The program could not be identified well enough for this operation.
public var errSecInsufficientClientID: OSStatus { -67586 }

/// The device was reset during the operation.
public var errSecDeviceReset: OSStatus { -67587 }

/// The device no longer works.
public var errSecDeviceFailed: OSStatus { -67588 }

/// An application was added to the access control list.
public var errSecAppleAddAppACLSubject: OSStatus { -67589 }

/// The public key lacks a part, such as the parameters of its algorithm.
public var errSecApplePublicKeyIncomplete: OSStatus { -67590 }

/// The signature of the program differs from the recorded one.
public var errSecAppleSignatureMismatch: OSStatus { -67591 }

/// The date from which the key is valid makes no sense.
public var errSecAppleInvalidKeyStartDate: OSStatus { -67592 }

/// The date until which the key is valid makes no sense.
public var errSecAppleInvalidKeyEndDate: OSStatus { -67593 }

/// A value could not be converted to the form that is needed.
public var errSecConversionError: OSStatus { -67594 }

/// The connection was forced back to SSL version 2.
public var errSecAppleSSLv2Rollback: OSStatus { -67595 }

/// The storage quota is used up.
public var errSecQuotaExceeded: OSStatus { -67596 }

/// The file is too large to be handled.
public var errSecFileTooBig: OSStatus { -67597 }

/// A record of the keychain database is damaged.
public var errSecInvalidDatabaseBlob: OSStatus { -67598 }

/// The stored form of the key is damaged.
public var errSecInvalidKeyBlob: OSStatus { -67599 }

/// The keychain database was written by an incompatible version.
public var errSecIncompatibleDatabaseBlob: OSStatus { -67600 }

/// The stored form of the key comes from an incompatible version.
public var errSecIncompatibleKeyBlob: OSStatus { -67601 }

/// The certificate does not name this host.
public var errSecHostNameMismatch: OSStatus { -67602 }

/// An extension that is not understood is marked critical.
public var errSecUnknownCriticalExtensionFlag: OSStatus { -67603 }

/// The certificate has no basic constraints extension.
public var errSecNoBasicConstraints: OSStatus { -67604 }

/// The basic constraints do not say that this certificate belongs to an authority.
public var errSecNoBasicConstraintsCA: OSStatus { -67605 }

/// The authority key identifier is not valid.
public var errSecInvalidAuthorityKeyID: OSStatus { -67606 }

/// The subject key identifier is not valid.
public var errSecInvalidSubjectKeyID: OSStatus { -67607 }

/// The key usage of the certificate does not suit the policy.
public var errSecInvalidKeyUsageForPolicy: OSStatus { -67608 }

/// The extended key usage of the certificate does not suit the policy.
public var errSecInvalidExtendedKeyUsage: OSStatus { -67609 }

/// The key identifiers of the certificate and its issuer do not fit together.
public var errSecInvalidIDLinkage: OSStatus { -67610 }

/// The certificate chain is longer than one of its authorities allows.
public var errSecPathLengthConstraintExceeded: OSStatus { -67611 }

/// The root certificate, or its signature, is not valid.
public var errSecInvalidRoot: OSStatus { -67612 }

/// The certificate revocation list has expired.
public var errSecCRLExpired: OSStatus { -67613 }

/// The certificate revocation list is not valid yet.
public var errSecCRLNotValidYet: OSStatus { -67614 }

/// The certificate revocation list could not be found.
public var errSecCRLNotFound: OSStatus { -67615 }

/// The server of the certificate revocation list does not answer.
public var errSecCRLServerDown: OSStatus { -67616 }

/// The address of the certificate revocation list is malformed.
public var errSecCRLBadURI: OSStatus { -67617 }

/// The certificate has an extension that is not understood.
public var errSecUnknownCertExtension: OSStatus { -67618 }

/// The certificate revocation list has an extension that is not understood.
public var errSecUnknownCRLExtension: OSStatus { -67619 }

/// The certificate revocation list does not come from a trusted signer.
public var errSecCRLNotTrusted: OSStatus { -67620 }

/// The certificate revocation list failed the check of its policy.
public var errSecCRLPolicyFailed: OSStatus { -67621 }

/// The issuing distribution point of the revocation list does not fit the certificate.
public var errSecIDPFailure: OSStatus { -67622 }

/// The certificate does not contain the expected mail address.
public var errSecSMIMEEmailAddressesNotFound: OSStatus { -67623 }

/// The extended key usage of the certificate does not allow secure mail.
public var errSecSMIMEBadExtendedKeyUsage: OSStatus { -67624 }

/// The key usage of the certificate does not allow secure mail.
public var errSecSMIMEBadKeyUsage: OSStatus { -67625 }

/// The key usage of the secure mail certificate is not marked critical.
public var errSecSMIMEKeyUsageNotCritical: OSStatus { -67626 }

/// The secure mail certificate contains no mail address.
public var errSecSMIMENoEmailAddress: OSStatus { -67627 }

/// The subject alternative name of the secure mail certificate is not marked critical.
public var errSecSMIMESubjAltNameNotCritical: OSStatus { -67628 }

/// The extended key usage of the certificate does not allow TLS.
public var errSecSSLBadExtendedKeyUsage: OSStatus { -67629 }

/// The OCSP responder sent an answer that is malformed or does not match.
public var errSecOCSPBadResponse: OSStatus { -67630 }

/// The OCSP request is malformed.
public var errSecOCSPBadRequest: OSStatus { -67631 }

/// The OCSP service cannot be reached.
public var errSecOCSPUnavailable: OSStatus { -67632 }

/// The OCSP responder does not know this certificate.
public var errSecOCSPStatusUnrecognized: OSStatus { -67633 }

/// The end of the data was reached.
public var errSecEndOfData: OSStatus { -67634 }

/// The revocation status of the certificate could not be determined.
public var errSecIncompleteCertRevocationCheck: OSStatus { -67635 }

/// The network failed.
public var errSecNetworkFailure: OSStatus { -67636 }

/// No trusted anchor vouches for the OCSP answer.
public var errSecOCSPNotTrustedToAnchor: OSStatus { -67637 }

/// Another process changed the record in the meantime.
public var errSecRecordModified: OSStatus { -67638 }

/// The signature of the OCSP answer is not valid.
public var errSecOCSPSignatureError: OSStatus { -67639 }

/// The OCSP answer has no signer.
public var errSecOCSPNoSigner: OSStatus { -67640 }

/// The OCSP responder called the request malformed.
public var errSecOCSPResponderMalformedReq: OSStatus { -67641 }

/// The OCSP responder had an internal error.
public var errSecOCSPResponderInternalError: OSStatus { -67642 }

/// The OCSP responder is busy and asks to try again later.
public var errSecOCSPResponderTryLater: OSStatus { -67643 }

/// The OCSP responder answers signed requests only.
public var errSecOCSPResponderSignatureRequired: OSStatus { -67644 }

/// The OCSP responder does not answer this requester.
public var errSecOCSPResponderUnauthorized: OSStatus { -67645 }

/// The nonce of the OCSP answer is not that of the request.
public var errSecOCSPResponseNonceMismatch: OSStatus { -67646 }

/// The certificate chain of the code signature has the wrong length.
public var errSecCodeSigningBadCertChainLength: OSStatus { -67647 }

/// A certificate of the code signature lacks basic constraints.
public var errSecCodeSigningNoBasicConstraints: OSStatus { -67648 }

/// A certificate of the code signature breaks its path length constraint.
public var errSecCodeSigningBadPathLengthConstraint: OSStatus { -67649 }

/// The certificate of the code signature lacks an extended key usage.
public var errSecCodeSigningNoExtendedKeyUsage: OSStatus { -67650 }

/// The code is signed with a certificate for development only.
public var errSecCodeSigningDevelopment: OSStatus { -67651 }

/// The certificate chain of the resource signature has the wrong length.
public var errSecResourceSignBadCertChainLength: OSStatus { -67652 }

/// The extended key usage of the certificate does not allow signing resources.
public var errSecResourceSignBadExtKeyUsage: OSStatus { -67653 }

/// A trust setting says that this certificate must not be trusted.
public var errSecTrustSettingDeny: OSStatus { -67654 }

/// The subject name of the certificate is empty or malformed.
public var errSecInvalidSubjectName: OSStatus { -67655 }

/// The certificate has a qualified statement that is not understood.
public var errSecUnknownQualifiedCertStatement: OSStatus { -67656 }

/// The account server has queued the request.
public var errSecMobileMeRequestQueued: OSStatus { -67657 }

/// The account server sent the request elsewhere.
public var errSecMobileMeRequestRedirected: OSStatus { -67658 }

/// The account server reported an error.
public var errSecMobileMeServerError: OSStatus { -67659 }

/// The account server is not available.
public var errSecMobileMeServerNotAvailable: OSStatus { -67660 }

/// The account server already has this entry.
public var errSecMobileMeServerAlreadyExists: OSStatus { -67661 }

/// The service of the account server failed.
public var errSecMobileMeServerServiceErr: OSStatus { -67662 }

/// A request to the account server is already pending.
public var errSecMobileMeRequestAlreadyPending: OSStatus { -67663 }

/// No request to the account server is pending.
public var errSecMobileMeNoRequestPending: OSStatus { -67664 }

/// The account server could not verify the certificate signing request.
public var errSecMobileMeCSRVerifyFailure: OSStatus { -67665 }

/// The account server found the request inconsistent.
public var errSecMobileMeFailedConsistencyCheck: OSStatus { -67666 }

/// The function was called before the module was initialized.
public var errSecNotInitialized: OSStatus { -67667 }

/// The handle does not serve this purpose.
public var errSecInvalidHandleUsage: OSStatus { -67668 }

/// The caller that vouches for this module could not be found.
public var errSecPVCReferentNotFound: OSStatus { -67669 }

/// The integrity check of a function's address failed.
public var errSecFunctionIntegrityFail: OSStatus { -67670 }

/// An internal error occurred.
public var errSecInternalError: OSStatus { -67671 }

/// Memory could not be accessed or obtained.
public var errSecMemoryError: OSStatus { -67672 }

/// The data is malformed.
public var errSecInvalidData: OSStatus { -67673 }

/// The directory of modules reported an error.
public var errSecMDSError: OSStatus { -67674 }

/// A pointer that was passed in is not valid.
public var errSecInvalidPointer: OSStatus { -67675 }

/// The module failed its check of itself.
public var errSecSelfCheckFailed: OSStatus { -67676 }

/// The function failed.
public var errSecFunctionFailed: OSStatus { -67677 }

/// The manifest of the module could not be verified.
public var errSecModuleManifestVerifyFailed: OSStatus { -67678 }

/// The module's unique identifier is not valid.
public var errSecInvalidGUID: OSStatus { -67679 }

/// The handle is not valid.
public var errSecInvalidHandle: OSStatus { -67680 }

/// The list of databases is not valid.
public var errSecInvalidDBList: OSStatus { -67681 }

/// The number of the pass-through operation is not known.
public var errSecInvalidPassthroughID: OSStatus { -67682 }

/// The network address is not valid.
public var errSecInvalidNetworkAddress: OSStatus { -67683 }

/// The certificate revocation list is already signed.
public var errSecCRLAlreadySigned: OSStatus { -67684 }

/// The number of fields is wrong.
public var errSecInvalidNumberOfFields: OSStatus { -67685 }

/// The verification failed.
public var errSecVerificationFailure: OSStatus { -67686 }

/// The tag is not known.
public var errSecUnknownTag: OSStatus { -67687 }

/// The signature is not valid.
public var errSecInvalidSignature: OSStatus { -67688 }

/// The name is not valid.
public var errSecInvalidName: OSStatus { -67689 }

/// The reference to the certificate is not valid.
public var errSecInvalidCertificateRef: OSStatus { -67690 }

/// The group of certificates is not valid.
public var errSecInvalidCertificateGroup: OSStatus { -67691 }

/// The tag could not be found.
public var errSecTagNotFound: OSStatus { -67692 }

/// The query is not valid.
public var errSecInvalidQuery: OSStatus { -67693 }

/// A value is not valid.
public var errSecInvalidValue: OSStatus { -67694 }

/// A callback function reported a failure.
public var errSecCallbackFailed: OSStatus { -67695 }

/// An entry of the access control list could not be deleted.
public var errSecACLDeleteFailed: OSStatus { -67696 }

/// An entry of the access control list could not be replaced.
public var errSecACLReplaceFailed: OSStatus { -67697 }

/// An entry could not be added to the access control list.
public var errSecACLAddFailed: OSStatus { -67698 }

/// An entry of the access control list could not be changed.
public var errSecACLChangeFailed: OSStatus { -67699 }

/// The credentials presented for access are not valid.
public var errSecInvalidAccessCredentials: OSStatus { -67700 }

/// The record is not valid.
public var errSecInvalidRecord: OSStatus { -67701 }

/// The access control list is not valid.
public var errSecInvalidACL: OSStatus { -67702 }

/// A sample in the credentials is not valid.
public var errSecInvalidSampleValue: OSStatus { -67703 }

/// The version is not compatible.
public var errSecIncompatibleVersion: OSStatus { -67704 }

/// The privilege was not granted.
public var errSecPrivilegeNotGranted: OSStatus { -67705 }

/// The scope is not valid.
public var errSecInvalidScope: OSStatus { -67706 }

/// The checking of callers is already configured.
public var errSecPVCAlreadyConfigured: OSStatus { -67707 }

/// The setting for checking callers is not valid.
public var errSecInvalidPVC: OSStatus { -67708 }

/// The manager of elective modules could not be loaded.
public var errSecEMMLoadFailed: OSStatus { -67709 }

/// The manager of elective modules could not be unloaded.
public var errSecEMMUnloadFailed: OSStatus { -67710 }

/// The add-in module could not be loaded.
public var errSecAddinLoadFailed: OSStatus { -67711 }

/// The reference to the key is not valid.
public var errSecInvalidKeyRef: OSStatus { -67712 }

/// The key hierarchy is not valid.
public var errSecInvalidKeyHierarchy: OSStatus { -67713 }

/// The add-in module could not be unloaded.
public var errSecAddinUnloadFailed: OSStatus { -67714 }

/// A library that is referred to could not be found.
public var errSecLibraryReferenceNotFound: OSStatus { -67715 }

/// The function table of the add-in module is not valid.
public var errSecInvalidAddinFunctionTable: OSStatus { -67716 }

/// The mask of services is not valid.
public var errSecInvalidServiceMask: OSStatus { -67717 }

/// The module is not loaded.
public var errSecModuleNotLoaded: OSStatus { -67718 }

/// The identifier of the sub-service is not valid.
public var errSecInvalidSubServiceID: OSStatus { -67719 }

/// The context does not contain the attribute.
public var errSecAttributeNotInContext: OSStatus { -67720 }

/// The module manager could not be initialized.
public var errSecModuleManagerInitializeFailed: OSStatus { -67721 }

/// The module manager could not be found.
public var errSecModuleManagerNotFound: OSStatus { -67722 }

/// The callback for event notifications could not be found.
public var errSecEventNotificationCallbackNotFound: OSStatus { -67723 }

/// The input has the wrong length.
public var errSecInputLengthError: OSStatus { -67724 }

/// The output has the wrong length.
public var errSecOutputLengthError: OSStatus { -67725 }

/// The privilege is not supported.
public var errSecPrivilegeNotSupported: OSStatus { -67726 }

/// The device reported an error.
public var errSecDeviceError: OSStatus { -67727 }

/// The handle of the attached module is in use.
public var errSecAttachHandleBusy: OSStatus { -67728 }

/// No user is logged in to the device.
public var errSecNotLoggedIn: OSStatus { -67729 }

/// The key does not belong to the algorithm.
public var errSecAlgorithmMismatch: OSStatus { -67730 }

/// The key may not be used for this purpose.
public var errSecKeyUsageIncorrect: OSStatus { -67731 }

/// The stored form of the key is of the wrong type.
public var errSecKeyBlobTypeIncorrect: OSStatus { -67732 }

/// The header of the key contradicts its contents.
public var errSecKeyHeaderInconsistent: OSStatus { -67733 }

/// The format of the key is not supported.
public var errSecUnsupportedKeyFormat: OSStatus { -67734 }

/// Keys of this size are not supported.
public var errSecUnsupportedKeySize: OSStatus { -67735 }

/// The mask of key usages is not valid.
public var errSecInvalidKeyUsageMask: OSStatus { -67736 }

/// The mask of key usages is not supported.
public var errSecUnsupportedKeyUsageMask: OSStatus { -67737 }

/// The mask of key attributes is not valid.
public var errSecInvalidKeyAttributeMask: OSStatus { -67738 }

/// The mask of key attributes is not supported.
public var errSecUnsupportedKeyAttributeMask: OSStatus { -67739 }

/// The label of the key is not valid.
public var errSecInvalidKeyLabel: OSStatus { -67740 }

/// The label of the key is not supported.
public var errSecUnsupportedKeyLabel: OSStatus { -67741 }

/// The format of the key is not valid.
public var errSecInvalidKeyFormat: OSStatus { -67742 }

/// Several buffers at once are not supported.
public var errSecUnsupportedVectorOfBuffers: OSStatus { -67743 }

/// The list of input buffers is not valid.
public var errSecInvalidInputVector: OSStatus { -67744 }

/// The list of output buffers is not valid.
public var errSecInvalidOutputVector: OSStatus { -67745 }

/// The context of the operation is not valid.
public var errSecInvalidContext: OSStatus { -67746 }

/// The algorithm is not valid here.
public var errSecInvalidAlgorithm: OSStatus { -67747 }

/// The key in the context of the operation is not valid.
public var errSecInvalidAttributeKey: OSStatus { -67748 }

/// The operation needs a key, but its context has none.
public var errSecMissingAttributeKey: OSStatus { -67749 }

/// The initialization vector in the context of the operation is not valid.
public var errSecInvalidAttributeInitVector: OSStatus { -67750 }

/// The operation needs an initialization vector, but its context has none.
public var errSecMissingAttributeInitVector: OSStatus { -67751 }

/// The salt in the context of the operation is not valid.
public var errSecInvalidAttributeSalt: OSStatus { -67752 }

/// The operation needs a salt, but its context has none.
public var errSecMissingAttributeSalt: OSStatus { -67753 }

/// The padding in the context of the operation is not valid.
public var errSecInvalidAttributePadding: OSStatus { -67754 }

/// The operation needs a padding, but its context has none.
public var errSecMissingAttributePadding: OSStatus { -67755 }

/// The random data in the context of the operation is not valid.
public var errSecInvalidAttributeRandom: OSStatus { -67756 }

/// The operation needs random data, but its context has none.
public var errSecMissingAttributeRandom: OSStatus { -67757 }

/// The seed in the context of the operation is not valid.
public var errSecInvalidAttributeSeed: OSStatus { -67758 }

/// The operation needs a seed, but its context has none.
public var errSecMissingAttributeSeed: OSStatus { -67759 }

/// The passphrase in the context of the operation is not valid.
public var errSecInvalidAttributePassphrase: OSStatus { -67760 }

/// The operation needs a passphrase, but its context has none.
public var errSecMissingAttributePassphrase: OSStatus { -67761 }

/// The key length in the context of the operation is not valid.
public var errSecInvalidAttributeKeyLength: OSStatus { -67762 }

/// The operation needs a key length, but its context has none.
public var errSecMissingAttributeKeyLength: OSStatus { -67763 }

/// The block size in the context of the operation is not valid.
public var errSecInvalidAttributeBlockSize: OSStatus { -67764 }

/// The operation needs a block size, but its context has none.
public var errSecMissingAttributeBlockSize: OSStatus { -67765 }

/// The output size in the context of the operation is not valid.
public var errSecInvalidAttributeOutputSize: OSStatus { -67766 }

/// The operation needs an output size, but its context has none.
public var errSecMissingAttributeOutputSize: OSStatus { -67767 }

/// The number of rounds in the context of the operation is not valid.
public var errSecInvalidAttributeRounds: OSStatus { -67768 }

/// The operation needs a number of rounds, but its context has none.
public var errSecMissingAttributeRounds: OSStatus { -67769 }

/// The parameters of the algorithm are not valid.
public var errSecInvalidAlgorithmParms: OSStatus { -67770 }

/// The operation needs parameters of its algorithm, but its context has none.
public var errSecMissingAlgorithmParms: OSStatus { -67771 }

/// The label in the context of the operation is not valid.
public var errSecInvalidAttributeLabel: OSStatus { -67772 }

/// The operation needs a label, but its context has none.
public var errSecMissingAttributeLabel: OSStatus { -67773 }

/// The key type in the context of the operation is not valid.
public var errSecInvalidAttributeKeyType: OSStatus { -67774 }

/// The operation needs a key type, but its context has none.
public var errSecMissingAttributeKeyType: OSStatus { -67775 }

/// The mode in the context of the operation is not valid.
public var errSecInvalidAttributeMode: OSStatus { -67776 }

/// The operation needs a mode, but its context has none.
public var errSecMissingAttributeMode: OSStatus { -67777 }

/// The number of effective bits in the context of the operation is not valid.
public var errSecInvalidAttributeEffectiveBits: OSStatus { -67778 }

/// The operation needs a number of effective bits, but its context has none.
public var errSecMissingAttributeEffectiveBits: OSStatus { -67779 }

/// The start date in the context of the operation is not valid.
public var errSecInvalidAttributeStartDate: OSStatus { -67780 }

/// The operation needs a start date, but its context has none.
public var errSecMissingAttributeStartDate: OSStatus { -67781 }

/// The end date in the context of the operation is not valid.
public var errSecInvalidAttributeEndDate: OSStatus { -67782 }

/// The operation needs an end date, but its context has none.
public var errSecMissingAttributeEndDate: OSStatus { -67783 }

/// The version in the context of the operation is not valid.
public var errSecInvalidAttributeVersion: OSStatus { -67784 }

/// The operation needs a version, but its context has none.
public var errSecMissingAttributeVersion: OSStatus { -67785 }

/// The prime in the context of the operation is not valid.
public var errSecInvalidAttributePrime: OSStatus { -67786 }

/// The operation needs a prime, but its context has none.
public var errSecMissingAttributePrime: OSStatus { -67787 }

/// The base in the context of the operation is not valid.
public var errSecInvalidAttributeBase: OSStatus { -67788 }

/// The operation needs a base, but its context has none.
public var errSecMissingAttributeBase: OSStatus { -67789 }

/// The subprime in the context of the operation is not valid.
public var errSecInvalidAttributeSubprime: OSStatus { -67790 }

/// The operation needs a subprime, but its context has none.
public var errSecMissingAttributeSubprime: OSStatus { -67791 }

/// The iteration count in the context of the operation is not valid.
public var errSecInvalidAttributeIterationCount: OSStatus { -67792 }

/// The operation needs an iteration count, but its context has none.
public var errSecMissingAttributeIterationCount: OSStatus { -67793 }

/// The database handle in the context of the operation is not valid.
public var errSecInvalidAttributeDLDBHandle: OSStatus { -67794 }

/// The operation needs a database handle, but its context has none.
public var errSecMissingAttributeDLDBHandle: OSStatus { -67795 }

/// The access credentials in the context of the operation are not valid.
public var errSecInvalidAttributeAccessCredentials: OSStatus { -67796 }

/// The operation needs access credentials, but its context has none.
public var errSecMissingAttributeAccessCredentials: OSStatus { -67797 }

/// The public key format in the context of the operation is not valid.
public var errSecInvalidAttributePublicKeyFormat: OSStatus { -67798 }

/// The operation needs a public key format, but its context has none.
public var errSecMissingAttributePublicKeyFormat: OSStatus { -67799 }

/// The private key format in the context of the operation is not valid.
public var errSecInvalidAttributePrivateKeyFormat: OSStatus { -67800 }

/// The operation needs a private key format, but its context has none.
public var errSecMissingAttributePrivateKeyFormat: OSStatus { -67801 }

/// The symmetric key format in the context of the operation is not valid.
public var errSecInvalidAttributeSymmetricKeyFormat: OSStatus { -67802 }

/// The operation needs a symmetric key format, but its context has none.
public var errSecMissingAttributeSymmetricKeyFormat: OSStatus { -67803 }

/// The wrapped key format in the context of the operation is not valid.
public var errSecInvalidAttributeWrappedKeyFormat: OSStatus { -67804 }

/// The operation needs a wrapped key format, but its context has none.
public var errSecMissingAttributeWrappedKeyFormat: OSStatus { -67805 }

/// An operation in several steps is still in progress.
public var errSecStagedOperationInProgress: OSStatus { -67806 }

/// The operation in several steps was not started.
public var errSecStagedOperationNotStarted: OSStatus { -67807 }

/// The signature or integrity check did not match the data.
public var errSecVerifyFailed: OSStatus { -67808 }

/// The size of the result cannot be known in advance.
public var errSecQuerySizeUnknown: OSStatus { -67809 }

/// The length of the data does not fit the block size.
public var errSecBlockSizeMismatch: OSStatus { -67810 }

/// The public key contradicts itself or its private key.
public var errSecPublicKeyInconsistent: OSStatus { -67811 }

/// The device could not be verified.
public var errSecDeviceVerifyFailed: OSStatus { -67812 }

/// The login name is not valid.
public var errSecInvalidLoginName: OSStatus { -67813 }

/// The user is already logged in to the device.
public var errSecAlreadyLoggedIn: OSStatus { -67814 }

/// The digest algorithm is not valid.
public var errSecInvalidDigestAlgorithm: OSStatus { -67815 }

/// The group of certificate revocation lists is not valid.
public var errSecInvalidCRLGroup: OSStatus { -67816 }

/// The certificate cannot be used for this operation.
public var errSecCertificateCannotOperate: OSStatus { -67817 }

/// The certificate has expired.
public var errSecCertificateExpired: OSStatus { -67818 }

/// The certificate is not valid yet.
public var errSecCertificateNotValidYet: OSStatus { -67819 }

/// The certificate was revoked.
public var errSecCertificateRevoked: OSStatus { -67820 }

/// The certificate is suspended.
public var errSecCertificateSuspended: OSStatus { -67821 }

/// The credentials do not suffice.
public var errSecInsufficientCredentials: OSStatus { -67822 }

/// The action is not valid.
public var errSecInvalidAction: OSStatus { -67823 }

/// The authority is not valid.
public var errSecInvalidAuthority: OSStatus { -67824 }

/// An action of the verification failed.
public var errSecVerifyActionFailed: OSStatus { -67825 }

/// The certificate authority is not valid.
public var errSecInvalidCertAuthority: OSStatus { -67826 }

/// The issuer of the certificate revocation list is not valid.
public var errSecInvalidCRLAuthority: OSStatus { -67827 }

/// The encoding of the certificate revocation list is not valid.
public var errSecInvalidCRLEncoding: OSStatus { -67828 }

/// The type of the certificate revocation list is not valid.
public var errSecInvalidCRLType: OSStatus { -67829 }

/// The certificate revocation list is not valid.
public var errSecInvalidCRL: OSStatus { -67830 }

/// The type of the form is not valid.
public var errSecInvalidFormType: OSStatus { -67831 }

/// The identification is not valid.
public var errSecInvalidID: OSStatus { -67832 }

/// The identifier is not valid.
public var errSecInvalidIdentifier: OSStatus { -67833 }

/// The index is not valid.
public var errSecInvalidIndex: OSStatus { -67834 }

/// The policy identifiers are not valid.
public var errSecInvalidPolicyIdentifiers: OSStatus { -67835 }

/// The text of the time is not valid.
public var errSecInvalidTimeString: OSStatus { -67836 }

/// The reason that was given is not valid.
public var errSecInvalidReason: OSStatus { -67837 }

/// The inputs of the request are not valid.
public var errSecInvalidRequestInputs: OSStatus { -67838 }

/// The list of responses is not valid.
public var errSecInvalidResponseVector: OSStatus { -67839 }

/// The condition for ending the policy evaluation is not valid.
public var errSecInvalidStopOnPolicy: OSStatus { -67840 }

/// The authorization tuple is not valid.
public var errSecInvalidTuple: OSStatus { -67841 }

/// Several values of one attribute are not supported.
public var errSecMultipleValuesUnsupported: OSStatus { -67842 }

/// The certificate or its signer is not trusted.
public var errSecNotTrusted: OSStatus { -67843 }

/// There is no default authority.
public var errSecNoDefaultAuthority: OSStatus { -67844 }

/// The authority rejected the form.
public var errSecRejectedForm: OSStatus { -67845 }

/// The request was lost.
public var errSecRequestLost: OSStatus { -67846 }

/// The request was rejected.
public var errSecRequestRejected: OSStatus { -67847 }

/// The type of the address is not supported.
public var errSecUnsupportedAddressType: OSStatus { -67848 }

/// The service is not supported.
public var errSecUnsupportedService: OSStatus { -67849 }

/// The group of authorization tuples is not valid.
public var errSecInvalidTupleGroup: OSStatus { -67850 }

/// The underlying access control lists are not valid.
public var errSecInvalidBaseACLs: OSStatus { -67851 }

/// The credentials of the authorization tuple are not valid.
public var errSecInvalidTupleCredentials: OSStatus { -67852 }

/// The encoding is not valid.
public var errSecInvalidEncoding: OSStatus { -67853 }

/// The validity period makes no sense.
public var errSecInvalidValidityPeriod: OSStatus { -67854 }

/// The requester is not valid.
public var errSecInvalidRequestor: OSStatus { -67855 }

/// The description of the request is not valid.
public var errSecRequestDescriptor: OSStatus { -67856 }

/// The description of the bundle is not valid.
public var errSecInvalidBundleInfo: OSStatus { -67857 }

/// The index into the certificate revocation list is not valid.
public var errSecInvalidCRLIndex: OSStatus { -67858 }

/// The field has no values.
public var errSecNoFieldValues: OSStatus { -67859 }

/// The format of the field is not supported.
public var errSecUnsupportedFieldFormat: OSStatus { -67860 }

/// The description of the database index is not supported.
public var errSecUnsupportedIndexInfo: OSStatus { -67861 }

/// The location of the data is not supported.
public var errSecUnsupportedLocality: OSStatus { -67862 }

/// This number of attributes is not supported.
public var errSecUnsupportedNumAttributes: OSStatus { -67863 }

/// This number of indexes is not supported.
public var errSecUnsupportedNumIndexes: OSStatus { -67864 }

/// This number of record types is not supported.
public var errSecUnsupportedNumRecordTypes: OSStatus { -67865 }

/// A field that may occur once was given more than once.
public var errSecFieldSpecifiedMultiple: OSStatus { -67866 }

/// The format of the field does not fit its definition.
public var errSecIncompatibleFieldFormat: OSStatus { -67867 }

/// The parsing module is not valid.
public var errSecInvalidParsingModule: OSStatus { -67868 }

/// The database is locked.
public var errSecDatabaseLocked: OSStatus { -67869 }

/// The data store is already open.
public var errSecDatastoreIsOpen: OSStatus { -67870 }

/// A value that is needed is missing.
public var errSecMissingValue: OSStatus { -67871 }

/// The limits of the query are not supported.
public var errSecUnsupportedQueryLimits: OSStatus { -67872 }

/// This number of conditions in a query is not supported.
public var errSecUnsupportedNumSelectionPreds: OSStatus { -67873 }

/// The operator of the query is not supported.
public var errSecUnsupportedOperator: OSStatus { -67874 }

/// The location of the database is not valid.
public var errSecInvalidDBLocation: OSStatus { -67875 }

/// The request for access is not valid.
public var errSecInvalidAccessRequest: OSStatus { -67876 }

/// The description of the database index is not valid.
public var errSecInvalidIndexInfo: OSStatus { -67877 }

/// The new owner is not valid.
public var errSecInvalidNewOwner: OSStatus { -67878 }

/// The mode of the modification is not valid.
public var errSecInvalidModifyMode: OSStatus { -67879 }

/// The certificate lacks an extension that is required.
public var errSecMissingRequiredExtension: OSStatus { -67880 }

/// The extended key usage is not marked critical.
public var errSecExtendedKeyUsageNotCritical: OSStatus { -67881 }

/// The signature has no time stamp.
public var errSecTimestampMissing: OSStatus { -67882 }

/// The time stamp is not valid.
public var errSecTimestampInvalid: OSStatus { -67883 }

/// The time stamp does not come from a trusted authority.
public var errSecTimestampNotTrusted: OSStatus { -67884 }

/// The time stamp service cannot be reached.
public var errSecTimestampServiceNotAvailable: OSStatus { -67885 }

/// The time stamp authority does not support the algorithm.
public var errSecTimestampBadAlg: OSStatus { -67886 }

/// The time stamp authority does not allow such a request.
public var errSecTimestampBadRequest: OSStatus { -67887 }

/// The time stamp authority cannot read the format of the data.
public var errSecTimestampBadDataFormat: OSStatus { -67888 }

/// The time stamp authority has no source of time at the moment.
public var errSecTimestampTimeNotAvailable: OSStatus { -67889 }

/// The time stamp authority does not work under the requested policy.
public var errSecTimestampUnacceptedPolicy: OSStatus { -67890 }

/// The time stamp authority does not accept an extension of the request.
public var errSecTimestampUnacceptedExtension: OSStatus { -67891 }

/// The time stamp authority cannot provide the additional information.
public var errSecTimestampAddInfoNotAvailable: OSStatus { -67892 }

/// The time stamp authority had a system failure.
public var errSecTimestampSystemFailure: OSStatus { -67893 }

/// The signature does not say when it was made.
public var errSecSigningTimeMissing: OSStatus { -67894 }

/// The time stamp authority rejected the request.
public var errSecTimestampRejection: OSStatus { -67895 }

/// The request for a time stamp has not been answered yet.
public var errSecTimestampWaiting: OSStatus { -67896 }

/// The time stamp authority warns that a revocation is coming.
public var errSecTimestampRevocationWarning: OSStatus { -67897 }

/// The time stamp authority says that its certificate was revoked.
public var errSecTimestampRevocationNotification: OSStatus { -67898 }

/// The chain does not allow the policy of the certificate.
public var errSecCertificatePolicyNotAllowed: OSStatus { -67899 }

/// The chain does not allow the name in the certificate.
public var errSecCertificateNameNotAllowed: OSStatus { -67900 }

/// The certificate is valid for longer than allowed.
public var errSecCertificateValidityPeriodTooLong: OSStatus { -67901 }

/// The certificate is one of an authority, where that is not allowed.
public var errSecCertificateIsCA: OSStatus { -67902 }

/// The certificate contains the same extension twice.
public var errSecCertificateDuplicateExtension: OSStatus { -67903 }

/// The certificate lacks a qualified statement that is required.
public var errSecMissingQualifiedCertStatement: OSStatus { -67904 }
