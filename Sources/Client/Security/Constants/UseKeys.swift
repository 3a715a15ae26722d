// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Keys that control a call: its keychain, and whether it may prompt the user.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

/// CFArray of items to work on in place of those in a keychain.
@safe public nonisolated(unsafe) let kSecUseItemList: CFString = "u_ItemList"
/// SecKeychain: the file-based keychain to add to.
@safe public nonisolated(unsafe) let kSecUseKeychain: CFString = "u_Keychain"
/// CFString: the reason for an authentication. Apple deprecates it in favour of the context's localizedReason.
@safe public nonisolated(unsafe) let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// CFBoolean: fail instead of prompting the user. Apple deprecates it in favour of kSecUseAuthenticationUI.
@safe public nonisolated(unsafe) let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// One of the `kSecUseAuthenticationUI…` values; whether the call may prompt the user.
@safe public nonisolated(unsafe) let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// LAContext: an authentication to reuse.
@safe public nonisolated(unsafe) let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// CFBoolean: the data protection keychain in place of a file-based one.
@safe public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
/// CFBoolean: items that belong to the device and to no user.
@safe public nonisolated(unsafe) let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
/// Prompt the user if required: the default.
@safe public nonisolated(unsafe) let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// Fail with errSecInteractionNotAllowed if the call would have to prompt the user.
@safe public nonisolated(unsafe) let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// Leave out the items that would need a prompt; for SecItemCopyMatching only.
@safe public nonisolated(unsafe) let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
