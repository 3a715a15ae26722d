// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainTerminal
internal import SecretMemory

/// A well-known file, and the secrets in it.
struct CredentialSource {
    let file: CredentialFile
    /// The path as configured for the program of the file.
    let path: String
    let state: State

    enum State {
        /// The file was read; with the credentials found in its bytes.
        case read(ProgramFile, SecretAccumulator, [FoundCredential])
        /// The file is not changed, for this reason.
        case unusable(String)
    }

    /// Returns the existing files.
    static func all(on machine: any Machine) -> [CredentialSource] {
        var paths: Set<String> = []
        return CredentialFile.allCases.compactMap { file in
            let path = file.path(home: machine.home, environment: machine.environment)
            guard paths.insert(path).inserted else { return nil }
            return CredentialSource(file, path, on: machine)
        }
    }

    /// Reads a file; nil if it does not exist.
    private init?(_ file: CredentialFile, _ path: String, on machine: any Machine) {
        self.file = file
        self.path = path
        do throws(StreamError) {
            guard let facts = try machine.facts(path) else { return nil }
            guard facts.kind != .symbolicLink else {
                state = .unusable("it is a symbolic link, and symbolic links are not followed")
                return
            }
            let opened = try machine.open(path)
            state = Self.read(opened, file)
        } catch {
            state = .unusable(error.reason)
        }
    }

    private static func read(_ opened: ProgramFile, _ file: CredentialFile) -> State {
        guard opened.size <= CredentialFile.byteLimit else { return .unusable("it is larger than 1 MiB") }
        let source = SecretAccumulator()
        do {
            var bytes = try opened.read(at: 0, count: Int(opened.size) + 1)
            defer { wipe(&bytes) }
            source.append(bytes)
        } catch {
            return .unusable(error.reason)
        }
        guard source.bytes.count == Int(opened.size) else { return .unusable("another process is writing it") }
        do throws(TextProblem) {
            return .read(opened, source, try file.credentials(in: source))
        } catch {
            return .unusable("line \(error.line): \(error.reason)")
        }
    }

    var findings: [Finding] {
        switch state {
        case .unusable(let reason):
            return [
                Finding(
                    "credentials", .warning, "\(path) was not checked: \(reason)", advice: "check the file yourself")
            ]
        case .read(let opened, _, let found):
            var findings: [Finding] = []
            if !found.isEmpty, opened.facts.mode & 0o077 != 0 {
                findings.append(
                    Finding(
                        "credentials", .failure, "\(path) contains secrets, and other users can read it",
                        advice: "chmod 600 \(path), and change the secrets in it"))
            }
            findings += found.map { credential in
                let text = "\(path):\(credential.line): \(credential.title) is stored in plaintext"
                switch credential.place {
                case .item:
                    return Finding(
                        "credentials", .warning, text, advice: "`chatelaine doctor --move` moves it into the keychain")
                case .stays(let reason):
                    return Finding("credentials", .warning, text, advice: "it cannot be moved because \(reason)")
                }
            }
            return findings.isEmpty ? [Finding("credentials", .ok, "\(path) contains no secrets")] : findings
        }
    }
}
