// SPDX-License-Identifier: Apache-2.0

/// Reports a finding by ending the process, because libFuzzer then keeps the input.
func finding(_ message: String) -> Never { fatalError(message) }

/// Reports a finding unless the condition holds.
func check(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { finding(message()) }
}
