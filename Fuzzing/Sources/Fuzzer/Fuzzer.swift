// SPDX-License-Identifier: Apache-2.0

// The two functions of libFuzzer's interface (FuzzerInterface.h): its loop, and what a target defines for it.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ input: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

@_silgen_name("LLVMFuzzerTestOneInput")
private func input(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt

/// Feeds inputs to the target as the command line says. For the target's own main function: SwiftPM insists on one.
public func runFuzzer() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = runDriver(&count, &arguments) { start, count in input(start, count) }
}

/// Reports what a target found: the process ends, which is how libFuzzer is told, and it keeps the input.
public func finding(_ message: String) -> Never { fatalError(message) }

/// Reports a finding unless something holds.
public func check(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { finding(message()) }
}
