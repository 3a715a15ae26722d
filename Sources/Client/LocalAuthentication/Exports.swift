// SPDX-License-Identifier: Apache-2.0

// As Apple's module does: a file that says only `import LocalAuthentication` has SecAccessControl, Data and NSError.
@_exported public import CFTypes
@_exported public import Foundation
@_exported public import Security
