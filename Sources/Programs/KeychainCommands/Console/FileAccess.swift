// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainTerminal

/// The files that a command line names.
public protocol FileAccess {
    /// Opens a file to read from.
    func read(_ path: String) throws(StreamError) -> any ByteSource

    /// Takes a descriptor over to read from.
    func read(descriptor: Int32) throws(StreamError) -> any ByteSource

    /// Begins a file that only its owner can read. It has its name when it is committed, and else leaves nothing behind.
    ///
    /// - Parameter replacing: whether an existing file goes; else it is an error that says so.
    func createPrivate(_ path: String, replacing: Bool) throws(StreamError) -> any PrivateFileSink

    /// Writes a file that only its owner can read, in full or not at all.
    ///
    /// - Parameter replacing: whether an existing file goes; else it is an error that says so.
    func writePrivate(_ bytes: some Collection<UInt8>, to path: String, replacing: Bool) throws(StreamError)

    /// Removes a file.
    func remove(_ path: String) throws(StreamError)
}

/// A file that is written piece by piece.
public protocol PrivateFileSink: ByteSink {
    /// Gives the file its name, when all of it is on the disk.
    func commit() throws(StreamError)
}

/// The files of the machine.
struct SystemFiles: FileAccess {
    func read(_ path: String) throws(StreamError) -> any ByteSource {
        do throws(SystemCallError) {
            return OpenFile(file: try UserFile(reading: path))
        } catch {
            throw StreamError(reason: error.reason)
        }
    }

    func read(descriptor: Int32) throws(StreamError) -> any ByteSource {
        let file: UserDescriptor
        do throws(SystemCallError) {
            file = try UserDescriptor(reading: descriptor)
        } catch {
            throw StreamError(reason: error.reason)
        }
        guard !file.isTerminal else { throw StreamError(reason: "it is a terminal, which shows what is typed") }
        return OpenDescriptor(file: file)
    }

    func createPrivate(_ path: String, replacing: Bool) throws(StreamError) -> any PrivateFileSink {
        do throws(SystemCallError) {
            return NewFile(file: try PrivateFile(path, replaces: replacing))
        } catch {
            throw StreamError(reason: error.reason)
        }
    }

    private struct NewFile: PrivateFileSink {
        let file: PrivateFile

        func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
            do throws(SystemCallError) {
                try file.write(bytes)
            } catch {
                throw StreamError(reason: error.reason)
            }
        }

        func commit() throws(StreamError) {
            do throws(SystemCallError) {
                try file.commit()
            } catch {
                throw StreamError(reason: error.reason)
            }
        }
    }

    func writePrivate(_ bytes: some Collection<UInt8>, to path: String, replacing: Bool) throws(StreamError) {
        do throws(SystemCallError) {
            try UserFile.writePrivate(bytes, to: path, replaces: replacing)
        } catch {
            throw StreamError(reason: error.reason)
        }
    }

    func remove(_ path: String) throws(StreamError) {
        do throws(SystemCallError) {
            try UserFile.remove(path)
        } catch {
            throw StreamError(reason: error.reason)
        }
    }

    private struct OpenFile: ByteSource {
        let file: UserFile

        func read(into buffer: inout [UInt8]) throws(StreamError) -> Int {
            do throws(SystemCallError) {
                return try file.read(into: &buffer)
            } catch {
                throw StreamError(reason: error.reason)
            }
        }
    }
    private struct OpenDescriptor: ByteSource {
        let file: UserDescriptor

        func read(into buffer: inout [UInt8]) throws(StreamError) -> Int {
            do throws(SystemCallError) {
                return try file.read(into: &buffer)
            } catch {
                throw StreamError(reason: error.reason)
            }
        }
    }
}
