// SPDX-License-Identifier: Apache-2.0
// A small program that uses libsecret: `store VALUE`, which prints nothing, or `lookup`, which prints the value. The library is
// loaded at run time, so that its headers are not needed; the declarations are those of its stable interface.

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// The number makes each program a separate one.
#ifndef NUMBER
#define NUMBER 1
#endif
const int number = NUMBER;

struct schema {
    const char *name;
    int flags;
    struct {
        const char *name;
        int type;
    } attributes[32];
    int reserved;
    void *more[7];
};

static const struct schema schema = {"org.example.Small", 0, {{"user", 0}}, 0, {0}};

typedef int store(const struct schema *, const char *, const char *, const char *, void *, void **, ...);
typedef char *lookup(const struct schema *, void *, void **, ...);

int main(int count, char **words) {
    void *library = dlopen("libsecret-1.so.0", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 3;
    }
    void *error = NULL;
    if (count == 3 && !strcmp(words[1], "store")) {
        store *call = (store *)dlsym(library, "secret_password_store_sync");
        int done = call(&schema, "default", "Small", words[2], NULL, &error, "user", "ann", NULL);
        return done && !error ? 0 : 2;
    }
    if (count == 2 && !strcmp(words[1], "lookup")) {
        lookup *call = (lookup *)dlsym(library, "secret_password_lookup_sync");
        char *value = call(&schema, NULL, &error, "user", "ann", NULL);
        if (error) return 2;
        if (!value) return 1;
        printf("%s", value);
        return 0;
    }
    return 64;
}
