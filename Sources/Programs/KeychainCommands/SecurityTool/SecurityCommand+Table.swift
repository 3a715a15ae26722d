// SPDX-License-Identifier: Apache-2.0

extension SecurityCommand {
    /// All commands in the order in which macOS tries them, which determines the meaning of an abbreviated name.
    static let table: [SecurityCommand] = [
        SecurityCommand(
            "help", "List the commands, or show the usage of some of them.", usage: "[command ...]",
            run: SecurityHelp.run),
        SecurityCommand(
            "list-keychains", "Show or set the keychain search list.",
            usage: "[-d user|system|common|dynamic] [-s [keychain...]]", run: KeychainLists.runList),
        SecurityCommand(
            "list-smartcards", "Show smartcards.",
            instead: "smart cards are not supported here; `pkcs11-tool --list-slots` of OpenSC lists them"),
        SecurityCommand(
            "default-keychain", "Show or set the default keychain.",
            usage: "[-d user|system|common|dynamic] [-s [keychain]]", run: KeychainLists.runDefault),
        SecurityCommand(
            "login-keychain", "Show or set the login keychain.",
            usage: "[-d user|system|common|dynamic]", run: KeychainLists.runLogin),
        SecurityCommand(
            "create-keychain", "Create keychains.", usage: CreateKeychain.usage, run: CreateKeychain.run),
        SecurityCommand(
            "delete-keychain", "Delete keychains and remove them from the search list.", usage: DeleteKeychain.usage,
            run: DeleteKeychain.run),
        SecurityCommand(
            "lock-keychain", "Lock a keychain.", usage: KeychainLocking.lockUsage, run: KeychainLocking.runLock),
        SecurityCommand(
            "unlock-keychain", "Unlock a keychain.", usage: KeychainLocking.unlockUsage,
            run: KeychainLocking.runUnlock),
        SecurityCommand(
            "set-keychain-settings", "Set when a keychain locks itself.", usage: KeychainInfo.setUsage,
            run: KeychainInfo.runSet),
        SecurityCommand(
            "set-keychain-password", "Change the password of a keychain.", usage: SetKeychainPassword.usage,
            run: SetKeychainPassword.run),
        SecurityCommand(
            "show-keychain-info", "Show when a keychain locks itself.", usage: KeychainInfo.showUsage,
            run: KeychainInfo.runShow),
        SecurityCommand(
            "dump-keychain", "Show all items of keychains.", usage: DumpKeychain.usage, run: DumpKeychain.run),
        SecurityCommand(
            "create-keypair", "Create a pair of asymmetric keys.", usage: CreateKeyPair.usage, run: CreateKeyPair.run),
        SecurityCommand(
            "add-generic-password", "Add a generic password.", usage: PasswordUsage.addGeneric,
            run: { AddPassword.run(.generic, $0) }),
        SecurityCommand(
            "add-internet-password", "Add an internet password.", usage: PasswordUsage.addInternet,
            run: { AddPassword.run(.internet, $0) }),
        SecurityCommand(
            "add-certificates", "Add certificates to a keychain.", usage: AddCertificates.usage,
            run: AddCertificates.run),
        SecurityCommand(
            "find-generic-password", "Find a generic password.", usage: PasswordUsage.findGeneric,
            run: { FindPassword.run(.generic, $0) }),
        SecurityCommand(
            "delete-generic-password", "Delete a generic password.", usage: PasswordUsage.deleteGeneric,
            run: { DeletePassword.run(.generic, $0) }),
        SecurityCommand(
            "set-generic-password-partition-list", "Set which kinds of programs may use generic passwords.",
            usage: PasswordUsage.partitionsOfGeneric, run: { SetPartitionList.run(.password(.generic), $0) }),
        SecurityCommand(
            "find-internet-password", "Find an internet password.", usage: PasswordUsage.findInternet,
            run: { FindPassword.run(.internet, $0) }),
        SecurityCommand(
            "delete-internet-password", "Delete an internet password.", usage: PasswordUsage.deleteInternet,
            run: { DeletePassword.run(.internet, $0) }),
        SecurityCommand(
            "set-internet-password-partition-list", "Set which kinds of programs may use internet passwords.",
            usage: PasswordUsage.partitionsOfInternet, run: { SetPartitionList.run(.password(.internet), $0) }),
        SecurityCommand("find-key", "Find keys in a keychain.", usage: FindKey.usage, run: FindKey.run),
        SecurityCommand(
            "set-key-partition-list", "Set which kinds of programs may use keys.", usage: SetPartitionList.keyUsage,
            run: { SetPartitionList.run(.key, $0) }),
        SecurityCommand(
            "find-certificate", "Find a certificate.", usage: FindCertificate.usage, run: FindCertificate.run),
        SecurityCommand(
            "find-identity", "Find an identity: a certificate and its private key.", usage: FindIdentity.usage,
            run: FindIdentity.run),
        SecurityCommand(
            "delete-certificate", "Delete a certificate from a keychain.", usage: DeleteCertificate.usage,
            run: { DeleteCertificate.run(.certificate, $0) }),
        SecurityCommand(
            "delete-identity", "Delete an identity from a keychain.", usage: DeleteCertificate.usage,
            run: { DeleteCertificate.run(.identity, $0) }),
        SecurityCommand(
            "set-identity-preference", "Choose the identity for a service.", usage: IdentityPreferences.setUsage,
            run: IdentityPreferences.runSet),
        SecurityCommand(
            "get-identity-preference", "Show the identity chosen for a service.", usage: IdentityPreferences.getUsage,
            run: IdentityPreferences.runGet),
        SecurityCommand(
            "create-db", "Create a database.",
            instead: "keychains are the only databases here; `security create-keychain` creates one"),
        SecurityCommand(
            "export", "Write items of a keychain to a file.", usage: ExportItems.usage, run: ExportItems.run),
        SecurityCommand(
            "import", "Read items of a file into a keychain.", usage: ImportItems.usage, run: ImportItems.run),
        SecurityCommand(
            "export-smartcard", "Write items of a smartcard to a file.",
            instead: "smart cards are not supported here; `pkcs11-tool --read-object` of OpenSC reads them"),
        SecurityCommand(
            "cms", "Encode or decode CMS messages.",
            instead: "CMS is not supported here; `openssl cms` signs, encrypts and reads CMS messages"),
        SecurityCommand(
            "install-mds", "Install the module directory database.",
            instead: "this system has no module directory, and no program needs one"),
        SecurityCommand(
            "add-trusted-cert", "Trust a certificate.",
            instead: """
                only the system can trust a certificate: as root, run `trust anchor FILE`, or update-ca-certificates \
                with the file in /usr/local/share/ca-certificates
                """),
        SecurityCommand(
            "remove-trusted-cert", "Remove a certificate from the trusted certificates.",
            instead: """
                only the system can distrust a certificate: as root, run `trust anchor --remove FILE`, or update-ca- \
                certificates without the file
                """),
        SecurityCommand(
            "dump-trust-settings", "Show which certificates are trusted.", usage: DumpTrustSettings.usage,
            run: DumpTrustSettings.run),
        SecurityCommand(
            "user-trust-settings-enable", "Show or switch the user's trust settings.",
            instead: """
                trust settings of a user are not supported here; `trust list` shows those of the \
                system
                """),
        SecurityCommand(
            "trust-settings-export", "Write trust settings to a file.",
            instead: """
                trust settings of a user are not supported here; `trust extract` writes the certificates that the system \
                trusts
                """),
        SecurityCommand(
            "trust-settings-import", "Read trust settings from a file.",
            instead: """
                trust settings of a user are not supported here; as root, `trust anchor FILE` makes the system trust a \
                certificate
                """),
        SecurityCommand(
            "verify-cert", "Verify certificates.", usage: VerifyCertificate.usage, run: VerifyCertificate.run),
        SecurityCommand(
            "authorize", "Ask for authorization rights.",
            instead: """
                polkit manages authorization here: `pkcheck --process PID --action-id ACTION` requests a \
                right, and pkexec runs a program with it
                """),
        SecurityCommand(
            "authorizationdb", "Change the rules of authorization.",
            instead: "polkit manages authorization here; its rules are files in /etc/polkit-1/rules.d"),
        SecurityCommand(
            "execute-with-privileges", "Run a program with privileges.",
            instead: "`pkexec PROGRAM` of polkit runs a program with privileges here"),
        SecurityCommand(
            "leaks", "Find memory leaks of this process.",
            instead: "valgrind finds memory leaks here: `valgrind --leak-check=full security ...`"),
        SecurityCommand(
            "error", "Show the messages of error codes.",
            usage: "<error code(s)...>\nCodes are decimal or hexadecimal, such as -25300 or 0xFFFF9D2C.",
            run: ErrorMessages.run),
        SecurityCommand(
            "create-filevaultmaster-keychain", "Create a keychain for FileVault recovery.",
            instead: "FileVault is not available here; `cryptsetup luksAddKey` adds a key to an encrypted disk"),
        SecurityCommand(
            "smartcards", "Switch smartcard tokens on or off.",
            instead: "smart card tokens are not supported here; the module files of p11-kit select the tokens in use"),
        SecurityCommand(
            "translocate-create", "Create a translocation point.",
            instead: notTranslocated),
        SecurityCommand(
            "translocate-policy-check", "Show whether a path would be translocated.",
            instead: notTranslocated),
        SecurityCommand(
            "translocate-status-check", "Show whether a path is translocated.",
            instead: notTranslocated),
        SecurityCommand(
            "translocate-original-path", "Show where a translocated path comes from.",
            instead: notTranslocated),
        SecurityCommand(
            "requirement-evaluate", "Evaluate a code requirement against certificates.",
            instead:
                "code requirements are not supported here; `chatelaine whoami PATH` shows how the service identifies a program"
        ),
        SecurityCommand(
            "filevault", "Change settings of FileVault.",
            instead: "FileVault is not available here; `cryptsetup` sets up encrypted disks"),
        SecurityCommand(
            "platformsso", "Change settings of platform single sign-on.",
            instead: "platform single sign-on is not available here; `realm join` and SSSD provide single sign-on"),
    ]

    private static let notTranslocated =
        "programs are not translocated here: they run from their own path, and realpath shows that path"
}

/// The usage of the commands for passwords.
enum PasswordUsage {
    static let addGeneric = """
        [-a account] [-s service] [-w password] [options...] [-A|-T appPath] [keychain]
            -a  The account (required)
            -c  The creator, four characters
            -C  The type, four characters
            -D  The kind of item
            -G  The generic attribute
            -j  A comment
            -l  The label (the service, if omitted)
            -s  The service (required)
            -p  The password; the same as -w
        \(newPassword)
        """

    static let addInternet = """
        [-a account] [-s server] [-w password] [options...] [-A|-T appPath] [keychain]
            -a  The account (required)
            -c  The creator, four characters
            -C  The type, four characters
            -d  The security domain
            -D  The kind of item
            -j  A comment
            -l  The label (the server, if omitted)
            -p  The path
            -P  The port
            -r  The protocol, four characters such as "http" or "ftp "
            -s  The server (required)
            -t  The authentication type, four characters ("dflt", if omitted)
        \(newPassword)
        """

    static let findGeneric = """
        [-a account] [-s service] [options...] [-g] [keychain...]
        \(genericFilters)
        \(shownPassword)
        """

    static let findInternet = """
        [-a account] [-s server] [options...] [-g] [keychain...]
        \(internetFilters)
        \(shownPassword)
        """

    static let deleteGeneric = """
        [-a account] [-s service] [options...] [keychain...]
        \(genericFilters)
        """

    static let deleteInternet = """
        [-a account] [-s server] [options...] [keychain...]
        \(internetFilters)
        """

    static let partitionsOfGeneric = """
        [-a account] [-s service] [options...] -S partitions [-k password] [keychain]
        \(genericFilters)
        \(SetPartitionList.newList)
        """

    static let partitionsOfInternet = """
        [-a account] [-s server] [options...] -S partitions [-k password] [keychain]
        \(internetFilters)
        \(SetPartitionList.newList)
        """

    private static let newPassword = """
            -w  The password
            -X  The password in hexadecimal digits
            -A  Let any program use the item
            -T  Let a program use the item, a path or group://NAME; "" for none, so that each use shows a prompt
            -U  Change the item if it exists already
        Any user of this machine can see a password on the command line for a moment.
        With -w as the last word, the command asks for the password.
        """

    private static let shownPassword = """
            -g  Show the password too
            -w  Show only the password
        """

    private static let genericFilters = """
            -a  Match the account
            -c  Match the creator, four characters
            -C  Match the type, four characters
            -D  Match the kind of item
            -G  Match the generic attribute
            -j  Match the comment
            -l  Match the label
            -s  Match the service
        """

    private static let internetFilters = """
            -a  Match the account
            -c  Match the creator, four characters
            -C  Match the type, four characters
            -d  Match the security domain
            -D  Match the kind of item
            -j  Match the comment
            -l  Match the label
            -p  Match the path
            -P  Match the port
            -r  Match the protocol, four characters
            -s  Match the server
            -t  Match the authentication type, four characters
        """
}
