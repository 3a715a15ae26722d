// SPDX-License-Identifier: Apache-2.0

// A program that imports Security also sees the CF types in its declarations. Those types are Foundation's classes
// here, so a file with `import Security` alone that reads the bytes of a CFData needs Foundation's members as well.
@_exported public import CFTypes
@_exported public import Foundation
