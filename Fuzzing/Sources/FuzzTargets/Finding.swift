// SPDX-License-Identifier: Apache-2.0

/// Reports a finding of a target: it ends the process, and libFuzzer keeps the input.
func finding(_ message: String) -> Never { fatalError(message) }

/// Reports a finding unless the condition is true.
func check(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { finding(message()) }
}
