// SPDX-License-Identifier: Apache-2.0
// Reports the order that the standard library's Mutex creates to the thread sanitizer: to be loaded before the tests
// (LD_PRELOAD).
//
// The fast path of Synchronization.Mutex is compiled into the code that locks it, and instrumented there. The slow path
// is a function of the standard library, which is not instrumented, so under contention the data behind a mutex is
// reported as a race (seen with Swift 6.3.1). The functions here replace those of that library, call them, and report
// their effect with the sanitizer's own interface (sanitizer/tsan_interface.h). They are called as Swift calls methods:
// with `self` in the context register.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// A symbol of the tests, which link the sanitizer. The program that starts the tests does not have it.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

static void acquire(void *address) {
    if (__tsan_acquire) __tsan_acquire(address);
}

static void release(void *address) {
    if (__tsan_release) __tsan_release(address);
}

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define METHOD(name) "$s15Synchronization12_MutexHandleV" name

static void *original(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    // Another standard library, of which this file knows nothing.
    if (!function) abort();
    return function;
}

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(METHOD("9_lockSlowyys6UInt32VF"));
SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    static SWIFT void (*real)(uint32_t, SELF void *);
    if (!real) real = original(METHOD("9_lockSlowyys6UInt32VF"));
    real(thread, mutex);
    acquire(mutex);
}

SWIFT bool try_lock_slow(SELF void *mutex) __asm__(METHOD("12_tryLockSlowSbyF"));
SWIFT bool try_lock_slow(SELF void *mutex) {
    static SWIFT bool (*real)(SELF void *);
    if (!real) real = original(METHOD("12_tryLockSlowSbyF"));
    bool locked = real(mutex);
    if (locked) acquire(mutex);
    return locked;
}

SWIFT void unlock_slow(SELF void *mutex) __asm__(METHOD("11_unlockSlowyyF"));
SWIFT void unlock_slow(SELF void *mutex) {
    static SWIFT void (*real)(SELF void *);
    if (!real) real = original(METHOD("11_unlockSlowyyF"));
    release(mutex);
    real(mutex);
}
