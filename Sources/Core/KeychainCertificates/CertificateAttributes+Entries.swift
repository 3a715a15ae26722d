// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
public import KeychainModel

extension CertificateAttributes {
    /// The attributes in the keychain's form.
    public var entries: [ItemAttributes.Entry] {
        var entries: [ItemAttributes.Entry] = [
            .init(.certificateType, .number(Int64(certificateType))),
            .init(.certificateEncoding, .number(Int64(certificateEncoding))),
            .init(.issuer, .data(issuer)), .init(.subject, .data(subject)), .init(.serialNumber, .data(serialNumber)),
            .init(.publicKeyHash, .data(publicKeyHash.bytes)),
        ]
        if let subjectKeyID { entries.append(.init(.subjectKeyID, .data(subjectKeyID))) }
        if let alias { entries.append(.init(.alias, .string(alias))) }
        if let label { entries.append(.init(.label, .string(label))) }
        return entries
    }
}
