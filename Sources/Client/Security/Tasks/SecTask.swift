// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
internal import KeychainClient
internal import KeychainModel

/// A running program and its entitlements. Only the calling program is supported.
///
/// Apple can also create one from an audit token of a message; Linux has no such tokens, so that function is not
/// provided.
public final class SecTask: Hashable, Sendable, CFTypeIdentified {
    init() {}

    public static var cfTypeID: CFTypeID { 257 }

    public static func == (_: SecTask, _: SecTask) -> Bool { true }

    public func hash(into hasher: inout Hasher) {}
}

/// Returns the type identifier of ``SecTask`` objects, as `CFGetTypeID` returns it.
public func SecTaskGetTypeID() -> CFTypeID { SecTask.cfTypeID }

/// Creates the task of the calling program.
///
/// - Parameter allocator: ignored.
public func SecTaskCreateFromSelf(_ allocator: CFAllocator?) -> SecTask? { SecTask() }

/// Returns the value of one entitlement, as the keychain service read it from the program's signature: a boolean, a
/// string or an array of strings.
///
/// - Returns: nil if the program has no such entitlement or no valid signature. If the service cannot be reached, nil
///   and an error of the domain `NSOSStatusErrorDomain` in `error`; otherwise `error` is not changed.
public func SecTaskCopyValueForEntitlement(
    _ task: SecTask, _ entitlement: CFString, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFTypeRef? {
    unsafe program(error)?.entitlements.first { $0.key == entitlement as String }?.value.object
}

/// Returns the values of several entitlements.
///
/// - Parameters:
///   - task: this process.
///   - entitlements: an array of strings; other elements are ignored.
///   - error: as for ``SecTaskCopyValueForEntitlement(_:_:_:)``.
/// - Returns: the values by name, without entitlements that the program does not have. Nil as
///   ``SecTaskCopyValueForEntitlement(_:_:_:)``.
public func SecTaskCopyValuesForEntitlements(
    _ task: SecTask, _ entitlements: CFArray, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFDictionary? {
    guard let program = unsafe program(error) else { return nil }
    let names = Set(entitlements.compactMap { $0 as? String })
    let values = NSMutableDictionary()
    for entitlement in program.entitlements where names.contains(entitlement.key) {
        values[entitlement.key] = entitlement.value.object
    }
    return values
}

/// Returns the signing identifier of the program, such as `org.example.mail`.
///
/// - Returns: nil for a program without a valid signature, and as ``SecTaskCopyValueForEntitlement(_:_:_:)``.
public func SecTaskCopySigningIdentifier(
    _ task: SecTask, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFString? {
    guard case .signed(_, let identifier) = unsafe program(error)?.identity else { return nil }
    return identifier as NSString
}

private func program(_ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> CallerReport? {
    do throws(ClientError) {
        return try KeychainClient.current.identity()
    } catch let failure {
        let reason = NSError(
            domain: NSOSStatusErrorDomain, code: Int(failure.status.rawValue),
            userInfo: [NSLocalizedDescriptionKey: "\(failure)"])
        // The caller guarantees a valid variable and takes over the reference: Apple's contract of this function.
        unsafe error?.pointee = Unmanaged.passRetained(reason)
        return nil
    }
}

extension Entitlement.Value {
    fileprivate var object: CFTypeRef {
        switch self {
        case .bool(let value): NSNumber(value: value)
        case .text(let text): text as NSString
        case .list(let texts): texts.map { $0 as NSString } as NSArray
        }
    }
}
