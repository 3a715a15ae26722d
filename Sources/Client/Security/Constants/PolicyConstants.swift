// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Names of trust policies, and keys of their properties.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

@safe public nonisolated(unsafe) let kSecPolicyAppleX509Basic: CFString = "kSecPolicyAppleX509Basic"
@safe public nonisolated(unsafe) let kSecPolicyAppleSSL: CFString = "kSecPolicyAppleSSL"
@safe public nonisolated(unsafe) let kSecPolicyAppleSMIME: CFString = "kSecPolicyAppleSMIME"
@safe public nonisolated(unsafe) let kSecPolicyAppleEAP: CFString = "kSecPolicyAppleEAP"
@safe public nonisolated(unsafe) let kSecPolicyAppleIPsec: CFString = "kSecPolicyAppleIPsec"
@safe public nonisolated(unsafe) let kSecPolicyAppleiChat: CFString = "kSecPolicyAppleiChat"
@safe public nonisolated(unsafe) let kSecPolicyApplePKINITClient: CFString = "kSecPolicyApplePKINITClient"
@safe public nonisolated(unsafe) let kSecPolicyApplePKINITServer: CFString = "kSecPolicyApplePKINITServer"
@safe public nonisolated(unsafe) let kSecPolicyAppleCodeSigning: CFString = "kSecPolicyAppleCodeSigning"
@safe public nonisolated(unsafe) let kSecPolicyMacAppStoreReceipt: CFString = "kSecPolicyMacAppStoreReceipt"
@safe public nonisolated(unsafe) let kSecPolicyAppleIDValidation: CFString = "kSecPolicyAppleIDValidation"
@safe public nonisolated(unsafe) let kSecPolicyAppleTimeStamping: CFString = "kSecPolicyAppleTimeStamping"
@safe public nonisolated(unsafe) let kSecPolicyAppleRevocation: CFString = "kSecPolicyAppleRevocation"
@safe public nonisolated(unsafe) let kSecPolicyApplePassbookSigning: CFString = "kSecPolicyApplePassbookSigning"
@safe public nonisolated(unsafe) let kSecPolicyApplePayIssuerEncryption: CFString = "kSecPolicyApplePayIssuerEncryption"
@safe public nonisolated(unsafe) let kSecPolicyAppleSSLServer: CFString = "kSecPolicyAppleSSLServer"
@safe public nonisolated(unsafe) let kSecPolicyAppleSSLClient: CFString = "kSecPolicyAppleSSLClient"
@safe public nonisolated(unsafe) let kSecPolicyAppleEAPServer: CFString = "kSecPolicyAppleEAPServer"
@safe public nonisolated(unsafe) let kSecPolicyAppleEAPClient: CFString = "kSecPolicyAppleEAPClient"
@safe public nonisolated(unsafe) let kSecPolicyAppleIPSecServer: CFString = "kSecPolicyAppleIPSecServer"
@safe public nonisolated(unsafe) let kSecPolicyAppleIPSecClient: CFString = "kSecPolicyAppleIPSecClient"
@safe public nonisolated(unsafe) let kSecPolicyOid: CFString = "kSecPolicyOid"
@safe public nonisolated(unsafe) let kSecPolicyName: CFString = "kSecPolicyName"
@safe public nonisolated(unsafe) let kSecPolicyClient: CFString = "kSecPolicyClient"
@safe public nonisolated(unsafe) let kSecPolicyRevocationFlags: CFString = "kSecPolicyRevocationFlags"
@safe public nonisolated(unsafe) let kSecPolicyTeamIdentifier: CFString = "kSecPolicyTeamIdentifier"
@safe public nonisolated(unsafe) let kSecPolicyKU_DigitalSignature: CFString = "kSecPolicyKU_DigitalSignature"
@safe public nonisolated(unsafe) let kSecPolicyKU_NonRepudiation: CFString = "kSecPolicyKU_NonRepudiation"
@safe public nonisolated(unsafe) let kSecPolicyKU_KeyEncipherment: CFString = "kSecPolicyKU_KeyEncipherment"
@safe public nonisolated(unsafe) let kSecPolicyKU_DataEncipherment: CFString = "kSecPolicyKU_DataEncipherment"
@safe public nonisolated(unsafe) let kSecPolicyKU_KeyAgreement: CFString = "kSecPolicyKU_KeyAgreement"
@safe public nonisolated(unsafe) let kSecPolicyKU_KeyCertSign: CFString = "kSecPolicyKU_KeyCertSign"
@safe public nonisolated(unsafe) let kSecPolicyKU_CRLSign: CFString = "kSecPolicyKU_CRLSign"
@safe public nonisolated(unsafe) let kSecPolicyKU_EncipherOnly: CFString = "kSecPolicyKU_EncipherOnly"
@safe public nonisolated(unsafe) let kSecPolicyKU_DecipherOnly: CFString = "kSecPolicyKU_DecipherOnly"
