// SPDX-License-Identifier: Apache-2.0

// The interfaces of libcrypto (OpenSSL 3) that this package uses.

#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
