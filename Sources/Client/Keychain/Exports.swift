// SPDX-License-Identifier: Apache-2.0

// Types of the model that this module's declarations use. They are exported, so that a program with `import Keychain`
// alone can name them and their members.
@_exported public import struct KeychainCertificates.CertificateError
@_exported public import enum KeychainKeys.HashAlgorithm
@_exported public import enum KeychainKeys.KeyAlgorithm
@_exported public import enum KeychainModel.Accessibility
@_exported public import enum KeychainModel.ItemClass
@_exported public import enum KeychainModel.LockState
@_exported public import struct KeychainModel.TextMatching
@_exported public import struct KeychainPasswords.PasswordGenerator
@_exported public import enum KeychainPasswords.PasswordGeneratorError
@_exported public import struct KeychainPasswords.PasswordRules
@_exported public import struct KeychainPasswords.PasswordRulesSyntaxError
@_exported public import struct KeychainPasswords.PasswordStrength
