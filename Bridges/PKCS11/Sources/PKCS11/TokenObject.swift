// SPDX-License-Identifier: Apache-2.0

internal import CCryptoki
internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel
internal import SecretMemory

/// An object, as programs see it.
struct TokenObject: Sendable {
    /// The name of an object, which keeps its handle when the objects are listed again.
    enum Name: Hashable, Sendable {
        case item(PersistentReference, CK_ULONG)
        /// An object of a session, which ends with it.
        case ofSession(CK_SESSION_HANDLE, CK_ULONG)
    }

    let name: Name
    /// The item behind the object.
    var item: PersistentReference? { if case .item(let reference, _) = name { reference } else { nil } }
    let key: KeyFacts?
    private(set) var values: [CK_ATTRIBUTE_TYPE: [UInt8]]
    /// The value of a secret key that the program may read.
    private(set) var secret: SecretBytes?

    /// What operations must know of a key.
    struct KeyFacts: Sendable {
        let type: KeyType
        let sizeInBits: Int
        /// The public key, or the public half of a private key; nil if the service does not give it.
        let publicKey: PublicKey?

        var blockSize: Int { (sizeInBits + 7) / 8 }
    }

    private init(
        _ name: Name, _ objectClass: CK_ULONG, key: KeyFacts?, isPrivate: Bool, isOnToken: Bool, label: [UInt8]
    ) {
        self.name = name
        self.key = key
        values = [:]
        set(CKA_CLASS, objectClass)
        set(CKA_TOKEN, isOnToken)
        set(CKA_PRIVATE, isPrivate)
        set(CKA_MODIFIABLE, isOnToken)
        set(CKA_COPYABLE, false)
        set(CKA_DESTROYABLE, true)
        values[CKA_LABEL] = label
    }

    /// A certificate.
    init(_ item: CertificateItem, identifier: [UInt8]) {
        let certificate = item.certificate
        self.init(
            .item(item.reference, CKO_CERTIFICATE), CKO_CERTIFICATE, key: nil, isPrivate: false, isOnToken: true,
            label: item.label)
        set(CKA_CERTIFICATE_TYPE, CKC_X_509)
        set(CKA_CERTIFICATE_CATEGORY, CK_CERTIFICATE_CATEGORY_UNSPECIFIED)
        // The trust in a certificate is no attribute of the keychain.
        set(CKA_TRUSTED, false)
        values[CKA_VALUE] = certificate.encoded
        values[CKA_SUBJECT] = certificate.subject.encoded
        values[CKA_ISSUER] = certificate.issuer.encoded
        values[CKA_SERIAL_NUMBER] = encodedSerialNumber(certificate.serialNumber)
        values[CKA_PUBLIC_KEY_INFO] = certificate.publicKeyInfo.encoded
        values[CKA_ID] = identifier
        values[CKA_START_DATE] = []
        values[CKA_END_DATE] = []
        values[CKA_URL] = []
    }

    /// A private key.
    init(privateKey item: KeyItem, identifier: [UInt8], subject: [UInt8]) {
        self.init(
            .item(item.reference, CKO_PRIVATE_KEY), CKO_PRIVATE_KEY, key: item.facts, isPrivate: true, isOnToken: true,
            label: item.label)
        setKey(item, identifier: identifier, subject: subject)
        set(CKA_SENSITIVE, true)
        set(CKA_EXTRACTABLE, false)
        set(CKA_ALWAYS_SENSITIVE, item.isSet(.wasAlwaysSensitive) || item.isSet(.wasNeverExtractable))
        set(CKA_NEVER_EXTRACTABLE, item.isSet(.wasNeverExtractable))
        set(CKA_SIGN, item.facts.type != .x25519 && item.allows(.sign))
        set(CKA_DECRYPT, item.facts.type == .rsa && item.allows(.decrypt))
        set(CKA_DERIVE, [.ellipticCurve, .x25519].contains(item.facts.type) && item.allows(.agree))
        set(CKA_SIGN_RECOVER, false)
        set(CKA_UNWRAP, false)
        set(CKA_WRAP_WITH_TRUSTED, false)
        set(CKA_ALWAYS_AUTHENTICATE, item.needsOwner)
        // A point is an attribute of public keys alone.
        values[CKA_EC_POINT] = nil
        for secret in Self.secretAttributes(of: item.facts.type) { sensitive.insert(secret) }
    }

    /// The public half of a private key, or a public key.
    init(publicKey: PublicKey, of item: KeyItem, identifier: [UInt8], subject: [UInt8]) {
        self.init(
            .item(item.reference, CKO_PUBLIC_KEY), CKO_PUBLIC_KEY,
            key: KeyFacts(type: publicKey.type, sizeInBits: publicKey.sizeInBits, publicKey: publicKey),
            isPrivate: false,
            isOnToken: true, label: item.label)
        setKey(item, identifier: identifier, subject: subject)
        setPublicUses()
    }

    /// A public key that a session uses.
    init(publicKey: PublicKey, label: [UInt8], identifier: [UInt8], name: Name) {
        self.init(
            name, CKO_PUBLIC_KEY,
            key: KeyFacts(type: publicKey.type, sizeInBits: publicKey.sizeInBits, publicKey: publicKey),
            isPrivate: false,
            isOnToken: false, label: label)
        set(CKA_KEY_TYPE, publicKey.cryptokiType)
        set(CKA_LOCAL, false)
        values[CKA_ID] = identifier
        set(publicKey)
        setPublicUses()
    }

    /// A secret on which a key agreed.
    init(secret: SecretBytes, keyType: CK_ULONG, label: [UInt8], isExtractable: Bool, isSensitive: Bool, name: Name) {
        self.init(name, CKO_SECRET_KEY, key: nil, isPrivate: false, isOnToken: false, label: label)
        set(CKA_KEY_TYPE, keyType)
        set(CKA_LOCAL, false)
        set(CKA_VALUE_LEN, CK_ULONG(secret.count))
        set(CKA_SENSITIVE, isSensitive)
        set(CKA_EXTRACTABLE, isExtractable)
        set(CKA_ALWAYS_SENSITIVE, false)
        set(CKA_NEVER_EXTRACTABLE, false)
        for use in [CKA_ENCRYPT, CKA_DECRYPT, CKA_SIGN, CKA_VERIFY, CKA_WRAP, CKA_UNWRAP, CKA_DERIVE] {
            set(use, false)
        }
        if isSensitive || !isExtractable {
            sensitive.insert(CKA_VALUE)
        } else {
            self.secret = secret
        }
    }

    /// The attributes that exist and are never told.
    private(set) var sensitive: Set<CK_ATTRIBUTE_TYPE> = []

    var objectClass: CK_ULONG { number(CKA_CLASS) ?? CK_UNAVAILABLE_INFORMATION }
    var isOnToken: Bool { item != nil }
    var needsOwner: Bool { isSet(CKA_ALWAYS_AUTHENTICATE) }

    func isSet(_ type: CK_ATTRIBUTE_TYPE) -> Bool { values[type] == [1] }

    private func number(_ type: CK_ATTRIBUTE_TYPE) -> CK_ULONG? { values[type].flatMap { CK_ULONG(cryptoki: $0) } }

    /// Returns whether the object has all attributes of a search with these values.
    func matches(_ template: Template) -> Bool { template.entries.allSatisfy { values[$0.type] == $0.value } }

    private mutating func setKey(_ item: KeyItem, identifier: [UInt8], subject: [UInt8]) {
        set(CKA_KEY_TYPE, item.facts.type.cryptokiType)
        values[CKA_ID] = identifier
        values[CKA_SUBJECT] = subject
        values[CKA_START_DATE] = []
        values[CKA_END_DATE] = []
        set(CKA_LOCAL, item.isSet(.wasNeverExtractable))
        set(CKA_KEY_GEN_MECHANISM, CK_UNAVAILABLE_INFORMATION)
        if item.facts.type == .rsa { set(CKA_MODULUS_BITS, CK_ULONG(item.facts.sizeInBits)) }
        if let publicKey = item.facts.publicKey { set(publicKey) }
    }

    private mutating func set(_ publicKey: PublicKey) {
        for entry in publicKey.keyAttributes { values[entry.type] = entry.value }
        values[CKA_PUBLIC_KEY_INFO] = publicKey.subjectPublicKeyInfo
        if publicKey.type == .rsa { set(CKA_MODULUS_BITS, CK_ULONG(publicKey.sizeInBits)) }
    }

    private mutating func setPublicUses() {
        set(CKA_VERIFY, key?.type != .x25519)
        set(CKA_ENCRYPT, key?.type == .rsa)
        set(CKA_VERIFY_RECOVER, false)
        set(CKA_WRAP, false)
        set(CKA_DERIVE, false)
        set(CKA_TRUSTED, false)
    }

    private mutating func set(_ type: CK_ATTRIBUTE_TYPE, _ truth: Bool) { values[type] = [truth ? 1 : 0] }
    private mutating func set(_ type: CK_ATTRIBUTE_TYPE, _ number: CK_ULONG) { values[type] = number.cryptokiBytes }

    private static func secretAttributes(of type: KeyType) -> [CK_ATTRIBUTE_TYPE] {
        type == .rsa
            ? [CKA_PRIVATE_EXPONENT, CKA_PRIME_1, CKA_PRIME_2, CKA_EXPONENT_1, CKA_EXPONENT_2, CKA_COEFFICIENT]
            : [CKA_VALUE]
    }
}
