// SPDX-License-Identifier: Apache-2.0

/// The targets by name, which is also the name of their folder in Corpora: functions that read one input, and end the
/// process if they find a fault.
let fuzzTargets: [String: @Sendable ([UInt8]) -> Void] = [
    "fuzz-answers": fuzzAnswers,
    "fuzz-certificates": fuzzCertificates,
    "fuzz-dictionaries": fuzzDictionaries,
    "fuzz-imports": fuzzImports,
    "fuzz-keys": fuzzKeys,
    "fuzz-passwords": fuzzPasswords,
    "fuzz-programs": fuzzPrograms,
    "fuzz-requests": fuzzRequests,
    "fuzz-storage": fuzzStorage,
    "fuzz-transfer": fuzzTransfer,
]
