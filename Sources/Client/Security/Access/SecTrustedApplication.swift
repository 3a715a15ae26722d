// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
internal import KeychainClient
package import KeychainModel
internal import Synchronization

/// A program, or an application group, that an entry of a ``SecAccess`` trusts.
///
/// A signed program is identified by its team and name, an installed program by its path, any other program by the
/// SHA-256 of its file: when the file changes, the program requires a prompt again.
public final class SecTrustedApplication: Hashable, Sendable, CFTypeIdentified {
    private let content: Mutex<TrustedApplication>

    package init(_ application: TrustedApplication) { content = Mutex(application) }

    package var value: TrustedApplication { content.withLock { $0 } }

    fileprivate func become(_ application: TrustedApplication) { content.withLock { $0 = application } }

    public static var cfTypeID: CFTypeID { 271 }

    public static func == (left: SecTrustedApplication, right: SecTrustedApplication) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Returns the type identifier of ``SecTrustedApplication`` objects, as `CFGetTypeID` returns it.
public func SecTrustedApplicationGetTypeID() -> CFTypeID { SecTrustedApplication.cfTypeID }

/// Creates a trusted application from a program in its current state.
///
/// - Parameters:
///   - path: the path of its executable, in UTF-8; nil: the calling program. `group://NAME`: all programs whose
///     signature includes them in that application group.
///   - app: receives the object; not changed on failure.
/// - Returns: `errSecParam` for a path without a program that the caller may read, or beyond the limits;
///   `errSecMissingEntitlement` if the keychain service cannot identify the calling program; the service's status if it
///   cannot be reached.
@available(*, deprecated, message: "Share items among your programs by an access group, kSecAttrAccessGroup")
public func SecTrustedApplicationCreateFromPath(
    _ path: UnsafePointer<CChar>?, _ app: UnsafeMutablePointer<SecTrustedApplication?>
) -> OSStatus {
    AccessFailure.status { () throws(AccessFailure) in
        let application: TrustedApplication
        if let path = unsafe path {
            // The caller guarantees a valid, terminated text: Apple's contract of this function.
            guard let text = unsafe String(validatingCString: path) else { throw AccessFailure(.parameter) }
            application = try TrustedApplication(path: text)
        } else {
            application = try TrustedApplication.ofThisProgram()
        }
        unsafe app.pointee = SecTrustedApplication(application)
    }
}

/// Reads the identification of a program, for storage or transmission, in a format of this keychain.
///
/// - Parameters:
///   - appRef: the program.
///   - data: receives the bytes.
@available(*, deprecated, message: "Share items among your programs by an access group, kSecAttrAccessGroup")
public func SecTrustedApplicationCopyData(
    _ appRef: SecTrustedApplication, _ data: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    // The caller guarantees a valid variable: Apple's contract of this function.
    unsafe data.pointee = Data(appRef.value.encoded) as NSData
    return errSecSuccess
}

/// Replaces the program by that of such bytes.
///
/// - Parameters:
///   - appRef: the object to change.
///   - data: the bytes that ``SecTrustedApplicationCopyData(_:_:)`` returned.
/// - Returns: `errSecParam` for any other bytes; then the object is not changed.
@available(*, deprecated, message: "Share items among your programs by an access group, kSecAttrAccessGroup")
public func SecTrustedApplicationSetData(_ appRef: SecTrustedApplication, _ data: CFData) -> OSStatus {
    AccessFailure.status { () throws(AccessFailure) in
        guard let application = try? TrustedApplication(encoded: data as Data) else {
            throw AccessFailure(.parameter)
        }
        appRef.become(application)
    }
}

extension TrustedApplication {
    /// Returns the calling program, as the service identifies it.
    static func ofThisProgram() throws(AccessFailure) -> TrustedApplication {
        try TrustedApplication(report(.caller), unknown: .missingEntitlement)
    }

    /// Creates the program at a path, as the service would identify it when it runs; or a group.
    init(path: String) throws(AccessFailure) {
        if path.hasPrefix(Self.groupScheme) {
            guard let group = TrustedApplication(group: String(path.dropFirst(Self.groupScheme.count))) else {
                throw AccessFailure(.parameter)
            }
            self = group
            return
        }
        guard !path.isEmpty else { throw AccessFailure(.parameter) }
        let folder = FileManager.default.currentDirectoryPath
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        try self.init(Self.report(.program(path: whole)), unknown: .parameter)
    }

    private init(_ report: CallerReport, unknown: StatusCode) throws(AccessFailure) {
        guard let application = TrustedApplication(report.identity, displayPath: report.path) else {
            throw AccessFailure(unknown)
        }
        self = application
    }

    private static func report(_ subject: IdentitySubject) throws(AccessFailure) -> CallerReport {
        do throws(ClientError) {
            return try KeychainClient.current.identity(of: subject)
        } catch {
            throw AccessFailure(error.status)
        }
    }

    /// - Throws: `errSecParam` for any objects except trusted applications.
    static func list(_ list: CFArray) throws(AccessFailure) -> [TrustedApplication] {
        var applications: [TrustedApplication] = []
        for value in list {
            guard let application = value as? SecTrustedApplication else { throw AccessFailure(.parameter) }
            applications.append(application.value)
        }
        return applications
    }
}
