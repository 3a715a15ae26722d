// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainKeys
internal import KeychainTerminal
internal import KeychainTransfer
internal import SecretMemory

/// A file in `~/.ssh` with a private key that no passphrase protects.
struct SSHKeyFile {
    let path: String
    let state: State

    enum State {
        case read(ProgramFile, SecretAccumulator, PrivateKey)
        /// The file is not moved, for this reason.
        case unusable(String)
    }

    /// Larger than the file of each supported key.
    private static let byteLimit = 64 << 10
    private static let mark = Array("PRIVATE KEY-----".utf8)

    static func folder(on machine: any Machine) -> String { machine.home + "/.ssh" }

    /// Returns the files of the folder in the order of their names. Files with a passphrase are left out, and so are
    /// files that are no private keys.
    static func all(on machine: any Machine) throws(StreamError) -> [SSHKeyFile] {
        let folder = folder(on: machine)
        guard try machine.facts(folder) != nil else { return [] }
        return try machine.names(in: folder).sorted().compactMap { name in
            name.hasSuffix(".pub") ? nil : SSHKeyFile(folder + "/" + name, machine)
        }
    }

    private init?(_ path: String, _ machine: any Machine) {
        self.path = path
        do throws(StreamError) {
            guard let facts = try machine.facts(path) else { return nil }
            switch facts.kind {
            case .regular: break
            case .symbolicLink:
                // Opened only if it leads to a file of the user's own: a pipe or a device would wait.
                guard let file = try? ProgramFile(path), file.size <= Self.byteLimit,
                    let bytes = try? file.read(at: 0, count: Int(file.size)), Self.isKey(bytes)
                else { return nil }
                state = .unusable("it is a symbolic link, and symbolic links are not followed")
                return
            default: return nil
            }
            let opened = try machine.open(path)
            guard opened.size <= Self.byteLimit else { return nil }
            let source = SecretAccumulator()
            do {
                var bytes = try opened.read(at: 0, count: Int(opened.size) + 1)
                defer { wipe(&bytes) }
                source.append(bytes)
            } catch {
                throw StreamError(reason: error.reason)
            }
            guard Self.isKey(source.bytes) else { return nil }
            guard let state = Self.state(opened, source, machine) else { return nil }
            self.state = state
        } catch {
            state = .unusable("it cannot be read: \(error.reason)")
        }
    }

    private static func isKey(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: mark) }
    }

    /// Nil for a file with a passphrase.
    private static func state(_ opened: ProgramFile, _ source: SecretAccumulator, _ machine: any Machine) -> State? {
        let contents: TransferContents
        do throws(TransferError) {
            contents = try TransferReader().contents(of: source.bytes)
        } catch {
            // A file of OpenSSH with a passphrase is unsupported, as a type of key can be.
            if [.passphraseRequired, .wrongPassphrase].contains(error.kind) || error.reason.contains("encrypted") {
                return nil
            }
            return .unusable(error.reason)
        }
        let keys = contents.items.compactMap { item in if case .privateKey(let key) = item { key } else { nil } }
        guard keys.count == 1, let key = keys.first else { return .unusable("it does not contain exactly one key") }
        guard key.publicKey.openSSHLine != nil else { return .unusable("SSH has no keys of its type") }
        guard opened.facts.owner == machine.user else { return .unusable("it belongs to another user") }
        return .read(opened, source, key)
    }

    /// The finding of `chatelaine doctor`.
    var finding: Finding {
        switch state {
        case .read:
            Finding(
                "ssh", .warning, "\(path) is a private key without a passphrase, which any of your programs can copy",
                advice: "to move it into the keychain: chatelaine setup ssh")
        case .unusable(let reason):
            Finding("ssh", .note, "\(path) is a private key that `chatelaine setup ssh` does not move: \(reason)")
        }
    }
}

extension DoctorChecks {
    /// Finds private keys for SSH without a passphrase.
    func sshKeys() -> [Finding] {
        do throws(StreamError) {
            return try SSHKeyFile.all(on: machine).map(\.finding)
        } catch {
            return [Finding("ssh", .warning, "cannot read ~/.ssh: \(error.reason)")]
        }
    }
}
