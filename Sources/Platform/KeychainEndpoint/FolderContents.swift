// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The names in a folder, without `.` and `..`.
package enum FolderContents {
    /// Returns the names in a folder, sorted.
    ///
    /// - Parameter skipsInvalidNames: whether names that are not UTF-8 are left out; otherwise they are repaired.
    /// - Throws: the errors of opendir(3).
    package static func names(
        in folder: String, skipsInvalidNames: Bool = false
    ) throws(SystemCallError) -> [String] {
        // The path is only read; the function below closes the stream.
        guard let stream = unsafe opendir(folder) else { throw .last("opendir") }
        return unsafe names(closing: stream, skipsInvalidNames: skipsInvalidNames)
    }

    /// Returns the names in an open folder, sorted. The descriptor stays open.
    ///
    /// - Throws: the errors of fdopendir(3).
    package static func names(in folder: Int32) throws(SystemCallError) -> [String] {
        // A second descriptor, because closedir closes it.
        guard let stream = unsafe fdopendir(dup(folder)) else { throw .last("fdopendir") }
        return unsafe names(closing: stream, skipsInvalidNames: false)
    }

    private static func names(closing stream: OpaquePointer, skipsInvalidNames: Bool) -> [String] {
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // An entry is valid until the next call, and is copied before; its name ends with a zero byte within the entry.
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                let name = unsafe bytes.prefix { $0 != 0 }
                return unsafe skipsInvalidNames
                    ? String(validating: name, as: UTF8.self) : String(decoding: name, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
