// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

struct KeyCreationTests {
    @Test(arguments: [
        (kSecAttrKeyTypeRSA as String, 1024), (kSecAttrKeyTypeRSA as String, 2048),
        (kSecAttrKeyTypeECSECPrimeRandom as String, 256), (kSecAttrKeyTypeEC as String, 384),
        (kSecAttrKeyTypeECDSA as String, 521), (kSecAttrKeyTypeEd25519 as String, 256),
        (kSecAttrKeyTypeX25519 as String, 256),
    ])
    func `a key is made, written and read again`(type: String, size: Int) throws {
        let key = try newKey(type as CFString, size)
        let publicKey = try publicHalf(of: key)
        for (half, keyClass) in [(key, kSecAttrKeyClassPrivate), (publicKey, kSecAttrKeyClassPublic)] {
            var error: Unmanaged<CFError>?
            let data = try #require(SecKeyCopyExternalRepresentation(half, &error))
            let read = SecKeyCreateWithData(
                data, [kSecAttrKeyType: type, kSecAttrKeyClass: keyClass] as [CFString: Any] as CFDictionary, &error)
            #expect(read == half)
            #expect(CFEqual(read, half))
            #expect(CFHash(read) == CFHash(half))
            #expect(error == nil)
        }
        #expect(key != publicKey)
        #expect(SecKeyCopyPublicKey(publicKey) == publicKey)
        #expect(SecKeyGetBlockSize(key) == (size + 7) / 8)
    }

    @Test func `a key has the type of keys, in collections too`() throws {
        let key = try newKey(kSecAttrKeyTypeEC, 256)
        #expect(CFGetTypeID(key) == SecKeyGetTypeID())
        #expect(SecKeyGetTypeID() != SecAccessControlGetTypeID())
        let array: CFArray = [key] as CFArray
        let object = try #require(array.firstObject)
        #expect((object as! SecKey) === key)
        let dictionary = [kSecValueRef: key] as [CFString: Any] as CFDictionary
        #expect((dictionary[kSecValueRef] as! SecKey) === key)
        #expect([key: 1][key] == 1)
    }

    @Test func `types and sizes are texts or numbers, of Swift or of Foundation`() throws {
        let dictionaries: [CFDictionary] = [
            [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256] as [CFString: Any] as CFDictionary,
            ["type": "73", "bsiz": "256"] as CFDictionary,
            ["type": 73, "bsiz": NSNumber(value: 256)] as [String: Any] as CFDictionary,
            NSDictionary(
                objects: [NSNumber(value: 73), "256" as NSString], forKeys: ["type" as NSString, "bsiz" as NSString]),
            [kSecAttrKeyType as String: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits as String: 256 as CFNumber]
                as [String: Any]
                as CFDictionary,
        ]
        for dictionary in dictionaries {
            var error: Unmanaged<CFError>?
            let key = SecKeyCreateRandomKey(dictionary, &error)
            #expect(key.map(SecKeyGetBlockSize) == 32)
        }
    }

    @Test func `C120: the attributes of a key are read with plain texts as with the constants`() throws {
        let key = try newKey(kSecAttrKeyTypeECSECPrimeRandom, 384)
        let attributes = try #require(SecKeyCopyAttributes(key))
        for name in [
            kSecAttrKeyClass, kSecAttrKeyType, kSecAttrKeySizeInBits, kSecAttrEffectiveKeySize,
            kSecAttrApplicationLabel,
            kSecAttrCanSign, kSecAttrIsPermanent,
        ] {
            let byConstant = try #require(
                attributes[name] as? NSObject ?? (attributes[name] as? Data).map { $0 as NSData })
            let byText = try #require(
                attributes[name as String] as? NSObject ?? (attributes[name as String] as? Data).map { $0 as NSData })
            #expect(byConstant == byText)
        }
        let native = try #require(attributes as? [String: Any])
        #expect(native["type"] as? String == "73")
        #expect(native["kcls"] as? String == "1")
        #expect(native["bsiz"] as? Int == 384)
        #expect(native["esiz"] as? Int == 384)
        #expect((native["klbl"] as? Data)?.count == 20)
        #expect((attributes as? [CFString: Any])?[kSecAttrKeySizeInBits] as? Int == 384)
    }

    @Test func `attributes say what Apple's say`() throws {
        func truths(_ key: SecKey) throws -> Set<String> {
            let attributes = try #require(SecKeyCopyAttributes(key) as? [String: Any])
            #expect(attributes.count == 21)
            return Set(attributes.filter { $0.value as? Int == 1 }.keys)
        }
        let curve = try newKey(kSecAttrKeyTypeEC, 256)
        let rsa = try newKey(kSecAttrKeyTypeRSA, 1024)
        let always: Set = ["perm", "priv", "modi", "extr"]
        #expect(try truths(curve) == always.union(["decr", "sign", "unwp", "drve"]))
        #expect(try truths(rsa) == always.union(["decr", "sign", "unwp"]))
        for key in [curve, rsa] {
            #expect(try truths(publicHalf(of: key)) == always.union(["encr", "vrfy", "wrap"]))
        }
    }

    @Test func `both halves have one application label`() throws {
        let key = try newKey(kSecAttrKeyTypeEC, 256)
        func label(_ key: SecKey) -> Data? {
            (SecKeyCopyAttributes(key) as? [String: Any])?["klbl"] as? Data
        }
        #expect(label(key) != nil)
        #expect(try label(key) == label(publicHalf(of: key)))
        #expect(try label(key) != label(newKey(kSecAttrKeyTypeEC, 256)))
    }

    @Test(arguments: [
        (kSecAttrKeyTypeRSA as String, [0, 512, 1000, 2049, 16384]),
        (kSecAttrKeyTypeEC as String, [0, 192, 224, 255, 512, -1]),
    ])
    func `sizes that are not carried are named`(type: String, sizes: [Int]) {
        for size in sizes {
            #expect(creationStatus([kSecAttrKeyType: type, kSecAttrKeySizeInBits: size]) == errSecKeySizeNotAllowed)
        }
    }

    @Test func `parameters that say no key are refused`() {
        let type = kSecAttrKeyTypeEC
        #expect(creationStatus([:]) == errSecParam)
        #expect(creationStatus([kSecAttrKeyType: type]) == errSecParam)
        #expect(creationStatus([kSecAttrKeySizeInBits: 256]) == errSecParam)
        #expect(creationStatus([kSecAttrKeyType: kSecAttrKeyTypeAES, kSecAttrKeySizeInBits: 256]) == errSecParam)
        #expect(creationStatus([kSecAttrKeyType: "curve", kSecAttrKeySizeInBits: 256]) == errSecParam)
        #expect(creationStatus([kSecAttrKeyType: Data([73]), kSecAttrKeySizeInBits: 256]) == errSecParam)
        #expect(creationStatus([kSecAttrKeyType: type, kSecAttrKeySizeInBits: "many"]) == errSecParam)
        #expect(creationStatus([kSecAttrKeyType: type, kSecAttrKeySizeInBits: 256.5]) == errSecParam)
        #expect(creationStatus([kSecAttrKeyType: type, kSecAttrKeySizeInBits: Date()]) == errSecParam)
        let parameters: [CFString: Any] = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: 256]
        #expect(creationStatus(parameters) == errSecSuccess)
        #expect(creationStatus(parameters.merging([kSecPrivateKeyAttrs: "private"]) { $1 }) == errSecParam)
        #expect(creationStatus(parameters.merging([kSecAttrIsPermanent: Data()]) { $1 }) == errSecParam)
    }

    @Test func `a key that a token cannot make is refused`() {
        let parameters: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256]
        func status(_ more: [CFString: Any]) -> OSStatus { creationStatus(parameters.merging(more) { $1 }) }
        let token: [CFString: Any] = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]
        #expect(status([kSecPublicKeyAttrs: token]) == errSecUnimplemented, "public halves are in no token")
        #expect(status([kSecAttrKeySizeInBits: 384].merging(token) { $1 }) == errSecParam)
        #expect(
            status([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048].merging(token) { $1 })
                == errSecParam)
        for other in ["com.example.card" as Any, 7, Data()] {
            #expect(status([kSecAttrTokenID: other]) == errSecUnimplemented)
        }
        #expect(status([kSecAttrIsPermanent: false]) == errSecSuccess)
        // The halves say otherwise than the whole.
        let temporary: [CFString: Any] = [kSecAttrIsPermanent: false]
        #expect(
            status([kSecAttrIsPermanent: true, kSecPrivateKeyAttrs: temporary, kSecPublicKeyAttrs: temporary])
                == errSecSuccess)
    }

    @Test func `an error is one of the keychain, with a sentence`() throws {
        var error: Unmanaged<CFError>?
        #expect(SecKeyCreateRandomKey([:] as CFDictionary, &error) == nil)
        let object = try #require(error?.takeRetainedValue())
        #expect(object.domain == NSOSStatusErrorDomain)
        #expect(
            object.localizedDescription
                == "The operation couldn\u{2019}t be completed. (OSStatus error -50 - kSecAttrKeyType is missing, but a key requires it)"
        )
        #expect(SecKeyCreateRandomKey([:] as CFDictionary, nil) == nil)
    }

    @Test func `a pair is made with both halves or with a status`() throws {
        var publicKey: SecKey?
        var privateKey: SecKey?
        let parameters = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256] as [CFString: Any]
        #expect(SecKeyGeneratePair(parameters as CFDictionary, &publicKey, &privateKey) == errSecSuccess)
        #expect(try publicHalf(of: #require(privateKey)) == publicKey)
        #expect(SecKeyGeneratePair(parameters as CFDictionary, nil, nil) == errSecSuccess)
        publicKey = nil
        let wrong = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 192] as [CFString: Any]
        #expect(SecKeyGeneratePair(wrong as CFDictionary, &publicKey, &privateKey) == errSecKeySizeNotAllowed)
        #expect(publicKey == nil)
        #expect(privateKey != nil, "as it was")
    }

    @Test func `data that are no key are refused`() throws {
        let key = try newKey(kSecAttrKeyTypeEC, 256)
        let data = try #require(SecKeyCopyExternalRepresentation(key, nil)) as Data
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        ]
        func status(_ data: Data, _ changes: [CFString: Any?] = [:]) -> OSStatus {
            var all = attributes
            for (key, value) in changes { all[key] = value }
            var error: Unmanaged<CFError>?
            let key = SecKeyCreateWithData(data as CFData, all as CFDictionary, &error)
            let code = error.map { OSStatus($0.takeRetainedValue().code) }
            #expect((key == nil) == (code != nil))
            return code ?? errSecSuccess
        }
        #expect(status(data) == errSecSuccess)
        // The bytes say the size; programs give what they like.
        #expect(status(data, [kSecAttrKeySizeInBits: 97 * 8]) == errSecSuccess)
        #expect(status(data.dropLast()) == errSecParam)
        #expect(status(Data()) == errSecParam)
        #expect(status(data, [kSecAttrKeyClass: kSecAttrKeyClassPublic]) == errSecParam)
        #expect(status(data, [kSecAttrKeyType: kSecAttrKeyTypeRSA]) == errSecParam)
        #expect(status(data, [kSecAttrKeyType: kSecAttrKeyTypeDSA]) == errSecParam)
        #expect(status(data, [kSecAttrKeyType: nil as Any?]) == errSecParam)
        #expect(status(data, [kSecAttrKeyClass: nil as Any?]) == errSecParam)
        #expect(status(data, [kSecAttrKeyClass: "3"]) == errSecParam)
        #expect(status(data, [kSecAttrKeyClass: 1]) == errSecSuccess)
        #expect(status(data, [kSecAttrKeyClass: kSecAttrKeyClassSymmetric]) == errSecUnimplemented)
        #expect(status(data, [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]) == errSecUnimplemented)
    }

    private func creationStatus(_ parameters: [CFString: Any]) -> OSStatus {
        var error: Unmanaged<CFError>?
        let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
        let code = error.map { OSStatus($0.takeRetainedValue().code) }
        #expect((key == nil) == (code != nil))
        return code ?? errSecSuccess
    }
}

func newKey(_ type: CFString, _ size: Int) throws -> SecKey {
    var error: Unmanaged<CFError>?
    let parameters = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: size] as [CFString: Any]
    return try #require(SecKeyCreateRandomKey(parameters as CFDictionary, &error))
}

func publicHalf(of key: SecKey) throws -> SecKey { try #require(SecKeyCopyPublicKey(key)) }
