// SPDX-License-Identifier: Apache-2.0
// The types and the numbers of PKCS #11 3.0 (OASIS, "PKCS #11 Cryptographic Token Interface") that the module uses. The names
// and the layouts are those of the specification.

#ifndef CHATELAINE_CRYPTOKI_H
#define CHATELAINE_CRYPTOKI_H

typedef unsigned char CK_BYTE;
typedef unsigned char CK_BBOOL;
typedef unsigned long CK_ULONG;
typedef CK_ULONG CK_RV;
typedef CK_ULONG CK_FLAGS;
typedef CK_ULONG CK_SLOT_ID;
typedef CK_ULONG CK_SESSION_HANDLE;
typedef CK_ULONG CK_OBJECT_HANDLE;
typedef CK_ULONG CK_ATTRIBUTE_TYPE;
typedef CK_ULONG CK_MECHANISM_TYPE;
typedef CK_ULONG CK_USER_TYPE;

typedef struct {
    CK_BYTE major;
    CK_BYTE minor;
} CK_VERSION;

typedef struct {
    CK_VERSION cryptokiVersion;
    CK_BYTE manufacturerID[32];
    CK_FLAGS flags;
    CK_BYTE libraryDescription[32];
    CK_VERSION libraryVersion;
} CK_INFO;

typedef struct {
    CK_BYTE slotDescription[64];
    CK_BYTE manufacturerID[32];
    CK_FLAGS flags;
    CK_VERSION hardwareVersion;
    CK_VERSION firmwareVersion;
} CK_SLOT_INFO;

typedef struct {
    CK_BYTE label[32];
    CK_BYTE manufacturerID[32];
    CK_BYTE model[16];
    CK_BYTE serialNumber[16];
    CK_FLAGS flags;
    CK_ULONG ulMaxSessionCount;
    CK_ULONG ulSessionCount;
    CK_ULONG ulMaxRwSessionCount;
    CK_ULONG ulRwSessionCount;
    CK_ULONG ulMaxPinLen;
    CK_ULONG ulMinPinLen;
    CK_ULONG ulTotalPublicMemory;
    CK_ULONG ulFreePublicMemory;
    CK_ULONG ulTotalPrivateMemory;
    CK_ULONG ulFreePrivateMemory;
    CK_VERSION hardwareVersion;
    CK_VERSION firmwareVersion;
    CK_BYTE utcTime[16];
} CK_TOKEN_INFO;

typedef struct {
    CK_SLOT_ID slotID;
    CK_ULONG state;
    CK_FLAGS flags;
    CK_ULONG ulDeviceError;
} CK_SESSION_INFO;

typedef struct {
    CK_ATTRIBUTE_TYPE type;
    void *pValue;
    CK_ULONG ulValueLen;
} CK_ATTRIBUTE;

typedef struct {
    CK_MECHANISM_TYPE mechanism;
    void *pParameter;
    CK_ULONG ulParameterLen;
} CK_MECHANISM;

typedef struct {
    CK_ULONG ulMinKeySize;
    CK_ULONG ulMaxKeySize;
    CK_FLAGS flags;
} CK_MECHANISM_INFO;

typedef struct {
    void *CreateMutex;
    void *DestroyMutex;
    void *LockMutex;
    void *UnlockMutex;
    CK_FLAGS flags;
    void *pReserved;
} CK_C_INITIALIZE_ARGS;

typedef struct {
    CK_MECHANISM_TYPE hashAlg;
    CK_ULONG mgf;
    CK_ULONG sLen;
} CK_RSA_PKCS_PSS_PARAMS;

typedef struct {
    CK_MECHANISM_TYPE hashAlg;
    CK_ULONG mgf;
    CK_ULONG source;
    void *pSourceData;
    CK_ULONG ulSourceDataLen;
} CK_RSA_PKCS_OAEP_PARAMS;

typedef struct {
    CK_ULONG kdf;
    CK_ULONG ulSharedDataLen;
    CK_BYTE *pSharedData;
    CK_ULONG ulPublicDataLen;
    CK_BYTE *pPublicData;
} CK_ECDH1_DERIVE_PARAMS;

typedef struct {
    CK_BBOOL phFlag;
    CK_ULONG ulContextDataLen;
    CK_BYTE *pContextData;
} CK_EDDSA_PARAMS;

// Return values.
#define CKR_OK 0x0UL
#define CKR_HOST_MEMORY 0x2UL
#define CKR_SLOT_ID_INVALID 0x3UL
#define CKR_GENERAL_ERROR 0x5UL
#define CKR_FUNCTION_FAILED 0x6UL
#define CKR_ARGUMENTS_BAD 0x7UL
#define CKR_NO_EVENT 0x8UL
#define CKR_NEED_TO_CREATE_THREADS 0x9UL
#define CKR_CANT_LOCK 0xAUL
#define CKR_ATTRIBUTE_READ_ONLY 0x10UL
#define CKR_ATTRIBUTE_SENSITIVE 0x11UL
#define CKR_ATTRIBUTE_TYPE_INVALID 0x12UL
#define CKR_ATTRIBUTE_VALUE_INVALID 0x13UL
#define CKR_ACTION_PROHIBITED 0x1BUL
#define CKR_DATA_INVALID 0x20UL
#define CKR_DATA_LEN_RANGE 0x21UL
#define CKR_DEVICE_ERROR 0x30UL
#define CKR_DEVICE_MEMORY 0x31UL
#define CKR_DEVICE_REMOVED 0x32UL
#define CKR_ENCRYPTED_DATA_INVALID 0x40UL
#define CKR_ENCRYPTED_DATA_LEN_RANGE 0x41UL
#define CKR_FUNCTION_CANCELED 0x50UL
#define CKR_FUNCTION_NOT_PARALLEL 0x51UL
#define CKR_FUNCTION_NOT_SUPPORTED 0x54UL
#define CKR_KEY_HANDLE_INVALID 0x60UL
#define CKR_KEY_SIZE_RANGE 0x62UL
#define CKR_KEY_TYPE_INCONSISTENT 0x63UL
#define CKR_KEY_FUNCTION_NOT_PERMITTED 0x68UL
#define CKR_MECHANISM_INVALID 0x70UL
#define CKR_MECHANISM_PARAM_INVALID 0x71UL
#define CKR_OBJECT_HANDLE_INVALID 0x82UL
#define CKR_OPERATION_ACTIVE 0x90UL
#define CKR_OPERATION_NOT_INITIALIZED 0x91UL
#define CKR_PIN_INCORRECT 0xA0UL
#define CKR_PIN_LEN_RANGE 0xA2UL
#define CKR_PIN_LOCKED 0xA4UL
#define CKR_SESSION_COUNT 0xB1UL
#define CKR_SESSION_HANDLE_INVALID 0xB3UL
#define CKR_SESSION_PARALLEL_NOT_SUPPORTED 0xB4UL
#define CKR_SESSION_READ_ONLY 0xB5UL
#define CKR_SESSION_READ_ONLY_EXISTS 0xB7UL
#define CKR_SIGNATURE_INVALID 0xC0UL
#define CKR_SIGNATURE_LEN_RANGE 0xC1UL
#define CKR_TEMPLATE_INCOMPLETE 0xD0UL
#define CKR_TEMPLATE_INCONSISTENT 0xD1UL
#define CKR_TOKEN_NOT_PRESENT 0xE0UL
#define CKR_TOKEN_WRITE_PROTECTED 0xE2UL
#define CKR_USER_ALREADY_LOGGED_IN 0x100UL
#define CKR_USER_NOT_LOGGED_IN 0x101UL
#define CKR_USER_TYPE_INVALID 0x103UL
#define CKR_RANDOM_SEED_NOT_SUPPORTED 0x120UL
#define CKR_CURVE_NOT_SUPPORTED 0x140UL
#define CKR_BUFFER_TOO_SMALL 0x150UL
#define CKR_CRYPTOKI_NOT_INITIALIZED 0x190UL
#define CKR_CRYPTOKI_ALREADY_INITIALIZED 0x191UL
#define CKR_FUNCTION_REJECTED 0x200UL

#define CK_UNAVAILABLE_INFORMATION (~0UL)
#define CK_EFFECTIVELY_INFINITE 0UL

// Flags of C_Initialize, slots, tokens, sessions and mechanisms.
#define CKF_LIBRARY_CANT_CREATE_OS_THREADS 0x1UL
#define CKF_OS_LOCKING_OK 0x2UL
#define CKF_TOKEN_PRESENT 0x1UL
#define CKF_RNG 0x1UL
#define CKF_LOGIN_REQUIRED 0x4UL
#define CKF_USER_PIN_INITIALIZED 0x8UL
#define CKF_PROTECTED_AUTHENTICATION_PATH 0x100UL
#define CKF_TOKEN_INITIALIZED 0x400UL
#define CKF_RW_SESSION 0x2UL
#define CKF_SERIAL_SESSION 0x4UL
#define CKF_DONT_BLOCK 0x1UL
#define CKF_ENCRYPT 0x100UL
#define CKF_DECRYPT 0x200UL
#define CKF_SIGN 0x800UL
#define CKF_VERIFY 0x2000UL
#define CKF_GENERATE_KEY_PAIR 0x10000UL
#define CKF_DERIVE 0x80000UL
#define CKF_EC_F_P 0x100000UL
#define CKF_EC_NAMEDCURVE 0x800000UL
#define CKF_EC_UNCOMPRESS 0x1000000UL

// Users and the states of sessions.
#define CKU_SO 0UL
#define CKU_USER 1UL
#define CKU_CONTEXT_SPECIFIC 2UL
#define CKS_RO_PUBLIC_SESSION 0UL
#define CKS_RO_USER_FUNCTIONS 1UL
#define CKS_RW_PUBLIC_SESSION 2UL
#define CKS_RW_USER_FUNCTIONS 3UL

// Classes of objects, types of keys and certificates.
#define CKO_CERTIFICATE 1UL
#define CKO_PUBLIC_KEY 2UL
#define CKO_PRIVATE_KEY 3UL
#define CKO_SECRET_KEY 4UL
#define CKK_RSA 0x0UL
#define CKK_EC 0x3UL
#define CKK_GENERIC_SECRET 0x10UL
#define CKK_EC_EDWARDS 0x40UL
#define CKK_EC_MONTGOMERY 0x41UL
#define CKC_X_509 0UL
#define CK_CERTIFICATE_CATEGORY_UNSPECIFIED 0UL

// Attributes.
#define CKA_CLASS 0x0UL
#define CKA_TOKEN 0x1UL
#define CKA_PRIVATE 0x2UL
#define CKA_LABEL 0x3UL
#define CKA_VALUE 0x11UL
#define CKA_CERTIFICATE_TYPE 0x80UL
#define CKA_ISSUER 0x81UL
#define CKA_SERIAL_NUMBER 0x82UL
#define CKA_TRUSTED 0x86UL
#define CKA_CERTIFICATE_CATEGORY 0x87UL
#define CKA_URL 0x89UL
#define CKA_KEY_TYPE 0x100UL
#define CKA_SUBJECT 0x101UL
#define CKA_ID 0x102UL
#define CKA_SENSITIVE 0x103UL
#define CKA_ENCRYPT 0x104UL
#define CKA_DECRYPT 0x105UL
#define CKA_WRAP 0x106UL
#define CKA_UNWRAP 0x107UL
#define CKA_SIGN 0x108UL
#define CKA_SIGN_RECOVER 0x109UL
#define CKA_VERIFY 0x10AUL
#define CKA_VERIFY_RECOVER 0x10BUL
#define CKA_DERIVE 0x10CUL
#define CKA_START_DATE 0x110UL
#define CKA_END_DATE 0x111UL
#define CKA_MODULUS 0x120UL
#define CKA_MODULUS_BITS 0x121UL
#define CKA_PUBLIC_EXPONENT 0x122UL
#define CKA_PRIVATE_EXPONENT 0x123UL
#define CKA_PRIME_1 0x124UL
#define CKA_PRIME_2 0x125UL
#define CKA_EXPONENT_1 0x126UL
#define CKA_EXPONENT_2 0x127UL
#define CKA_COEFFICIENT 0x128UL
#define CKA_PUBLIC_KEY_INFO 0x129UL
#define CKA_VALUE_LEN 0x161UL
#define CKA_EXTRACTABLE 0x162UL
#define CKA_LOCAL 0x163UL
#define CKA_NEVER_EXTRACTABLE 0x164UL
#define CKA_ALWAYS_SENSITIVE 0x165UL
#define CKA_KEY_GEN_MECHANISM 0x166UL
#define CKA_MODIFIABLE 0x170UL
#define CKA_COPYABLE 0x171UL
#define CKA_DESTROYABLE 0x172UL
#define CKA_EC_PARAMS 0x180UL
#define CKA_EC_POINT 0x181UL
#define CKA_ALWAYS_AUTHENTICATE 0x202UL
#define CKA_WRAP_WITH_TRUSTED 0x210UL

// Mechanisms, and the numbers in their parameters.
#define CKM_RSA_PKCS_KEY_PAIR_GEN 0x0UL
#define CKM_RSA_PKCS 0x1UL
#define CKM_SHA1_RSA_PKCS 0x6UL
#define CKM_RSA_PKCS_OAEP 0x9UL
#define CKM_RSA_PKCS_PSS 0xDUL
#define CKM_SHA1_RSA_PKCS_PSS 0xEUL
#define CKM_SHA256_RSA_PKCS 0x40UL
#define CKM_SHA384_RSA_PKCS 0x41UL
#define CKM_SHA512_RSA_PKCS 0x42UL
#define CKM_SHA256_RSA_PKCS_PSS 0x43UL
#define CKM_SHA384_RSA_PKCS_PSS 0x44UL
#define CKM_SHA512_RSA_PKCS_PSS 0x45UL
#define CKM_SHA_1 0x220UL
#define CKM_SHA256 0x250UL
#define CKM_SHA384 0x260UL
#define CKM_SHA512 0x270UL
#define CKM_EC_KEY_PAIR_GEN 0x1040UL
#define CKM_ECDSA 0x1041UL
#define CKM_ECDSA_SHA1 0x1042UL
#define CKM_ECDSA_SHA256 0x1044UL
#define CKM_ECDSA_SHA384 0x1045UL
#define CKM_ECDSA_SHA512 0x1046UL
#define CKM_ECDH1_DERIVE 0x1050UL
#define CKM_EC_EDWARDS_KEY_PAIR_GEN 0x1055UL
#define CKM_EC_MONTGOMERY_KEY_PAIR_GEN 0x1056UL
#define CKM_EDDSA 0x1057UL
#define CKG_MGF1_SHA1 0x1UL
#define CKG_MGF1_SHA256 0x2UL
#define CKG_MGF1_SHA384 0x3UL
#define CKG_MGF1_SHA512 0x4UL
#define CKZ_DATA_SPECIFIED 0x1UL
#define CKD_NULL 0x1UL
#define CKD_SHA1_KDF 0x2UL
#define CKD_SHA256_KDF 0x6UL
#define CKD_SHA384_KDF 0x7UL
#define CKD_SHA512_KDF 0x8UL

/// Returns a pidfd of this process, which is not inherited across exec; -1 and errno if there is none.
int chatelaine_own_process(void);

#endif
