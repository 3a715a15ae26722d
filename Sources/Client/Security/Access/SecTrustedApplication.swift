// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
internal import KeychainClient
package import KeychainModel
internal import Synchronization

/// A program, or an application group, that an entry of a ``SecAccess`` trusts.
///
/// A signed program is known by its team and name, an installed one by its path, any other by the SHA-256 of its file: when it is
/// changed, a person is asked about it again.
public final class SecTrustedApplication: Hashable, Sendable, CFTypeIdentified {
    private let content: Mutex<TrustedApplication>

    package init(_ application: TrustedApplication) { content = Mutex(application) }

    package var value: TrustedApplication { content.withLock { $0 } }

    fileprivate func become(_ application: TrustedApplication) { content.withLock { $0 = application } }

    public static var cfTypeID: CFTypeID { 271 }

    public static func == (left: SecTrustedApplication, right: SecTrustedApplication) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The type of ``SecTrustedApplication`` objects, as `CFGetTypeID` tells it.
public func SecTrustedApplicationGetTypeID() -> CFTypeID { SecTrustedApplication.cfTypeID }

/// Makes a trusted application of a program, as it is now.
///
/// - Parameters:
///   - path: of its executable, in UTF-8; nil: the calling program. `group://NAME`: all programs whose signature puts them into that
///     application group.
///   - app: receives the object; keeps what it held on failure.
/// - Returns: `errSecParam` for a path at which there is no program that this one may look at, or that is beyond the limits;
///   `errSecMissingEntitlement` where the keychain service does not know the calling program; what the service says when it cannot be
///   asked.
@available(*, deprecated, message: "Share items among your programs by an access group, kSecAttrAccessGroup")
public func SecTrustedApplicationCreateFromPath(
    _ path: UnsafePointer<CChar>?, _ app: UnsafeMutablePointer<SecTrustedApplication?>
) -> OSStatus {
    AccessFailure.status { () throws(AccessFailure) in
        let application: TrustedApplication
        if let path = unsafe path {
            // The caller vouches for the text and its end: Apple's contract of this function.
            guard let text = unsafe String(validatingCString: path) else { throw AccessFailure(.parameter) }
            application = try TrustedApplication(path: text)
        } else {
            application = try TrustedApplication.ofThisProgram()
        }
        unsafe app.pointee = SecTrustedApplication(application)
    }
}

/// By what a program is known, to be kept or sent elsewhere; in a format of the keychain's own.
///
/// - Parameter data: receives the bytes.
@available(*, deprecated, message: "Share items among your programs by an access group, kSecAttrAccessGroup")
public func SecTrustedApplicationCopyData(
    _ appRef: SecTrustedApplication, _ data: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    // The caller vouches for the variable: Apple's contract of this function.
    unsafe data.pointee = Data(appRef.value.encoded) as NSData
    return errSecSuccess
}

/// Makes it the program of such bytes.
///
/// - Parameter data: what ``SecTrustedApplicationCopyData(_:_:)`` gave out.
/// - Returns: `errSecParam` for anything else; then it stays what it was.
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
    /// The program that calls, as the service knows it.
    static func ofThisProgram() throws(AccessFailure) -> TrustedApplication {
        try TrustedApplication(report(.caller), unknown: .missingEntitlement)
    }

    /// The program at a path, as it would be known when it ran; or a group.
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

    /// - Throws: `errSecParam` for anything but trusted applications.
    static func list(_ list: CFArray) throws(AccessFailure) -> [TrustedApplication] {
        var applications: [TrustedApplication] = []
        for value in list {
            guard let application = value as? SecTrustedApplication else { throw AccessFailure(.parameter) }
            applications.append(application.value)
        }
        return applications
    }
}
