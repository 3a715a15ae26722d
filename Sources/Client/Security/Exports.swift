// SPDX-License-Identifier: Apache-2.0

// Whoever imports Security also sees the CF types in its declarations. As those types are Foundation's classes here, a
// file that says only `import Security` and reads the bytes of a CFData needs Foundation's members as well.
@_exported public import CFTypes
@_exported public import Foundation
