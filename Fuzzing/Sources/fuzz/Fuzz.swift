// SPDX-License-Identifier: Apache-2.0

import Foundation

// The function of libFuzzer's interface (FuzzerInterface.h) that runs its loop.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ input: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// Passes inputs to a target, with libFuzzer's options. The environment variable FUZZ_TARGET names the target, because
/// the command line belongs to libFuzzer.
@main
enum Fuzz {
    static let target: @Sendable ([UInt8]) -> Void = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        if name == "fuzz-bus" { return fuzzBus }
        if name == "fuzz-ssh" { return fuzzSSH }
        guard let target = fuzzTargets[name] else { finding("FUZZ_TARGET names no target: \(name)") }
        return target
    }()

    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        _ = target
        _ = runDriver(&count, &arguments) { start, count in fuzz(start, count) }
    }
}

/// Runs one input. libFuzzer's own main function, which is linked as well, refers to this function by its name.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    Fuzz.target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
