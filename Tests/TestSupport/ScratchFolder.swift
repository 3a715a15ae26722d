// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Makes a new folder of this process's user, mode 0700, and gives its path.
///
/// In /tmp, whatever TMPDIR says, and with a short name: the path of a socket has at most 107 bytes.
public func makeScratchFolder(_ name: String, in place: String = "/tmp") throws -> String {
    // mkdtemp(3) writes the name that it chose over the six letters.
    var template = Array("\(place)/\(name).XXXXXX".utf8CString)
    guard let path = mkdtemp(&template) else { throw ScratchFolderFailure(place: place, code: errno) }
    return String(cString: path)
}

/// No folder could be made there.
public struct ScratchFolderFailure: Error {
    public let place: String
    public let code: Int32
}
