// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

// SecItemImport and SecItemExport are functions of macOS, with pointers in their parameters.
#if os(Linux) || os(macOS)
    /// Imports and exports files of keys and certificates.
    enum Transfer {
        /// Returns the number of the format, and the kind and the bytes of each item. The passphrase is `-` for none.
        static func read(_ file: Data, passphrase: Data?) throws -> String {
            var format = SecExternalFormat.formatUnknown
            var type = SecExternalItemType.itemTypeUnknown
            var found: CFArray?
            let status = withParameters(passphrase) {
                SecItemImport(file as CFData, nil, &format, &type, [], $0, nil, &found)
            }
            guard status == errSecSuccess, let items = found as? [AnyObject] else { throw error(status) }
            return try "\(format.rawValue) \(type.rawValue)" + items.map { " " + (try words($0)) }.joined()
        }

        /// Returns a file in the format with this number.
        static func write(_ items: [AnyObject], format: Int, inPEM: Bool, passphrase: Data?) throws -> Data {
            guard let number = UInt32(exactly: format), let format = SecExternalFormat(rawValue: number) else {
                throw error(errSecParam)
            }
            var data: CFData?
            let status = withParameters(passphrase) {
                SecItemExport(items as CFArray, format, inPEM ? .pemArmour : [], $0, &data)
            }
            guard status == errSecSuccess, let data else { throw error(status) }
            return data as Data
        }

        private static func words(_ item: AnyObject) throws -> String {
            switch item {
            case let certificate as SecCertificate:
                return "certificate:" + (SecCertificateCopyData(certificate) as Data).base64EncodedString()
            case let identity as SecIdentity:
                var certificate: SecCertificate?
                var key: SecKey?
                SecIdentityCopyCertificate(identity, &certificate)
                SecIdentityCopyPrivateKey(identity, &key)
                guard let certificate, let key else { throw error(errSecInternalComponent) }
                return try "identity:" + words(certificate) + ":" + words(key)
            case let key as SecKey:
                let attributes = SecKeyCopyAttributes(key) as? [String: Any]
                let isPrivate = attributes?[kSecAttrKeyClass as String] as? String == kSecAttrKeyClassPrivate as String
                var failure: Unmanaged<CFError>?
                guard let data = SecKeyCopyExternalRepresentation(key, &failure) as Data? else {
                    throw failure?.takeRetainedValue() ?? error(errSecInternalComponent)
                }
                return (isPrivate ? "private:" : "public:") + data.base64EncodedString()
            default: throw error(errSecInternalComponent)
            }
        }

        private static func withParameters(
            _ passphrase: Data?, _ body: (UnsafePointer<SecItemImportExportKeyParameters>) -> OSStatus
        ) -> OSStatus {
            let object = passphrase.map { $0 as CFData as CFTypeRef }
            return withExtendedLifetime(object) {
                var parameters = SecItemImportExportKeyParameters()
                parameters.passphrase = object.map { Unmanaged.passUnretained($0) }
                return body(&parameters)
            }
        }

        private static func error(_ status: OSStatus) -> Error {
            NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        }
    }
#endif
