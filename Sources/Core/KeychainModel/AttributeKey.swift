// SPDX-License-Identifier: Apache-2.0

/// The name of an item attribute: a four-character code, as in the value of `kSecAttrAccount` (`"acct"`).
///
/// Stored as the big-endian integer of its four ASCII bytes, so that ordering keys orders their names.
public struct AttributeKey: Hashable, Comparable, Sendable {
    public let code: UInt32

    public init(code: UInt32) {
        self.code = code
    }

    /// Creates the key with this name; nil unless the name is exactly four bytes of printable ASCII.
    public init?(name: String) {
        var code: UInt32 = 0
        var count = 0
        for byte in name.utf8 {
            guard count < 4, (0x20...0x7E).contains(byte) else { return nil }
            code = code << 8 | UInt32(byte)
            count += 1
        }
        guard count == 4 else { return nil }
        self.code = code
    }

    /// Creates a key from a literal in this source file.
    private init(_ name: StaticString) {
        precondition(name.utf8CodeUnitCount == 4, "an attribute name has four characters")
        self.init(name: name.description)!
    }

    public static func < (left: Self, right: Self) -> Bool { left.code < right.code }

    /// The four characters.
    public var name: String {
        var name = ""
        for shift in [24, 16, 8, 0] as [UInt32] {
            name.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: code >> shift)))
        }
        return name
    }
}

extension AttributeKey: CustomStringConvertible {
    public var description: String { name }
}

extension AttributeKey {
    // Attributes of all classes (Keychain Services, "Item attribute keys and values").

    /// `kSecAttrAccessGroup`
    public static let accessGroup = Self("agrp")
    /// `kSecAttrAccessible`
    public static let accessible = Self("pdmn")
    /// `kSecAttrAccessControl`
    public static let accessControl = Self("accc")
    /// `kSecAttrAccess`: the encoded ``AccessObject`` of an item of a file keychain.
    public static let access = Self("acls")
    /// `kSecAttrSynchronizable`
    public static let synchronizable = Self("sync")
    /// `kSecAttrCreationDate`
    public static let creationDate = Self("cdat")
    /// `kSecAttrModificationDate`
    public static let modificationDate = Self("mdat")
    /// `kSecAttrLabel`
    public static let label = Self("labl")
    /// `kSecAttrTokenID`
    public static let tokenID = Self("tkid")
    /// `kSecAttrSyncViewHint`
    public static let syncViewHint = Self("vwht")
    /// `kSecAttrTombstone`
    public static let tombstone = Self("tomb")
    /// `kSecAttrMultiUser`
    public static let multiUser = Self("musr")
    /// `kSecAttrSharingGroup`
    public static let sharingGroup = Self("ggrp")
    /// `kSecAttrAppClipItem`: internal to the keychain, refused from callers.
    public static let appClip = Self("clip")

    // Passwords.

    /// `kSecAttrAccount`
    public static let account = Self("acct")
    /// `kSecAttrService`
    public static let service = Self("svce")
    /// `kSecAttrGeneric`
    public static let generic = Self("gena")
    /// `kSecAttrDescription`
    public static let itemDescription = Self("desc")
    /// `kSecAttrComment`
    public static let comment = Self("icmt")
    /// `kSecAttrCreator`
    public static let creator = Self("crtr")
    /// `kSecAttrType`
    public static let type = Self("type")
    /// `kSecAttrIsInvisible`
    public static let isInvisible = Self("invi")
    /// `kSecAttrIsNegative`
    public static let isNegative = Self("nega")
    /// `kSecAttrScriptCode`
    public static let scriptCode = Self("scrp")
    /// `kSecAttrAlias`
    public static let alias = Self("alis")
    /// `kSecAttrHasCustomIcon`
    public static let hasCustomIcon = Self("cusi")
    /// `kSecProtectedDataItemAttr`
    public static let isProtected = Self("prot")
    /// The encoded ``LookupAttributes`` of a generic password. Apple's keychain has no such attribute.
    public static let lookup = Self("lkup")

    // Internet passwords.

    /// `kSecAttrServer`
    public static let server = Self("srvr")
    /// `kSecAttrSecurityDomain`
    public static let securityDomain = Self("sdmn")
    /// `kSecAttrProtocol`
    public static let `protocol` = Self("ptcl")
    /// `kSecAttrAuthenticationType`
    public static let authenticationType = Self("atyp")
    /// `kSecAttrPort`
    public static let port = Self("port")
    /// `kSecAttrPath`
    public static let path = Self("path")

    // Certificates.

    /// `kSecAttrCertificateType`
    public static let certificateType = Self("ctyp")
    /// `kSecAttrCertificateEncoding`
    public static let certificateEncoding = Self("cenc")
    /// `kSecAttrIssuer`
    public static let issuer = Self("issr")
    /// `kSecAttrSerialNumber`
    public static let serialNumber = Self("slnr")
    /// `kSecAttrSubject`
    public static let subject = Self("subj")
    /// `kSecAttrSubjectKeyID`
    public static let subjectKeyID = Self("skid")
    /// `kSecAttrPublicKeyHash`
    public static let publicKeyHash = Self("pkhh")

    // Keys. Their type has the name of a password's: ``type``.

    /// `kSecAttrKeyClass`
    public static let keyClass = Self("kcls")
    /// `kSecAttrApplicationLabel`
    public static let applicationLabel = Self("klbl")
    /// `kSecAttrApplicationTag`
    public static let applicationTag = Self("atag")
    /// `kSecAttrKeySizeInBits`
    public static let keySizeInBits = Self("bsiz")
    /// `kSecAttrEffectiveKeySize`
    public static let effectiveKeySize = Self("esiz")
    /// `kSecAttrStartDate`: the start of a key's validity.
    public static let startDate = Self("sdat")
    /// `kSecAttrEndDate`
    public static let endDate = Self("edat")
    /// `kSecAttrIsPermanent`
    public static let isPermanent = Self("perm")
    /// `kSecAttrIsPrivate`
    public static let isPrivate = Self("priv")
    /// `kSecAttrIsModifiable`
    public static let isModifiable = Self("modi")
    /// `kSecAttrIsSensitive`
    public static let isSensitive = Self("sens")
    /// `kSecAttrWasAlwaysSensitive`
    public static let wasAlwaysSensitive = Self("asen")
    /// `kSecAttrIsExtractable`
    public static let isExtractable = Self("extr")
    /// `kSecAttrWasNeverExtractable`
    public static let wasNeverExtractable = Self("next")
    /// `kSecAttrCanEncrypt`
    public static let canEncrypt = Self("encr")
    /// `kSecAttrCanDecrypt`
    public static let canDecrypt = Self("decr")
    /// `kSecAttrCanDerive`
    public static let canDerive = Self("drve")
    /// `kSecAttrCanSign`
    public static let canSign = Self("sign")
    /// `kSecAttrCanVerify`
    public static let canVerify = Self("vrfy")
    /// `kSecAttrCanSignRecover`
    public static let canSignRecover = Self("snrc")
    /// `kSecAttrCanVerifyRecover`
    public static let canVerifyRecover = Self("vyrc")
    /// `kSecAttrCanWrap`
    public static let canWrap = Self("wrap")
    /// `kSecAttrCanUnwrap`
    public static let canUnwrap = Self("unwp")
}
