// SPDX-License-Identifier: Apache-2.0

internal import DBusMessages

/// The exported objects and sources by their paths.
struct ObjectTree {
    struct Export {
        let object: any BusObject
        let isManager: Bool
    }

    /// What a path leads to.
    enum Target {
        case object(Export)
        case source(any ObjectSource)
        /// Paths of objects or sources begin with this path.
        case node
        case nothing
    }

    var exports: [ObjectPath: Export] = [:]
    var sources: [ObjectPath: any ObjectSource] = [:]

    private var paths: [ObjectPath] { Array(exports.keys) + Array(sources.keys) }

    func target(of path: ObjectPath) -> Target {
        if let export = exports[path] { return .object(export) }
        if let source = source(above: path) { return .source(source) }
        let isNode = path.isRoot || sources[path] != nil || paths.contains { $0.isBelow(path) }
        return isNode ? .node : .nothing
    }

    /// The source that finds the objects below a path: the source at the path or the nearest one above it.
    func source(at path: ObjectPath) -> (any ObjectSource)? { sources[path] ?? source(above: path) }

    private func source(above path: ObjectPath) -> (any ObjectSource)? {
        sources.filter { path.isBelow($0.key) }.max { $0.key.rawValue.utf8.count < $1.key.rawValue.utf8.count }?.value
    }

    /// The last elements of the paths directly below a path, sorted.
    func children(of path: ObjectPath) -> [String] {
        Set(paths.compactMap { $0.firstElement(below: path) }).sorted()
    }

    /// The path of the nearest manager above a path.
    func manager(of path: ObjectPath) -> ObjectPath? {
        exports.filter { $0.value.isManager && path.isBelow($0.key) }.keys
            .max { $0.rawValue.utf8.count < $1.rawValue.utf8.count }
    }

    /// The exported objects below a path, sorted by path.
    func objects(below path: ObjectPath) -> [(path: ObjectPath, object: any BusObject)] {
        exports.filter { $0.key.isBelow(path) }.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { ($0.key, $0.value.object) }
    }
}

extension ObjectPath {
    fileprivate var isRoot: Bool { rawValue == "/" }

    private func rest(below ancestor: ObjectPath) -> Substring? {
        let start = ancestor.isRoot ? "/" : ancestor.rawValue + "/"
        return rawValue.hasPrefix(start) && rawValue.utf8.count > start.utf8.count
            ? rawValue.dropFirst(start.count) : nil
    }

    func isBelow(_ ancestor: ObjectPath) -> Bool { rest(below: ancestor) != nil }

    func firstElement(below ancestor: ObjectPath) -> String? {
        rest(below: ancestor).map { String($0.prefix { $0 != "/" }) }
    }
}
