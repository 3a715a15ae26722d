// SPDX-License-Identifier: Apache-2.0

/// Programs that run other programs.
///
/// Known by name. This is enough, because a copy under another name is a separate program, with its own group and no
/// access to the items of other programs.
public enum Interpreters {
    /// Returns whether the program at a path is an interpreter. Versions are ignored: `python3.11` is `python`.
    public static func include(_ path: String) -> Bool {
        let name = name(of: path)
        if names.contains(name) { return true }
        // The dynamic loader runs any program: ld-linux-x86-64.so.2, ld-musl-x86_64.so.1, ld64.so.2.
        if ["ld-", "ld.so", "ld64.so"].contains(where: name.hasPrefix) { return true }
        if name.hasPrefix("qemu-") { return true }
        // Valgrind's tools run the program themselves: memcheck-amd64-linux.
        if name.hasSuffix("-linux"), valgrindTools.contains(String(name.prefix { $0 != "-" })) { return true }
        let stem = name.prefix { !($0.isASCII && ($0.isNumber || $0 == ".")) }
        return names.contains(stem.last == "-" ? String(stem.dropLast()) : String(stem))
    }

    /// Returns the name of the file at a path.
    static func name(of path: String) -> String {
        var name = path.split(separator: "/").last.map(String.init) ?? ""
        // The kernel's suffix for a file that was replaced, for example by an update, while it runs (proc_pid_exe(5)).
        let removed = " (deleted)"
        if name.hasSuffix(removed) { name.removeLast(removed.count) }
        return name
    }

    private static let valgrindTools: Set<String> = [
        "cachegrind", "callgrind", "dhat", "drd", "exp", "helgrind", "lackey", "massif", "memcheck", "none",
    ]

    private static let names: Set<String> = [
        // Shells.
        "ash", "bash", "bash-static", "busybox", "csh", "dash", "elvish", "fish", "ion", "ksh", "mksh", "nu", "oksh",
        "osh", "pdksh",
        "pwsh", "rbash", "rc", "sash", "sh", "tcsh", "toybox", "xonsh", "yash", "zsh", "zsh-static",
        // Languages.
        "awk", "beam", "beam.smp", "bun", "cjs", "cjs-console", "clisp", "cling", "cscript", "dart", "deno", "dotnet",
        "electron", "elixir", "emacs",
        "emacs-gtk", "emacs-lucid", "emacs-nox", "emacs-pgtk", "erl", "escript", "expect", "gawk", "ghc", "ghci", "gjs",
        "gjs-console", "gnuplot",
        "groovy", "guile", "hhvm", "iex", "irb", "java", "jimsh", "jruby", "js", "julia", "lisp", "lua", "luajit",
        "mawk",
        "micropython", "mono", "mono-sgen", "nawk", "node", "nodejs", "nvim", "ocaml", "ocamlrun", "octave",
        "octave-cli",
        "original-awk", "perl", "php", "php-cgi", "php-cli", "php-fpm", "pike", "pypy", "python", "python-dbg", "qjs",
        "qml",
        "qmlscene", "R", "racket", "raku", "rhino", "Rscript", "ruby", "runghc", "sbcl", "scala", "scheme", "scsh",
        "swift-frontend",
        "swipl", "tclsh", "ts-node", "vim", "vim.basic", "vim.gtk", "vim.nox", "vim.tiny", "wasmer", "wasmtime", "wine",
        "wine-preloader", "wish", "zx",
        // Emulators of other processors, which run any program.
        "FEX", "FEXInterpreter", "FEXLoader", "box64", "box86",
        // Debuggers that run scripts.
        "gdb", "lldb",
    ]
}
