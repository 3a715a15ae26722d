// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// One of TestVectors/transfer-v1.json.
struct TransferFile: Decodable {
    let about: String
    let file: String
    let passphrase: String?

    var data: CFData {
        let digits = file.compactMap(\.hexDigitValue)
        return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }) as CFData
    }

    static let all: [TransferFile] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        // A file of this repository: where it is missing or broken, no test can say anything.
        let content = try! Data(contentsOf: root.appending(path: "TestVectors/transfer-v1.json"))
        return try! JSONDecoder().decode([TransferFile].self, from: content)
    }()

    init(_ about: String) throws { self = try #require(Self.all.first { $0.about == about }) }
}

/// What `SecItemImport` says of a file.
struct Imported {
    let status: OSStatus
    let format: SecExternalFormat
    let type: SecExternalItemType
    let items: [AnyObject]?

    init(
        _ data: CFData, passphrase: Any? = nil, flags: SecKeyImportExportFlags = [],
        format: SecExternalFormat = .formatUnknown, type: SecExternalItemType = .itemTypeUnknown,
        usage: [CFString]? = nil, attributes: [CFString]? = nil, keychain: SecKeychain? = nil
    ) {
        var (format, type) = (format, type)
        var found: CFArray?
        status = withParameters(passphrase, flags, usage, attributes) { parameters in
            SecItemImport(data, nil, &format, &type, [], parameters, keychain, &found)
        }
        (self.format, self.type) = (format, type)
        items = found as? [AnyObject]
    }

    init(_ about: String, passphrase: Any? = nil) throws {
        let file = try TransferFile(about)
        self.init(file.data, passphrase: passphrase ?? file.passphrase)
    }

    var key: SecKey? { items?.first as? SecKey }
}

/// The status of `SecItemExport`, and the data.
func exported(
    _ items: CFTypeRef, _ format: SecExternalFormat = .formatUnknown, pem: Bool = false, passphrase: Any? = nil,
    flags: SecKeyImportExportFlags = []
) -> (status: OSStatus, data: Data?) {
    var data: CFData?
    let status = withParameters(passphrase, flags, nil, nil) { parameters in
        SecItemExport(items, format, pem ? .pemArmour : [], parameters, &data)
    }
    return (status, data as Data?)
}

private func withParameters(
    _ passphrase: Any?, _ flags: SecKeyImportExportFlags, _ usage: [CFString]?, _ attributes: [CFString]?,
    _ body: (UnsafePointer<SecItemImportExportKeyParameters>) -> OSStatus
) -> OSStatus {
    var parameters = SecItemImportExportKeyParameters()
    parameters.flags = flags
    let object = passphrase.map { ($0 as? String).map { $0 as NSString } ?? $0 as AnyObject }
    let (usage, attributes) = (usage as NSArray?, attributes as NSArray?)
    return withExtendedLifetime((object, usage, attributes)) {
        parameters.passphrase = object.map { Unmanaged.passUnretained($0) }
        parameters.keyUsage = usage.map { Unmanaged.passUnretained($0) }
        parameters.keyAttributes = attributes.map { Unmanaged.passUnretained($0) }
        return body(&parameters)
    }
}
