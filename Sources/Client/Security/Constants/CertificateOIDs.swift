// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// The fields of a certificate, as keys for SecCertificateCopyValues.

// NSString is not Sendable, but these are never changed after they are made: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for whoever reads them.

public import CFTypes

@safe public nonisolated(unsafe) let kSecOIDADC_CERT_POLICY: CFString = "kSecOIDADC_CERT_POLICY"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_CERT_POLICY: CFString = "kSecOIDAPPLE_CERT_POLICY"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EKU_CODE_SIGNING: CFString = "kSecOIDAPPLE_EKU_CODE_SIGNING"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EKU_CODE_SIGNING_DEV: CFString = "kSecOIDAPPLE_EKU_CODE_SIGNING_DEV"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EKU_ICHAT_ENCRYPTION: CFString = "kSecOIDAPPLE_EKU_ICHAT_ENCRYPTION"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EKU_ICHAT_SIGNING: CFString = "kSecOIDAPPLE_EKU_ICHAT_SIGNING"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EKU_RESOURCE_SIGNING: CFString = "kSecOIDAPPLE_EKU_RESOURCE_SIGNING"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EKU_SYSTEM_IDENTITY: CFString = "kSecOIDAPPLE_EKU_SYSTEM_IDENTITY"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION: CFString = "kSecOIDAPPLE_EXTENSION"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_ADC_APPLE_SIGNING: CFString =
    "kSecOIDAPPLE_EXTENSION_ADC_APPLE_SIGNING"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_ADC_DEV_SIGNING: CFString =
    "kSecOIDAPPLE_EXTENSION_ADC_DEV_SIGNING"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_APPLE_SIGNING: CFString =
    "kSecOIDAPPLE_EXTENSION_APPLE_SIGNING"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_CODE_SIGNING: CFString =
    "kSecOIDAPPLE_EXTENSION_CODE_SIGNING"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_INTERMEDIATE_MARKER: CFString =
    "kSecOIDAPPLE_EXTENSION_INTERMEDIATE_MARKER"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_WWDR_INTERMEDIATE: CFString =
    "kSecOIDAPPLE_EXTENSION_WWDR_INTERMEDIATE"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_ITMS_INTERMEDIATE: CFString =
    "kSecOIDAPPLE_EXTENSION_ITMS_INTERMEDIATE"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_AAI_INTERMEDIATE: CFString =
    "kSecOIDAPPLE_EXTENSION_AAI_INTERMEDIATE"
@safe public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_APPLEID_INTERMEDIATE: CFString =
    "kSecOIDAPPLE_EXTENSION_APPLEID_INTERMEDIATE"
@safe public nonisolated(unsafe) let kSecOIDAuthorityInfoAccess: CFString = "kSecOIDAuthorityInfoAccess"
@safe public nonisolated(unsafe) let kSecOIDAuthorityKeyIdentifier: CFString = "kSecOIDAuthorityKeyIdentifier"
@safe public nonisolated(unsafe) let kSecOIDBasicConstraints: CFString = "kSecOIDBasicConstraints"
@safe public nonisolated(unsafe) let kSecOIDBiometricInfo: CFString = "kSecOIDBiometricInfo"
@safe public nonisolated(unsafe) let kSecOIDCSSMKeyStruct: CFString = "kSecOIDCSSMKeyStruct"
@safe public nonisolated(unsafe) let kSecOIDCertIssuer: CFString = "kSecOIDCertIssuer"
@safe public nonisolated(unsafe) let kSecOIDCertificatePolicies: CFString = "kSecOIDCertificatePolicies"
@safe public nonisolated(unsafe) let kSecOIDClientAuth: CFString = "kSecOIDClientAuth"
@safe public nonisolated(unsafe) let kSecOIDCollectiveStateProvinceName: CFString = "kSecOIDCollectiveStateProvinceName"
@safe public nonisolated(unsafe) let kSecOIDCollectiveStreetAddress: CFString = "kSecOIDCollectiveStreetAddress"
@safe public nonisolated(unsafe) let kSecOIDCommonName: CFString = "kSecOIDCommonName"
@safe public nonisolated(unsafe) let kSecOIDCountryName: CFString = "kSecOIDCountryName"
@safe public nonisolated(unsafe) let kSecOIDCrlDistributionPoints: CFString = "kSecOIDCrlDistributionPoints"
@safe public nonisolated(unsafe) let kSecOIDCrlNumber: CFString = "kSecOIDCrlNumber"
@safe public nonisolated(unsafe) let kSecOIDCrlReason: CFString = "kSecOIDCrlReason"
@safe public nonisolated(unsafe) let kSecOIDDOTMAC_CERT_EMAIL_ENCRYPT: CFString = "kSecOIDDOTMAC_CERT_EMAIL_ENCRYPT"
@safe public nonisolated(unsafe) let kSecOIDDOTMAC_CERT_EMAIL_SIGN: CFString = "kSecOIDDOTMAC_CERT_EMAIL_SIGN"
@safe public nonisolated(unsafe) let kSecOIDDOTMAC_CERT_EXTENSION: CFString = "kSecOIDDOTMAC_CERT_EXTENSION"
@safe public nonisolated(unsafe) let kSecOIDDOTMAC_CERT_IDENTITY: CFString = "kSecOIDDOTMAC_CERT_IDENTITY"
@safe public nonisolated(unsafe) let kSecOIDDOTMAC_CERT_POLICY: CFString = "kSecOIDDOTMAC_CERT_POLICY"
@safe public nonisolated(unsafe) let kSecOIDDeltaCrlIndicator: CFString = "kSecOIDDeltaCrlIndicator"
@safe public nonisolated(unsafe) let kSecOIDDescription: CFString = "kSecOIDDescription"
@safe public nonisolated(unsafe) let kSecOIDEKU_IPSec: CFString = "kSecOIDEKU_IPSec"
@safe public nonisolated(unsafe) let kSecOIDEmailAddress: CFString = "kSecOIDEmailAddress"
@safe public nonisolated(unsafe) let kSecOIDEmailProtection: CFString = "kSecOIDEmailProtection"
@safe public nonisolated(unsafe) let kSecOIDExtendedKeyUsage: CFString = "kSecOIDExtendedKeyUsage"
@safe public nonisolated(unsafe) let kSecOIDExtendedKeyUsageAny: CFString = "kSecOIDExtendedKeyUsageAny"
@safe public nonisolated(unsafe) let kSecOIDExtendedUseCodeSigning: CFString = "kSecOIDExtendedUseCodeSigning"
@safe public nonisolated(unsafe) let kSecOIDGivenName: CFString = "kSecOIDGivenName"
@safe public nonisolated(unsafe) let kSecOIDHoldInstructionCode: CFString = "kSecOIDHoldInstructionCode"
@safe public nonisolated(unsafe) let kSecOIDInvalidityDate: CFString = "kSecOIDInvalidityDate"
@safe public nonisolated(unsafe) let kSecOIDIssuerAltName: CFString = "kSecOIDIssuerAltName"
@safe public nonisolated(unsafe) let kSecOIDIssuingDistributionPoint: CFString = "kSecOIDIssuingDistributionPoint"
@safe public nonisolated(unsafe) let kSecOIDIssuingDistributionPoints: CFString = "kSecOIDIssuingDistributionPoints"
@safe public nonisolated(unsafe) let kSecOIDKERBv5_PKINIT_KP_CLIENT_AUTH: CFString =
    "kSecOIDKERBv5_PKINIT_KP_CLIENT_AUTH"
@safe public nonisolated(unsafe) let kSecOIDKERBv5_PKINIT_KP_KDC: CFString = "kSecOIDKERBv5_PKINIT_KP_KDC"
@safe public nonisolated(unsafe) let kSecOIDKeyUsage: CFString = "kSecOIDKeyUsage"
@safe public nonisolated(unsafe) let kSecOIDLocalityName: CFString = "kSecOIDLocalityName"
@safe public nonisolated(unsafe) let kSecOIDMS_NTPrincipalName: CFString = "kSecOIDMS_NTPrincipalName"
@safe public nonisolated(unsafe) let kSecOIDMicrosoftSGC: CFString = "kSecOIDMicrosoftSGC"
@safe public nonisolated(unsafe) let kSecOIDNameConstraints: CFString = "kSecOIDNameConstraints"
@safe public nonisolated(unsafe) let kSecOIDNetscapeCertSequence: CFString = "kSecOIDNetscapeCertSequence"
@safe public nonisolated(unsafe) let kSecOIDNetscapeCertType: CFString = "kSecOIDNetscapeCertType"
@safe public nonisolated(unsafe) let kSecOIDNetscapeSGC: CFString = "kSecOIDNetscapeSGC"
@safe public nonisolated(unsafe) let kSecOIDOCSPSigning: CFString = "kSecOIDOCSPSigning"
@safe public nonisolated(unsafe) let kSecOIDOrganizationName: CFString = "kSecOIDOrganizationName"
@safe public nonisolated(unsafe) let kSecOIDOrganizationalUnitName: CFString = "kSecOIDOrganizationalUnitName"
@safe public nonisolated(unsafe) let kSecOIDPolicyConstraints: CFString = "kSecOIDPolicyConstraints"
@safe public nonisolated(unsafe) let kSecOIDPolicyMappings: CFString = "kSecOIDPolicyMappings"
@safe public nonisolated(unsafe) let kSecOIDPrivateKeyUsagePeriod: CFString = "kSecOIDPrivateKeyUsagePeriod"
@safe public nonisolated(unsafe) let kSecOIDQC_Statements: CFString = "kSecOIDQC_Statements"
@safe public nonisolated(unsafe) let kSecOIDSerialNumber: CFString = "kSecOIDSerialNumber"
@safe public nonisolated(unsafe) let kSecOIDServerAuth: CFString = "kSecOIDServerAuth"
@safe public nonisolated(unsafe) let kSecOIDStateProvinceName: CFString = "kSecOIDStateProvinceName"
@safe public nonisolated(unsafe) let kSecOIDStreetAddress: CFString = "kSecOIDStreetAddress"
@safe public nonisolated(unsafe) let kSecOIDSubjectAltName: CFString = "kSecOIDSubjectAltName"
@safe public nonisolated(unsafe) let kSecOIDSubjectDirectoryAttributes: CFString = "kSecOIDSubjectDirectoryAttributes"
@safe public nonisolated(unsafe) let kSecOIDSubjectEmailAddress: CFString = "kSecOIDSubjectEmailAddress"
@safe public nonisolated(unsafe) let kSecOIDSubjectInfoAccess: CFString = "kSecOIDSubjectInfoAccess"
@safe public nonisolated(unsafe) let kSecOIDSubjectKeyIdentifier: CFString = "kSecOIDSubjectKeyIdentifier"
@safe public nonisolated(unsafe) let kSecOIDSubjectPicture: CFString = "kSecOIDSubjectPicture"
@safe public nonisolated(unsafe) let kSecOIDSubjectSignatureBitmap: CFString = "kSecOIDSubjectSignatureBitmap"
@safe public nonisolated(unsafe) let kSecOIDSurname: CFString = "kSecOIDSurname"
@safe public nonisolated(unsafe) let kSecOIDTimeStamping: CFString = "kSecOIDTimeStamping"
@safe public nonisolated(unsafe) let kSecOIDTitle: CFString = "kSecOIDTitle"
@safe public nonisolated(unsafe) let kSecOIDUseExemptions: CFString = "kSecOIDUseExemptions"
@safe public nonisolated(unsafe) let kSecOIDX509V1CertificateIssuerUniqueId: CFString =
    "kSecOIDX509V1CertificateIssuerUniqueId"
@safe public nonisolated(unsafe) let kSecOIDX509V1CertificateSubjectUniqueId: CFString =
    "kSecOIDX509V1CertificateSubjectUniqueId"
@safe public nonisolated(unsafe) let kSecOIDX509V1IssuerName: CFString = "kSecOIDX509V1IssuerName"
@safe public nonisolated(unsafe) let kSecOIDX509V1IssuerNameCStruct: CFString = "kSecOIDX509V1IssuerNameCStruct"
@safe public nonisolated(unsafe) let kSecOIDX509V1IssuerNameLDAP: CFString = "kSecOIDX509V1IssuerNameLDAP"
@safe public nonisolated(unsafe) let kSecOIDX509V1IssuerNameStd: CFString = "kSecOIDX509V1IssuerNameStd"
@safe public nonisolated(unsafe) let kSecOIDX509V1SerialNumber: CFString = "kSecOIDX509V1SerialNumber"
@safe public nonisolated(unsafe) let kSecOIDX509V1Signature: CFString = "kSecOIDX509V1Signature"
@safe public nonisolated(unsafe) let kSecOIDX509V1SignatureAlgorithm: CFString = "kSecOIDX509V1SignatureAlgorithm"
@safe public nonisolated(unsafe) let kSecOIDX509V1SignatureAlgorithmParameters: CFString =
    "kSecOIDX509V1SignatureAlgorithmParameters"
@safe public nonisolated(unsafe) let kSecOIDX509V1SignatureAlgorithmTBS: CFString = "kSecOIDX509V1SignatureAlgorithmTBS"
@safe public nonisolated(unsafe) let kSecOIDX509V1SignatureCStruct: CFString = "kSecOIDX509V1SignatureCStruct"
@safe public nonisolated(unsafe) let kSecOIDX509V1SignatureStruct: CFString = "kSecOIDX509V1SignatureStruct"
@safe public nonisolated(unsafe) let kSecOIDX509V1SubjectName: CFString = "kSecOIDX509V1SubjectName"
@safe public nonisolated(unsafe) let kSecOIDX509V1SubjectNameCStruct: CFString = "kSecOIDX509V1SubjectNameCStruct"
@safe public nonisolated(unsafe) let kSecOIDX509V1SubjectNameLDAP: CFString = "kSecOIDX509V1SubjectNameLDAP"
@safe public nonisolated(unsafe) let kSecOIDX509V1SubjectNameStd: CFString = "kSecOIDX509V1SubjectNameStd"
@safe public nonisolated(unsafe) let kSecOIDX509V1SubjectPublicKey: CFString = "kSecOIDX509V1SubjectPublicKey"
@safe public nonisolated(unsafe) let kSecOIDX509V1SubjectPublicKeyAlgorithm: CFString =
    "kSecOIDX509V1SubjectPublicKeyAlgorithm"
@safe public nonisolated(unsafe) let kSecOIDX509V1SubjectPublicKeyAlgorithmParameters: CFString =
    "kSecOIDX509V1SubjectPublicKeyAlgorithmParameters"
@safe public nonisolated(unsafe) let kSecOIDX509V1SubjectPublicKeyCStruct: CFString =
    "kSecOIDX509V1SubjectPublicKeyCStruct"
@safe public nonisolated(unsafe) let kSecOIDX509V1ValidityNotAfter: CFString = "kSecOIDX509V1ValidityNotAfter"
@safe public nonisolated(unsafe) let kSecOIDX509V1ValidityNotBefore: CFString = "kSecOIDX509V1ValidityNotBefore"
@safe public nonisolated(unsafe) let kSecOIDX509V1Version: CFString = "kSecOIDX509V1Version"
@safe public nonisolated(unsafe) let kSecOIDX509V3Certificate: CFString = "kSecOIDX509V3Certificate"
@safe public nonisolated(unsafe) let kSecOIDX509V3CertificateCStruct: CFString = "kSecOIDX509V3CertificateCStruct"
@safe public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionCStruct: CFString =
    "kSecOIDX509V3CertificateExtensionCStruct"
@safe public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionCritical: CFString =
    "kSecOIDX509V3CertificateExtensionCritical"
@safe public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionId: CFString =
    "kSecOIDX509V3CertificateExtensionId"
@safe public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionStruct: CFString =
    "kSecOIDX509V3CertificateExtensionStruct"
@safe public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionType: CFString =
    "kSecOIDX509V3CertificateExtensionType"
@safe public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionValue: CFString =
    "kSecOIDX509V3CertificateExtensionValue"
@safe public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionsCStruct: CFString =
    "kSecOIDX509V3CertificateExtensionsCStruct"
@safe public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionsStruct: CFString =
    "kSecOIDX509V3CertificateExtensionsStruct"
@safe public nonisolated(unsafe) let kSecOIDX509V3CertificateNumberOfExtensions: CFString =
    "kSecOIDX509V3CertificateNumberOfExtensions"
@safe public nonisolated(unsafe) let kSecOIDX509V3SignedCertificate: CFString = "kSecOIDX509V3SignedCertificate"
@safe public nonisolated(unsafe) let kSecOIDX509V3SignedCertificateCStruct: CFString =
    "kSecOIDX509V3SignedCertificateCStruct"
@safe public nonisolated(unsafe) let kSecOIDSRVName: CFString = "kSecOIDSRVName"
