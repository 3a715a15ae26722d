// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that is removed with everything in it when the test ends.
final class ScratchFolder {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("chatelaine-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }
    func path(_ name: String) -> String { url(name).path }
    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url(name))) }
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

    func write(_ text: String, _ name: String) throws -> String {
        try Data(text.utf8).write(to: url(name))
        return path(name)
    }

    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }
}
