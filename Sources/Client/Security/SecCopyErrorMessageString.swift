// SPDX-License-Identifier: Apache-2.0

public import CFTypes
import Foundation
import SecurityValues

/// Returns a sentence in English for a status code; `reserved` is ignored, pass nil.
///
/// For 100000 + errno the result is `UNIX[…]` with the system's text, for an unknown code `OSStatus <code>`. The result
/// is never nil; the type is Apple's.
@discardableResult
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    StatusMessages.message(for: status) as CFString
}
