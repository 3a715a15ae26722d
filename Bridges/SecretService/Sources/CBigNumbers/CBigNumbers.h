// SPDX-License-Identifier: Apache-2.0

// The interfaces of libcrypto (OpenSSL 3) that this package uses: modular exponentiation.

#include <openssl/bn.h>
