// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainTerminal

/// The files that a command line names.
protocol FileAccess {
    /// Opens a file or a pipe for reading.
    func read(_ path: String) throws(StreamError) -> any ByteSource

    /// Takes over a descriptor for reading.
    func read(descriptor: Int32) throws(StreamError) -> any ByteSource

    /// Begins a file that only its owner can read. It gets its name when it is committed; otherwise nothing remains.
    ///
    /// - Parameter replacing: whether an existing file is replaced; otherwise it is an error.
    func createPrivate(_ path: String, replacing: Bool) throws(StreamError) -> any PrivateFileSink

    /// Writes a file that only its owner can read, completely or not at all.
    ///
    /// - Parameter replacing: whether an existing file is replaced; otherwise it is an error.
    func writePrivate(_ bytes: some Collection<UInt8>, to path: String, replacing: Bool) throws(StreamError)

    /// Removes a file.
    func remove(_ path: String) throws(StreamError)

    /// Renames a file, a symbolic link or a folder. An existing file of the new name is replaced.
    func move(_ path: String, to new: String) throws(StreamError)

    /// Makes a folder that only its owner can access.
    func makeFolder(_ path: String) throws(StreamError)

    /// Removes an empty folder.
    func removeFolder(_ path: String) throws(StreamError)

    /// Returns the absolute path of a program, without symbolic links. A name without a slash is searched for in PATH.
    func programPath(_ name: String) throws(StreamError) -> String

    /// Returns the absolute path of a folder, without symbolic links.
    func folderPath(_ name: String) throws(StreamError) -> String

    /// Opens a program for reading at any offset.
    func program(_ path: String) throws(StreamError) -> any ProgramReading

    /// Replaces the content of a program atomically; owner, mode and extended attributes stay, and if `write` throws,
    /// the program is unchanged. The new file is empty at first.
    func replace<Failure: Error>(
        _ program: any ProgramReading, failure: (StreamError) -> Failure,
        write: (any ProgramWriting) throws(Failure) -> Void
    ) throws(Failure)
}

/// A file that can be read at any offset.
protocol ProgramReading {
    /// The size in bytes.
    var size: UInt64 { get }
    /// Returns the bytes at an offset; fewer than requested only at the end.
    func read(at offset: UInt64, count: Int) throws(StreamError) -> [UInt8]
}

/// A file that will replace another one.
protocol ProgramWriting {
    func read(at offset: UInt64, count: Int) throws(StreamError) -> [UInt8]
    func write(_ bytes: [UInt8], at offset: UInt64) throws(StreamError)
}

/// A file that is written in pieces.
protocol PrivateFileSink: ByteSink {
    /// Gives the file its name, after all of it is on the disk.
    func commit() throws(StreamError)
}

/// The files of the machine.
struct SystemFiles: FileAccess {
    func read(_ path: String) throws(StreamError) -> any ByteSource {
        do throws(SystemCallError) {
            return OpenFile(file: try UserFile(reading: path))
        } catch {
            throw StreamError(reason: error.isDevice ? "it is a device, not a file or a pipe" : error.reason)
        }
    }

    func read(descriptor: Int32) throws(StreamError) -> any ByteSource {
        let file: UserDescriptor
        do throws(SystemCallError) {
            file = try UserDescriptor(reading: descriptor)
        } catch {
            throw StreamError(reason: error.reason)
        }
        guard !file.isTerminal else { throw StreamError(reason: "it is a terminal, which shows typed secrets") }
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

    func programPath(_ name: String) throws(StreamError) -> String {
        do throws(SystemCallError) {
            return try ProgramPath.find(name, searchPath: CurrentProcess.environmentVariable("PATH"))
        } catch {
            throw StreamError(reason: error.reason)
        }
    }

    func folderPath(_ name: String) throws(StreamError) -> String {
        do throws(SystemCallError) {
            return try FileFacts.realPath(name)
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

    func move(_ path: String, to new: String) throws(StreamError) {
        do throws(SystemCallError) {
            try UserFile.move(path, to: new)
        } catch {
            throw StreamError(reason: error.reason)
        }
    }

    func makeFolder(_ path: String) throws(StreamError) {
        do throws(SystemCallError) {
            try UserFile.makeFolder(path)
        } catch {
            throw StreamError(reason: error.reason)
        }
    }

    func removeFolder(_ path: String) throws(StreamError) {
        do throws(SystemCallError) {
            try UserFile.removeFolder(path)
        } catch {
            throw StreamError(reason: error.reason)
        }
    }

    func program(_ path: String) throws(StreamError) -> any ProgramReading {
        do throws(SystemCallError) {
            return OpenProgram(file: try ProgramFile(path))
        } catch {
            throw StreamError(reason: error.reason)
        }
    }

    func replace<Failure: Error>(
        _ program: any ProgramReading, failure: (StreamError) -> Failure,
        write: (any ProgramWriting) throws(Failure) -> Void
    ) throws(Failure) {
        guard let program = program as? OpenProgram else {
            preconditionFailure("only a file that this type opened can be replaced")
        }
        let replacement: ProgramReplacement
        do throws(SystemCallError) {
            replacement = try ProgramReplacement(of: program.file)
        } catch {
            throw failure(StreamError(reason: error.reason))
        }
        try write(NewProgram(file: replacement))
        do throws(SystemCallError) {
            try replacement.takePlace()
        } catch {
            throw failure(StreamError(reason: error.reason))
        }
    }

    private struct OpenProgram: ProgramReading {
        let file: ProgramFile

        var size: UInt64 { file.size }

        func read(at offset: UInt64, count: Int) throws(StreamError) -> [UInt8] {
            do throws(SystemCallError) {
                return try file.read(at: offset, count: count)
            } catch {
                throw StreamError(reason: error.reason)
            }
        }
    }

    private struct NewProgram: ProgramWriting {
        let file: ProgramReplacement

        func read(at offset: UInt64, count: Int) throws(StreamError) -> [UInt8] {
            do throws(SystemCallError) {
                return try file.read(at: offset, count: count)
            } catch {
                throw StreamError(reason: error.reason)
            }
        }

        func write(_ bytes: [UInt8], at offset: UInt64) throws(StreamError) {
            do throws(SystemCallError) {
                try file.write(bytes, at: offset)
            } catch {
                throw StreamError(reason: error.reason)
            }
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
