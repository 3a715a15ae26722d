// SPDX-License-Identifier: Apache-2.0

// NSString is not Sendable (NSNumber and NSNull are), but these objects are created once and are immutable. So they are
// `nonisolated(unsafe)` for the compiler and `@safe` for their users.
//
// They are implicitly unwrapped, as Apple's are: callers write `kCFBooleanTrue`, `kCFBooleanTrue!` and `kCFBooleanTrue
// as Any`.

public import Foundation

public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
public let kCFNull: CFNull! = NSNull()

// MARK: Error domains and the keys of an error's user info

/// Domain of errors whose code is an ``OSStatus``; the same string as `NSOSStatusErrorDomain`.
@safe public nonisolated(unsafe) let kCFErrorDomainOSStatus: CFErrorDomain! = "NSOSStatusErrorDomain"
/// Domain of errors whose code is an `errno`; the same string as `NSPOSIXErrorDomain`.
@safe public nonisolated(unsafe) let kCFErrorDomainPOSIX: CFErrorDomain! = "NSPOSIXErrorDomain"
@safe public nonisolated(unsafe) let kCFErrorDomainMach: CFErrorDomain! = "NSMachErrorDomain"
@safe public nonisolated(unsafe) let kCFErrorDomainCocoa: CFErrorDomain! = "NSCocoaErrorDomain"

@safe public nonisolated(unsafe) let kCFErrorLocalizedDescriptionKey: CFString! = "NSLocalizedDescription"
@safe public nonisolated(unsafe) let kCFErrorLocalizedFailureReasonKey: CFString! = "NSLocalizedFailureReason"
@safe public nonisolated(unsafe) let kCFErrorLocalizedRecoverySuggestionKey: CFString! =
    "NSLocalizedRecoverySuggestion"
@safe public nonisolated(unsafe) let kCFErrorDescriptionKey: CFString! = "NSDescription"
@safe public nonisolated(unsafe) let kCFErrorUnderlyingErrorKey: CFString! = "NSUnderlyingError"

// MARK: Keys of Info.plist

@safe public nonisolated(unsafe) let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"
@safe public nonisolated(unsafe) let kCFBundleNameKey: CFString! = "CFBundleName"
@safe public nonisolated(unsafe) let kCFBundleExecutableKey: CFString! = "CFBundleExecutable"
@safe public nonisolated(unsafe) let kCFBundleVersionKey: CFString! = "CFBundleVersion"
@safe public nonisolated(unsafe) let kCFBundleInfoDictionaryVersionKey: CFString! = "CFBundleInfoDictionaryVersion"
@safe public nonisolated(unsafe) let kCFBundleDevelopmentRegionKey: CFString! = "CFBundleDevelopmentRegion"
@safe public nonisolated(unsafe) let kCFBundleLocalizationsKey: CFString! = "CFBundleLocalizations"
