// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainHelperWire
import Testing

@testable import Security

struct PolicyTests {
    @Test func `a policy tells its properties`() throws {
        let server = SecPolicyCreateSSL(true, "example.org" as CFString)
        #expect(CFGetTypeID(server) == SecPolicyGetTypeID())
        let properties = try #require(SecPolicyCopyProperties(server))
        #expect(properties[kSecPolicyOid] as? String == kSecPolicyAppleSSL as String)
        #expect(properties[kSecPolicyName] as? String == "example.org")
        #expect(properties[kSecPolicyClient] == nil)
        let client = try #require(SecPolicyCopyProperties(SecPolicyCreateSSL(false, nil)))
        #expect(client[kSecPolicyClient] as? Bool == true)
        #expect(client[kSecPolicyName] == nil)
        let basic = try #require(SecPolicyCopyProperties(SecPolicyCreateBasicX509()))
        #expect(basic == [kSecPolicyOid: kSecPolicyAppleX509Basic] as NSDictionary)
    }

    @Test func `policies are equal when their properties are`() {
        #expect(SecPolicyCreateBasicX509() == SecPolicyCreateBasicX509())
        #expect(SecPolicyCreateSSL(true, "a" as CFString) == SecPolicyCreateSSL(true, "a" as CFString))
        #expect(SecPolicyCreateSSL(true, "a" as CFString) != SecPolicyCreateSSL(true, "b" as CFString))
        #expect(SecPolicyCreateSSL(true, nil) != SecPolicyCreateSSL(false, nil))
    }

    @Test func `what a policy asks of a certificate`() throws {
        func wire(_ identifier: CFString, _ properties: [CFString: Any]? = nil) -> TrustPolicy? {
            SecPolicyCreateWithProperties(identifier, properties as CFDictionary?)?.wire
        }
        let name: [CFString: Any] = [kSecPolicyName: "n"]
        let client: [CFString: Any] = [kSecPolicyName: "n", kSecPolicyClient: true]
        #expect(wire(kSecPolicyAppleX509Basic) == TrustPolicy(.any))
        #expect(wire(kSecPolicyAppleSSL, name) == TrustPolicy(.tlsServer, name: "n"))
        #expect(wire(kSecPolicyAppleSSL, client) == TrustPolicy(.tlsClient))
        #expect(wire(kSecPolicyAppleSSLServer, name) == TrustPolicy(.tlsServer, name: "n"))
        #expect(wire(kSecPolicyAppleSSLClient, name) == TrustPolicy(.tlsClient))
        #expect(wire(kSecPolicyAppleSMIME, name) == TrustPolicy(.mail, name: "n", keyUsage: 0x1F))
        #expect(wire(kSecPolicyAppleSMIME, [kSecPolicyKU_KeyEncipherment: true]) == TrustPolicy(.mail, keyUsage: 4))
        #expect(wire(kSecPolicyAppleEAP, name) == TrustPolicy(.networkServer, name: "n"))
        #expect(wire(kSecPolicyAppleEAPClient, name) == TrustPolicy(.networkClient))
        #expect(wire(kSecPolicyAppleIPsec, name) == TrustPolicy(.ipsec, name: "n"))
        #expect(wire(kSecPolicyAppleCodeSigning, name) == TrustPolicy(.codeSigning, keyUsage: 3))
        #expect(wire(kSecPolicyAppleTimeStamping) == TrustPolicy(.timeStamping, keyUsage: 3))
        #expect(wire(kSecPolicyAppleIDValidation) == TrustPolicy(.any))
        #expect(
            wire(kSecPolicyAppleRevocation, [kSecPolicyRevocationFlags: 11])
                == TrustPolicy(.any, requiresRevocationCheck: true))
        #expect(wire(kSecPolicyAppleRevocation, [kSecPolicyRevocationFlags: 3]) == TrustPolicy(.any))
    }

    @Test func `an object other than a policy gives nil`() {
        #expect(SecPolicyCreateWithProperties("1.2.3" as CFString, nil) == nil)
        #expect(SecPolicyCreateWithProperties(NSNumber(value: 1), nil) == nil)
        #expect(SecPolicyCreateWithProperties(kSecPolicyApplePassbookSigning, nil) == nil)
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleSSL, [kSecPolicyName: 1] as NSDictionary) == nil)
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleSSL, [kSecPolicyClient: "yes"] as NSDictionary) == nil)
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleRevocation, nil) == nil)
        #expect(SecPolicyCreateRevocation(kSecRevocationRequirePositiveResponse) == nil)
        #expect(SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod) != nil)
    }
}
