// SPDX-License-Identifier: Apache-2.0

import Foundation
import TPM
import TPMDevices

/// A software TPM 2.0 (swtpm) in its own folder, which ends with this object.
final class SoftwareTPM {
    private let folder: URL
    private var process = Process()
    var socket: String { folder.appending(path: "tpm.sock").path }
    private var control: String { folder.appending(path: "control.sock").path }

    init() throws {
        // Always in /tmp, regardless of TMPDIR, because the path of a socket has at most 107 bytes.
        folder = URL(filePath: "/tmp/chatelaine-tpm-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the TPM with its stored state, and returns when it listens.
    func start() throws {
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swtpm", "socket", "--tpm2", "--tpmstate", "dir=\(folder.path)", "--server",
            "type=unixio,path=\(socket)", "--ctrl", "type=unixio,path=\(control)", "--flags",
            "not-need-init,startup-clear", "--pid", "file=\(folder.path)/pid",
        ]
        let output = Pipe()
        process.standardError = output
        try process.run()
        let deadline = ContinuousClock.now + .seconds(60)
        while !isListening {
            guard process.isRunning, ContinuousClock.now < deadline else { throw NotRunning() }
            sched_yield()
        }
    }

    struct NotRunning: Error {}

    private var isListening: Bool { (try? TPMDevice(socket)) != nil }

    /// Stops the TPM like a power cut.
    func stop() {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        for path in [socket, control] { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Clears the TPM like its owner: all its secrets are new afterwards.
    func clear() throws {
        stop()
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasPrefix("tpm2-") {
            try FileManager.default.removeItem(atPath: folder.path + "/" + file)
        }
        try start()
    }

    /// Returns a token in the TPM, created as the program does.
    func token() throws -> TPMToken {
        let device = try TPMDevice(socket)
        let token = TPMToken(
            device, place: socket, random: { (0..<16).map { _ in UInt8.random(in: 0...255) } },
            pause: { TPMDevice.pause() })
        token.removeLeftovers()
        return token
    }
}
