// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint
public import SecretMemory

/// A secret that the program which starts the service passes to it.
public enum SecretInput {
    public enum Error: Swift.Error, Hashable, Sendable {
        /// More than `limit` bytes.
        case tooLarge(limit: Int)
        case system(SystemCallError)
    }

    /// Reads a descriptor to its end and closes it.
    public static func read(descriptor: Int32, limit: Int) throws(Error) -> SecretBytes {
        let secret: SecretBytes?
        do throws(SystemCallError) {
            secret = try read(try OwnedDescriptor(descriptor, from: "fcntl"), limit: limit)
        } catch {
            throw .system(error)
        }
        guard let secret else { throw .tooLarge(limit: limit) }
        return secret
    }

    /// Returns the credential of this name that the service manager passed (systemd.exec(5), "Credentials"); nil if
    /// there is none. The service manager is responsible for its permissions.
    public static func serviceManagerCredential(_ name: String, limit: Int) throws(Error) -> SecretBytes? {
        // The environment is not changed while threads run.
        guard let directory = unsafe getenv("CREDENTIALS_DIRECTORY") else { return nil }
        let path = unsafe String(cString: directory) + "/" + name
        let secret: SecretBytes?
        do throws(SystemCallError) {
            // The path is only read. O_NONBLOCK: a FIFO at this path must not block the open.
            let file = try OwnedDescriptor(unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), from: "open")
            secret = try read(file, limit: limit)
        } catch {
            if error.code == ENOENT { return nil }
            throw .system(error)
        }
        guard let secret else { throw .tooLarge(limit: limit) }
        return secret
    }

    /// Reads a file; nil if it has more than `limit` bytes.
    private static func read(_ file: OwnedDescriptor, limit: Int) throws(SystemCallError) -> SecretBytes? {
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        defer { wipe(&bytes) }
        var count = 0
        while count < bytes.count {
            let start = count
            let received = try retryingInterruption("read") {
                // The kernel writes at most as many bytes as the rest of the array has.
                unsafe bytes.withUnsafeMutableBytes { buffer in
                    unsafe Glibc.read(file.number, buffer.baseAddress?.advanced(by: start), buffer.count - start)
                }
            }
            if received == 0 { break }
            count += received
        }
        return count <= limit ? SecretBytes(copying: bytes[..<count]) : nil
    }
}
