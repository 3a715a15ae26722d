// SPDX-License-Identifier: Apache-2.0

// Same as Apple's module: a file with `import LocalAuthentication` alone can use SecAccessControl, Data and NSError.
@_exported public import CFTypes
@_exported public import Foundation
@_exported public import Security
