// SPDX-License-Identifier: Apache-2.0
// The lists of functions through which programs call the module. They are constant, so a program that only looks up the lists
// runs no code in Swift.

#include "function_lists.h"

#include <stddef.h>
#include <string.h>

// A program calls each function with the arguments of the specification. The lists know them as addresses only.
typedef void (*function)(void);

static CK_RV not_supported(void) { return CKR_FUNCTION_NOT_SUPPORTED; }
// The reply of the specification for the functions of parallel sessions, which no longer exist.
static CK_RV not_parallel(void) { return CKR_FUNCTION_NOT_PARALLEL; }

#define UNSUPPORTED ((function)not_supported)

// Implemented in Swift (PKCS11Module/Exports).
extern void C_Initialize(void), C_Finalize(void), C_GetInfo(void), C_GetSlotList(void), C_GetSlotInfo(void), C_GetTokenInfo(void),
    C_GetMechanismList(void), C_GetMechanismInfo(void), C_OpenSession(void), C_CloseSession(void), C_CloseAllSessions(void),
    C_GetSessionInfo(void), C_Login(void), C_Logout(void), C_CreateObject(void), C_DestroyObject(void), C_GetAttributeValue(void),
    C_SetAttributeValue(void), C_FindObjectsInit(void), C_FindObjects(void), C_FindObjectsFinal(void), C_EncryptInit(void),
    C_Encrypt(void), C_DecryptInit(void), C_Decrypt(void), C_SignInit(void), C_Sign(void), C_SignUpdate(void), C_SignFinal(void),
    C_VerifyInit(void), C_Verify(void), C_VerifyUpdate(void), C_VerifyFinal(void), C_GenerateKeyPair(void), C_DeriveKey(void),
    C_SeedRandom(void), C_GenerateRandom(void), C_WaitForSlotEvent(void), C_SessionCancel(void);

struct list_2 {
    CK_VERSION version;
    function functions[68];
};

struct list_3 {
    CK_VERSION version;
    function functions[92];
};

struct interface {
    const char *name;
    const void *functions;
    CK_FLAGS flags;
};

// In the order of the specification.
#define FUNCTIONS_OF_2                                                                                                         \
    C_Initialize, C_Finalize, C_GetInfo, (function)C_GetFunctionList, C_GetSlotList, C_GetSlotInfo, C_GetTokenInfo,            \
        C_GetMechanismList, C_GetMechanismInfo, /* C_InitToken */ UNSUPPORTED, /* C_InitPIN */ UNSUPPORTED,                    \
        /* C_SetPIN */ UNSUPPORTED, C_OpenSession, C_CloseSession, C_CloseAllSessions, C_GetSessionInfo,                       \
        /* C_GetOperationState */ UNSUPPORTED, /* C_SetOperationState */ UNSUPPORTED, C_Login, C_Logout, C_CreateObject,       \
        /* C_CopyObject */ UNSUPPORTED, C_DestroyObject, /* C_GetObjectSize */ UNSUPPORTED, C_GetAttributeValue,               \
        C_SetAttributeValue, C_FindObjectsInit, C_FindObjects, C_FindObjectsFinal, C_EncryptInit, C_Encrypt,                   \
        /* C_EncryptUpdate, C_EncryptFinal */ UNSUPPORTED, UNSUPPORTED, C_DecryptInit, C_Decrypt,                              \
        /* C_DecryptUpdate, C_DecryptFinal */ UNSUPPORTED, UNSUPPORTED,                                                        \
        /* C_DigestInit, C_Digest, C_DigestUpdate */ UNSUPPORTED, UNSUPPORTED, UNSUPPORTED,                                    \
        /* C_DigestKey, C_DigestFinal */ UNSUPPORTED, UNSUPPORTED, C_SignInit, C_Sign, C_SignUpdate, C_SignFinal,              \
        /* C_SignRecoverInit, C_SignRecover */ UNSUPPORTED, UNSUPPORTED, C_VerifyInit, C_Verify, C_VerifyUpdate,               \
        C_VerifyFinal, /* C_VerifyRecoverInit, C_VerifyRecover */ UNSUPPORTED, UNSUPPORTED,                                    \
        /* C_DigestEncryptUpdate, C_DecryptDigestUpdate */ UNSUPPORTED, UNSUPPORTED,                                           \
        /* C_SignEncryptUpdate, C_DecryptVerifyUpdate */ UNSUPPORTED, UNSUPPORTED, /* C_GenerateKey */ UNSUPPORTED,            \
        C_GenerateKeyPair, /* C_WrapKey, C_UnwrapKey */ UNSUPPORTED, UNSUPPORTED, C_DeriveKey, C_SeedRandom,                   \
        C_GenerateRandom, /* C_GetFunctionStatus, C_CancelFunction */ (function)not_parallel, (function)not_parallel,          \
        C_WaitForSlotEvent

static const struct list_2 functions_2 = {{2, 40}, {FUNCTIONS_OF_2}};

static const struct list_3 functions_3 = {
    {3, 0},
    {FUNCTIONS_OF_2, (function)C_GetInterfaceList, (function)C_GetInterface, /* C_LoginUser */ UNSUPPORTED, C_SessionCancel,
     // The functions for messages: four groups of five.
     UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED,
     UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED,
     UNSUPPORTED, UNSUPPORTED}};

_Static_assert(sizeof((function[]){FUNCTIONS_OF_2}) == 68 * sizeof(function), "no function is missing");
_Static_assert(sizeof(functions_2) == 69 * sizeof(function), "the list of version 2.40 has 68 functions");
_Static_assert(sizeof(functions_3) == 93 * sizeof(function), "the list of version 3.0 has 92 functions");

static const char interface_name[] = "PKCS 11";

// Programs that name no version get the first interface.
static const struct interface interfaces[] = {{interface_name, &functions_3, 0}, {interface_name, &functions_2, 0}};
enum { interface_count = sizeof(interfaces) / sizeof(interfaces[0]) };

CK_RV C_GetFunctionList(const struct list_2 **list) {
    if (list == NULL) return CKR_ARGUMENTS_BAD;
    *list = &functions_2;
    return CKR_OK;
}

CK_RV C_GetInterfaceList(struct interface *list, CK_ULONG *count) {
    if (count == NULL) return CKR_ARGUMENTS_BAD;
    CK_ULONG room = *count;
    *count = interface_count;
    if (list == NULL) return CKR_OK;
    if (room < interface_count) return CKR_BUFFER_TOO_SMALL;
    memcpy(list, interfaces, sizeof(interfaces));
    return CKR_OK;
}

CK_RV C_GetInterface(const char *name, const CK_VERSION *version, const struct interface **interface, CK_FLAGS flags) {
    if (interface == NULL) return CKR_ARGUMENTS_BAD;
    for (int number = 0; number < interface_count; number++) {
        const CK_VERSION *offered = interfaces[number].functions;
        if (name != NULL && strcmp(name, interfaces[number].name) != 0) continue;
        if (version != NULL && (version->major != offered->major || version->minor != offered->minor)) continue;
        if ((flags & ~interfaces[number].flags) != 0) continue;
        *interface = &interfaces[number];
        return CKR_OK;
    }
    return CKR_FUNCTION_FAILED;
}
