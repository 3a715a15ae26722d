// SPDX-License-Identifier: Apache-2.0

/// A result code of Keychain Services: the number of an `errSec…` constant (`OSStatus`).
///
/// Any 32-bit number is a status; the named ones are those that this keychain itself returns.
public struct StatusCode: RawRepresentable, Hashable, Sendable, Error {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// `errSecSuccess`
    public static let success = Self(rawValue: 0)
    /// `errSecUnimplemented`
    public static let unimplemented = Self(rawValue: -4)
    /// `errSecDiskFull`
    public static let diskFull = Self(rawValue: -34)
    /// `errSecIO`
    public static let inputOutput = Self(rawValue: -36)
    /// `errSecParam`
    public static let parameter = Self(rawValue: -50)
    /// `errSecAllocate`
    public static let allocate = Self(rawValue: -108)
    /// `errSecInternalComponent`
    public static let internalComponent = Self(rawValue: -2070)
    /// `errSecWrPerm`
    public static let writePermission = Self(rawValue: -61)
    /// `errSecUserCanceled`
    public static let userCanceled = Self(rawValue: -128)
    /// `errSecACLNotSimple`
    public static let aclNotSimple = Self(rawValue: -25240)
    /// `errSecNoAccessForItem`
    public static let noAccessForItem = Self(rawValue: -25243)
    /// `errSecInvalidOwnerEdit`
    public static let invalidOwnerEdit = Self(rawValue: -25244)
    /// `errSecKeyIsSensitive`
    public static let keyIsSensitive = Self(rawValue: -25258)
    /// `errSecNotAvailable`
    public static let notAvailable = Self(rawValue: -25291)
    /// `errSecReadOnly`
    public static let readOnly = Self(rawValue: -25292)
    /// `errSecAuthFailed`
    public static let authenticationFailed = Self(rawValue: -25293)
    /// `errSecNoSuchKeychain`
    public static let noSuchKeychain = Self(rawValue: -25294)
    /// `errSecInvalidItemRef`
    public static let invalidItemReference = Self(rawValue: -25304)
    /// `errSecInvalidKeychain`
    public static let invalidKeychain = Self(rawValue: -25295)
    /// `errSecDuplicateKeychain`
    public static let duplicateKeychain = Self(rawValue: -25296)
    /// `errSecDuplicateItem`
    public static let duplicateItem = Self(rawValue: -25299)
    /// `errSecItemNotFound`
    public static let itemNotFound = Self(rawValue: -25300)
    /// `errSecDataTooLarge`
    public static let dataTooLarge = Self(rawValue: -25302)
    /// `errSecNoSuchAttr`
    public static let noSuchAttribute = Self(rawValue: -25303)
    /// `errSecNoSuchClass`
    public static let noSuchClass = Self(rawValue: -25306)
    /// `errSecNoDefaultKeychain`
    public static let noDefaultKeychain = Self(rawValue: -25307)
    /// `errSecInteractionNotAllowed`
    public static let interactionNotAllowed = Self(rawValue: -25308)
    /// `errSecKeySizeNotAllowed`
    public static let keySizeNotAllowed = Self(rawValue: -25311)
    /// `errSecDataNotAvailable`
    public static let dataNotAvailable = Self(rawValue: -25316)
    /// `errSecDataNotModifiable`
    public static let dataNotModifiable = Self(rawValue: -25317)
    /// `errSecDecode`
    public static let decode = Self(rawValue: -26275)
    /// `errSecInternal`
    public static let internalError = Self(rawValue: -26276)
    /// `errSecMissingEntitlement`
    public static let missingEntitlement = Self(rawValue: -34018)
    /// `errSecKeyUsageIncorrect`
    public static let keyUsageIncorrect = Self(rawValue: -67731)
}

extension StatusCode: CustomStringConvertible {
    public var description: String { "\(rawValue)" }
}
