// SPDX-License-Identifier: Apache-2.0
// The functions that programs look up by name. A program sees the lists as the structures of the specification.

#ifndef CHATELAINE_FUNCTION_LISTS_H
#define CHATELAINE_FUNCTION_LISTS_H

#include "cryptoki.h"

struct list_2;
struct interface;

CK_RV C_GetFunctionList(const struct list_2 **list);
CK_RV C_GetInterfaceList(struct interface *interfaces, CK_ULONG *count);
CK_RV C_GetInterface(const char *name, const CK_VERSION *version, const struct interface **interface, CK_FLAGS flags);

#endif
