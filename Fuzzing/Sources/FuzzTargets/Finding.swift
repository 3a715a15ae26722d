// SPDX-License-Identifier: Apache-2.0

/// Reports what a target found: the process ends, which is how libFuzzer is told, and it keeps the input.
func finding(_ message: String) -> Never { fatalError(message) }

/// Reports a finding unless something holds.
func check(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { finding(message()) }
}
