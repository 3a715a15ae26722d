// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// The values of kSecAttrKeyClass, kSecAttrKeyType and kSecAttrPRF: numbers in decimal, or short names.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

/// The public half of a key pair.
@safe public nonisolated(unsafe) let kSecAttrKeyClassPublic: CFString = "0"
/// The private half of a key pair.
@safe public nonisolated(unsafe) let kSecAttrKeyClassPrivate: CFString = "1"
/// A symmetric key.
@safe public nonisolated(unsafe) let kSecAttrKeyClassSymmetric: CFString = "2"
/// RSA.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeRSA: CFString = "42"
/// DSA.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeDSA: CFString = "43"
/// AES.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeAES: CFString = "2147483649"
/// DES.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeDES: CFString = "14"
/// Triple DES.
@safe public nonisolated(unsafe) let kSecAttrKeyType3DES: CFString = "17"
/// RC4.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeRC4: CFString = "25"
/// RC2.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeRC2: CFString = "23"
/// CAST.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeCAST: CFString = "56"
/// An elliptic curve over a prime field; an older name.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeECDSA: CFString = "73"
/// An elliptic curve over a prime field; an older name.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeEC: CFString = "73"
/// An elliptic curve over a prime field: P-256, P-384 or P-521.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// HMAC with SHA-1.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"
/// HMAC with SHA-224.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"
/// HMAC with SHA-256.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"
/// HMAC with SHA-384.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"
/// HMAC with SHA-512.
@safe public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"
