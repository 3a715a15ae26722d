// SPDX-License-Identifier: Apache-2.0

internal import KeychainPlatform
internal import KeychainPolicy

extension MachinePolicy {
    /// The folder of the administrator's policy (Documentation/Formats/policy.md).
    static let folder = "/etc/chatelaine/policy.d"

    /// Returns the policy of this machine; no rules if the folder does not exist.
    ///
    /// - Throws: for a file that cannot be read, that users other than root can write, or that has an invalid line: a
    ///   service that ignored it would protect less than its administrator believes.
    static func ofThisMachine(in folder: String = folder) throws(StartError) -> MachinePolicy {
        let texts: [(path: String, text: String)]
        do throws(AdministratorsFiles.Error) {
            texts = try AdministratorsFiles.texts(in: folder, ending: ".conf")
        } catch {
            throw StartError(error)
        }
        var policy = MachinePolicy.none
        for (path, text) in texts {
            do throws(SyntaxError) {
                try policy.add(text)
            } catch {
                throw StartError(
                    "\(path), line \(error.line): \(error.reason)",
                    hint: "correct the line, or make it a comment with #")
            }
        }
        return policy
    }
}

extension StartError {
    fileprivate init(_ failure: AdministratorsFiles.Error) {
        switch failure {
        case .notRoots(let path):
            self.init("\(path) can be changed by users other than root", hint: "chown root:root and chmod go-w")
        case .wrongKind(let path):
            self.init("\(path) is a link or a special file", hint: "replace it with a regular file")
        case .tooLarge(let path):
            self.init(
                "\(path) has more than \(AdministratorsFiles.limitBytes) bytes", hint: "split it into several files")
        case .notUTF8(let path): self.init("\(path) is not UTF-8 text", hint: nil)
        case .system(let path, let error):
            self.init("\(path): \(error)", hint: "the policy must be readable for all users: chmod a+r")
        }
    }
}
