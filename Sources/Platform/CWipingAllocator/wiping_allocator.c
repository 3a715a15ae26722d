// SPDX-License-Identifier: Apache-2.0

// The malloc family of the service: glibc's, but a block is overwritten before it is free.
//
// Keys and plaintexts pass through memory that other code releases: arrays of swift-crypto, Foundation's Data, strings,
// dictionaries. The contents of a block would otherwise stay readable until the memory is used again, which may be
// never.
//
// glibc lets a program replace these functions (its manual, "Replacing malloc"): a definition in the program itself
// takes precedence over the one in the library, for the library's own calls too. All of them are defined here, so that
// every block comes from glibc's allocator even if another allocator was to be loaded in its place.
//
// Linked into the service alone. Sanitizers have their own allocator, which must see each call.

#include "CWipingAllocator.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#ifdef HAS_SANITIZER

int cwa_is_wiping(void) {
    return 0;
}

#else

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// glibc's own names for its allocator; exported, and in no header.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

// Returns a block's size, by glibc's own count. Looked up in glibc itself, and not by the name alone, because another
// allocator that was loaded before glibc does not know these blocks. Null until the constructor below has run; before
// that no secret is in memory.
static size_t (*block_size)(void *block);

__attribute__((constructor)) static void find_block_size(void) {
    void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL) return;
    block_size = (size_t (*)(void *))dlsym(library, "malloc_usable_size");
    dlclose(library);
}

int cwa_is_wiping(void) {
    return block_size != NULL;
}

void free(void *block) {
    if (block == NULL) return;
    if (block_size != NULL) explicit_bzero(block, block_size(block));
    __libc_free(block);
}

// The memory of scrypt, 32 to 128 MiB for each check of a passcode, is touched page by page: with pages of 4 KiB, that takes a third
// of the check (34 MiB: 38 ms, with huge pages 5 ms). Advice only; without huge pages nothing changes.
static void advise_huge_pages(void *block, size_t size) {
    const uintptr_t huge = (uintptr_t)2 << 20;
    if (block == NULL || size < 4 * huge) return;
    uintptr_t first = ((uintptr_t)block + huge - 1) & ~(huge - 1);
    uintptr_t end = ((uintptr_t)block + size) & ~(huge - 1);
    int error = errno;
    if (first < end) madvise((void *)first, end - first, MADV_HUGEPAGE);
    errno = error;
}

void *malloc(size_t size) {
    void *block = __libc_malloc(size);
    advise_huge_pages(block, size);
    return block;
}

void *calloc(size_t count, size_t size) {
    return __libc_calloc(count, size);
}

// Replaces glibc's realloc, which would move the bytes and leave the old ones, or split off the end with its contents.
void *realloc(void *block, size_t size) {
    if (block == NULL || block_size == NULL) return __libc_realloc(block, size);
    if (size == 0) {
        free(block);
        return NULL;
    }
    size_t old = block_size(block);
    if (size <= old && size >= old / 2) {
        // The caller no longer uses the bytes beyond the new end.
        explicit_bzero((char *)block + size, old - size);
        return block;
    }
    void *moved = __libc_malloc(size);
    if (moved == NULL) return NULL;
    memcpy(moved, block, old < size ? old : size);
    free(block);
    return moved;
}

void *memalign(size_t alignment, size_t size) {
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    // posix_memalign() reports errors by its result and does not change errno.
    int before = errno;
    void *block = __libc_memalign(alignment, size);
    errno = before;
    if (block == NULL) return ENOMEM;
    *result = block;
    return 0;
}

void *valloc(size_t size) {
    return __libc_memalign((size_t)sysconf(_SC_PAGESIZE), size);
}

void *pvalloc(size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (size > SIZE_MAX - page) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_memalign(page, (size + page - 1) / page * page);
}

size_t malloc_usable_size(void *block) {
    return block == NULL || block_size == NULL ? 0 : block_size(block);
}

#endif
