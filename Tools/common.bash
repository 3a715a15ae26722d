# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# What the scripts of this folder share. Sourced, never run.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Nothing that is built or installed may be writable by others: the daemon would not trust the command beside it.
umask 022

# What the packages of this repository build in one place they share: each module is built once for all of them. SwiftPM
# keeps its plan there, too, and would take that of one package for another's.
beside=(--scratch-path "$PWD/.build" --disable-build-manifest-caching)
# Debugging information would make programs of 120 MB that are stripped when they are installed.
no_debugging=(-debug-info-format none -Xcc -g0)
# What a hole in C code would have to get past: canaries on stacks, addresses of functions that are looked up at the start and cannot be
# written afterwards (full RELRO). C of this repository is fortified as well, see Package.swift.
hardening=(-Xcc -fstack-protector-strong -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now)
# One folder has the released programs, the examples and the tests of make test, so each module is compiled once. Therefore modules are compiled
# with -enable-testing (a lookup takes as many instructions with it as without) and without --static-swift-stdlib, because Swift Testing exists as
# a shared library only: the manifests link the Swift runtime into programs (`standalone`). The programs are small parts of many modules;
# optimizing across those saves a tenth of a request. Libraries are not looked for beside the programs: that takes time at
# each start, and a user who may write there must not bring code into them.
release_flags=(
    --configuration release --disable-local-rpath -Xswiftc -cross-module-optimization -Xswiftc -enable-testing
    --disable-index-store "${beside[@]}" "${no_debugging[@]}" "${hardening[@]}"
)
# What a program needs at each start, of which `chatelaine get` is all there is for the person who waits: LLVM's linker can write the places
# that depend on where the program lies as a list of bits (RELR) where the C library can read it, and nothing is exported, so
# that nothing has to be looked up by name. The C++ library inside the Swift runtime comes along, as the runtime does.
linker_directory=$PWD/.build/linker
release_flags+=(
    -Xswiftc -use-ld=lld -Xswiftc -L -Xswiftc "$linker_directory"
    -Xlinker "--version-script=$PWD/Tools/exports.map"
)
if [[ $(getconf GNU_LIBC_VERSION) =~ ^glibc\ 2\.([0-9]+) && ${BASH_REMATCH[1]} -ge 36 ]]; then
    release_flags+=(-Xlinker -z -Xlinker pack-relative-relocs)
fi
release_directory=.build/release
# The helper programs, each in a package of its own.
session_lock_package=Helpers/SessionLock
prompters_package=Helpers/Prompters
token_package=Helpers/Token
trust_package=Helpers/Trust
crypto_package=Helpers/Crypto
secrets_package=Bridges/SecretService
login_package=Bridges/Login
ssh_package=Bridges/SSHAgent
pkcs11_package=Bridges/PKCS11
# The module for PKCS #11, as SwiftPM names it, and as it is installed.
pkcs11_library=libchatelaine-pkcs11.so
pkcs11_module=chatelaine-pkcs11.so

# build PACKAGE OPTION...: builds a package in the shared folder, where one build runs at a time. swift-certificates tests `canImport(Security)`
# and would take our module for Apple's, so that module is put aside while Helpers/Trust is built, which does not use it. Sharing the folder
# saves a second build of swift-crypto with BoringSSL: a tenth of the processor time of make test.
build() (
    mkdir -p .build
    exec 9>.build/one-build
    flock 9
    if [[ $1 == "$trust_package" ]]; then
        module=$release_directory/Modules/Security.swiftmodule
        aside=.build/Security.swiftmodule
        trap '[[ ! -e $aside ]] || mv -f "$aside" "$module"' EXIT
        [[ ! -e $module ]] || mv "$module" "$aside"
    fi
    swift build --package-path "$1" "${@:2}" 9>&-
)

# The debug tests of the root package (make check), and all tests with the thread sanitizer, optimized and with the assertions of a debug
# build (make test-all), have other flags, and so a folder each.
debug_directory=$PWD/.build-debug
sanitized_directory=$PWD/.build-sanitized
# Measured on two cores: compiling a module as a whole takes 30 % less of the processor than in parts, and writing what others import of
# it in the same step, instead of checking all declarations twice, another 30 %. BoringSSL in C without optimization makes the tests take
# 45 s longer.
quicker_tests=(
    -Xswiftc -whole-module-optimization -Xswiftc -no-emit-module-separately-wmo -Xswiftc -num-threads -Xswiftc 2 -Xcc -O1
)
# test_flags [debug|sanitized]: the options that tests are built with, one per line.
test_flags() {
    if [[ ${1:-} == sanitized ]]; then
        printf '%s\n' --configuration release -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug --sanitize thread \
            --scratch-path "$sanitized_directory" --disable-build-manifest-caching
    elif [[ ${1:-} == debug ]]; then
        printf '%s\n' --scratch-path "$debug_directory" --disable-build-manifest-caching --disable-index-store "${no_debugging[@]}" \
            "${quicker_tests[@]}"
    else
        printf '%s\n' "${release_flags[@]}"
    fi
}
# test_directory [debug|sanitized]: where Tools/build-tests puts tests.
test_directory() {
    if [[ ${1:-} == sanitized ]]; then
        echo "$sanitized_directory/release"
    elif [[ ${1:-} == debug ]]; then
        echo "$debug_directory/debug"
    else
        echo "$PWD/$release_directory"
    fi
}
# build_login_module OUTPUT: compiles the PAM module, which runs in programs of the system. It exports the functions of PAM alone, and is
# linked with the C library and libpam.
build_login_module() {
    clang -std=gnu17 -D_GNU_SOURCE -O2 -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror -Wconversion -Wno-sign-conversion \
        -fstack-protector-strong -D_FORTIFY_SOURCE=3 -Wl,-z,relro,-z,now,-z,nodelete,-z,noexecstack -o "$1" \
        Bridges/Login/Module/*.c -lpam
}
# package_name FOLDER: the name in its manifest.
package_name() { sed -n 's/^    name: "\(.*\)",$/\1/p' "$1/Package.swift" | head -n 1; }
package_title() { if [[ $1 == . ]]; then echo 'the root package'; else echo "$1"; fi; }

if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
    bold=$'\e[1m' plain=$'\e[0m'
else
    bold='' plain=''
fi

# Says what comes next.
step() { printf '%s==> %s%s\n' "$bold" "$*" "$plain"; }

# Says something about it.
note() { printf '    %s\n' "$*"; }

# fail MESSAGE [HINT]...
fail() {
    printf 'error: %s\n' "$1" >&2
    shift
    local hint
    for hint in "$@"; do printf 'hint: %s\n' "$hint" >&2; done
    exit 1
}

# The path of a new directory. In /tmp, whatever TMPDIR says: the path of a socket has at most 107 bytes.
scratch_directory() { mktemp -d /tmp/chatelaine.XXXXXX; }

has() { command -v "$1" >/dev/null 2>&1; }

# stop_service PROGRAM: ends this user's services that were started as PROGRAM. They lose nothing, and the next client
# starts one again. Looks at the name and the arguments only: the rest of /proc/PID is closed for such a process.
stop_service() {
    local directory name argument user
    for directory in /proc/[0-9]*; do
        { read -r name <"$directory/comm" && read -r -d '' argument <"$directory/cmdline" &&
            user=$(sed -n 's/^Uid:\t\([0-9]*\).*/\1/p' "$directory/status"); } 2>/dev/null || continue
        if [[ $name == chatelained && $argument == "$1" && $user == "$EUID" ]]; then
            note "stopping the running service (process ${directory#/proc/})"
            kill -TERM "${directory#/proc/}" 2>/dev/null || true
        fi
    done
}

# The AppArmor profiles of Packaging/apparmor.
apparmor_profiles=(chatelaine-system chatelaine-token chatelaine-fingerprint chatelaine-authorization chatelaine-session-lock)

# Whether the machine has the interfaces that the SELinux module uses.
has_selinux_sources() { [[ -f /usr/share/selinux/devel/Makefile ]] && has checkmodule && has semodule_package; }

# build_selinux_module FOLDER: makes chatelaine.pp in a new folder.
build_selinux_module() {
    mkdir -p "$1"
    cp Packaging/selinux/chatelaine.{te,fc,if} "$1/"
    make --no-print-directory --directory "$1" --makefile /usr/share/selinux/devel/Makefile chatelaine.pp
}
