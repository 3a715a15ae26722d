// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// The keys of an item's attributes, in the dictionaries of calls and of results.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

/// When the item's data may be read; one of the `kSecAttrAccessible…` values.
@safe public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"
/// A SecAccess of the file-based keychain: which programs may use the item.
@safe public nonisolated(unsafe) let kSecAttrAccess: CFString = "acls"
/// A SecAccessControl: accessibility and the authentication that the item requires. Excludes kSecAttrAccessible.
@safe public nonisolated(unsafe) let kSecAttrAccessControl: CFString = "accc"
/// CFString: the access group whose members may see the item.
@safe public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
/// CFBoolean: whether the item is synchronized; a query that leaves it out finds local items only.
@safe public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"
/// CFDate, read only: when the item was added.
@safe public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
/// CFDate, read only: when the item was last changed.
@safe public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"
/// CFString: the kind of the item, for display.
@safe public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"
/// CFString: a comment that the user may edit.
@safe public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"
/// CFNumber: the creator's four-character code.
@safe public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"
/// CFNumber: the item's four-character type code.
@safe public nonisolated(unsafe) let kSecAttrType: CFString = "type"
/// CFString: the name of the item, for display; never part of its uniqueness.
@safe public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
/// CFBoolean: whether the item is left out of displayed lists.
@safe public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"
/// CFBoolean: whether there is no password, so that a program should prompt for it each time.
@safe public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"
/// CFString: the account name of a password.
@safe public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
/// CFString: the service of a generic password.
@safe public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
/// CFData: bytes of the program's own, on a generic password.
@safe public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"
/// CFString: the security domain of an internet password.
@safe public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"
/// CFString: the host name or address of an internet password.
@safe public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"
/// The protocol of an internet password; one of the `kSecAttrProtocol…` values.
@safe public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
/// How an internet password is presented; one of the `kSecAttrAuthenticationType…` values.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = "atyp"
/// CFNumber: the port of an internet password.
@safe public nonisolated(unsafe) let kSecAttrPort: CFString = "port"
/// CFString: the path of an internet password.
@safe public nonisolated(unsafe) let kSecAttrPath: CFString = "path"
/// CFData, read only: the normalized subject name of a certificate.
@safe public nonisolated(unsafe) let kSecAttrSubject: CFString = "subj"
/// CFData, read only: the normalized issuer name of a certificate.
@safe public nonisolated(unsafe) let kSecAttrIssuer: CFString = "issr"
/// CFData, read only: the serial number of a certificate.
@safe public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = "slnr"
/// CFData, read only: the subject key identifier of a certificate.
@safe public nonisolated(unsafe) let kSecAttrSubjectKeyID: CFString = "skid"
/// CFData, read only: the hash of a certificate's public key, which pairs it with its private key.
@safe public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = "pkhh"
/// CFNumber, read only: the type of a certificate.
@safe public nonisolated(unsafe) let kSecAttrCertificateType: CFString = "ctyp"
/// CFNumber, read only: the encoding of a certificate.
@safe public nonisolated(unsafe) let kSecAttrCertificateEncoding: CFString = "cenc"
/// Public, private or symmetric; one of the `kSecAttrKeyClass…` values.
@safe public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
/// CFData: how programs find a key; for an asymmetric key the hash of its public part.
@safe public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
/// CFBoolean: whether a new key is stored in the keychain.
@safe public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"
/// CFBoolean: whether the key may leave the keychain only encrypted.
@safe public nonisolated(unsafe) let kSecAttrIsSensitive: CFString = "sens"
/// CFBoolean: whether the key may leave the keychain at all.
@safe public nonisolated(unsafe) let kSecAttrIsExtractable: CFString = "extr"
/// CFData: a tag of the program's own on a key.
@safe public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
/// The algorithm of a key; one of the `kSecAttrKeyType…` values.
@safe public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
/// The pseudorandom function for deriving a key from a password; one of the `kSecAttrPRF…` values.
@safe public nonisolated(unsafe) let kSecAttrPRF: CFString = "prf"
/// CFData: the salt for deriving a key from a password.
@safe public nonisolated(unsafe) let kSecAttrSalt: CFString = "salt"
/// CFNumber: the rounds for deriving a key from a password.
@safe public nonisolated(unsafe) let kSecAttrRounds: CFString = "rounds"
/// CFNumber: the length of the key in bits.
@safe public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
/// CFNumber: the bits of the key that count, such as 56 of DES's 64.
@safe public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"
/// CFBoolean: whether the key may encrypt.
@safe public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = "encr"
/// CFBoolean: whether the key may decrypt.
@safe public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = "decr"
/// CFBoolean: whether other keys may be derived from the key.
@safe public nonisolated(unsafe) let kSecAttrCanDerive: CFString = "drve"
/// CFBoolean: whether the key may sign.
@safe public nonisolated(unsafe) let kSecAttrCanSign: CFString = "sign"
/// CFBoolean: whether the key may verify signatures.
@safe public nonisolated(unsafe) let kSecAttrCanVerify: CFString = "vrfy"
/// CFBoolean: whether the key may wrap other keys.
@safe public nonisolated(unsafe) let kSecAttrCanWrap: CFString = "wrap"
/// CFBoolean: whether the key may unwrap other keys.
@safe public nonisolated(unsafe) let kSecAttrCanUnwrap: CFString = "unwp"
/// CFString: the group of synchronized items that the item belongs to.
@safe public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = "vwht"
/// CFString: the token that holds the item's key.
@safe public nonisolated(unsafe) let kSecAttrTokenID: CFString = "tkid"
/// Apple's first spelling of kSecAttrPersistentReference.
@safe public nonisolated(unsafe) let kSecAttrPersistantReference: CFString = "persistref"
/// CFData: the item's persistent reference.
@safe public nonisolated(unsafe) let kSecAttrPersistentReference: CFString = "persistref"
