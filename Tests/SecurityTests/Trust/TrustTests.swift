// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEndpoint
import KeychainHelperWire
import SecurityValues
import Synchronization
import Testing

@testable import Security

/// What a trust object makes of settings and answers, with a helper that answers as a test says.
struct TrustTests {
    private let leaf: SecCertificate
    private let issuer: SecCertificate

    init() throws {
        leaf = try vectorCertificate("a person's certificate for RSA with most extensions")
        issuer = try vectorCertificate("an authority, on P-256, with a limit of the path")
    }

    /// A helper that keeps what it is asked.
    private final class Helper: Sendable {
        private struct State {
            var requests: [TrustRequest] = []
            var answer: TrustAnswer
        }

        private let state: Mutex<State>

        init(_ answer: TrustAnswer) { state = Mutex(State(answer: answer)) }

        var requests: [TrustRequest] { state.withLock { $0.requests } }
        var answer: TrustAnswer {
            get { state.withLock { $0.answer } }
            set { state.withLock { $0.answer = newValue } }
        }

        var trustHelper: TrustHelper {
            TrustHelper { request throws(HelperError) in
                self.state.withLock { state in
                    if let request = try? TrustRequest(request) { state.requests.append(request) }
                    return state.answer.frame
                }
            }
        }
    }

    private func bytes(_ certificate: SecCertificate) -> [UInt8] { Array(SecCertificateCopyData(certificate) as Data) }

    private func answer(
        _ faults: [(place: Int, fault: TrustAnswer.Fault)] = [], anchor: TrustAnswer.Anchor = .own
    ) -> TrustAnswer {
        TrustAnswer(
            chain: [bytes(leaf), bytes(issuer)], anchor: anchor,
            findings: faults.map { .init(place: $0.place, fault: $0.fault) })
    }

    private func trust(_ helper: Helper, _ policies: [SecPolicy] = [SecPolicyCreateBasicX509()]) -> SecTrust {
        SecTrust([leaf, issuer], policies, helper: helper.trustHelper)
    }

    private func result(_ trust: SecTrust) -> SecTrustResultType {
        var result = SecTrustResultType.invalid
        #expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess)
        return result
    }

    private func refusal(_ trust: SecTrust) -> NSError? {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        #expect(isTrusted == (error == nil))
        return error
    }

    // MARK: Making

    @Test func `a trust object is made of a certificate or an array, and of a policy, an array or none`() throws {
        var trust: SecTrust?
        #expect(SecTrustCreateWithCertificates(leaf, nil, &trust) == errSecSuccess)
        let first = try #require(trust)
        #expect(CFGetTypeID(first) == SecTrustGetTypeID())
        var policies: CFArray?
        #expect(SecTrustCopyPolicies(first, &policies) == errSecSuccess)
        #expect(policies?.firstObject as? SecPolicy == SecPolicyCreateBasicX509())
        let ssl = SecPolicyCreateSSL(true, nil)
        #expect(SecTrustCreateWithCertificates([leaf, issuer] as CFArray, ssl, &trust) == errSecSuccess)
        #expect(SecTrustCreateWithCertificates([leaf] as NSArray, [ssl] as CFArray, &trust) == errSecSuccess)
        #expect(trust != first)
        #expect(SecTrustCopyPolicies(try #require(trust), &policies) == errSecSuccess)
        #expect(policies?.firstObject as? SecPolicy === ssl)
    }

    @Test func `other objects and empty arrays are no certificates and no policies`() {
        var trust: SecTrust?
        #expect(SecTrustCreateWithCertificates([] as CFArray, nil, &trust) == errSecParam)
        #expect(SecTrustCreateWithCertificates("x" as CFString, nil, &trust) == errSecParam)
        #expect(SecTrustCreateWithCertificates([leaf, "x" as NSString] as CFArray, nil, &trust) == errSecParam)
        #expect(SecTrustCreateWithCertificates(leaf, leaf, &trust) == errSecParam)
        #expect(SecTrustCreateWithCertificates(leaf, [] as CFArray, &trust) == errSecParam)
        #expect(trust == nil)
    }

    // MARK: Requests

    @Test func `the helper is asked for what was set`() {
        let helper = Helper(answer())
        let trust = trust(helper, [SecPolicyCreateSSL(true, "example.org" as CFString)])
        let date = Date(timeIntervalSince1970: 1_700_000_000.75)
        #expect(SecTrustSetVerifyDate(trust, date as CFDate) == errSecSuccess)
        #expect(SecTrustSetOptions(trust, [.allowExpired, .implicitAnchors]) == errSecSuccess)
        #expect(refusal(trust) == nil)
        #expect(SecTrustSetAnchorCertificates(trust, [issuer] as CFArray) == errSecSuccess)
        #expect(SecTrustSetPolicies(trust, SecPolicyCreateSSL(false, nil)) == errSecSuccess)
        #expect(refusal(trust) == nil)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, false) == errSecSuccess)
        #expect(refusal(trust) == nil)
        #expect(SecTrustSetAnchorCertificates(trust, nil) == errSecSuccess)
        #expect(refusal(trust) == nil)
        var expected = TrustRequest(
            certificates: [bytes(leaf), bytes(issuer)], policies: [TrustPolicy(.tlsServer, name: "example.org")],
            anchors: [], usesSystemAnchors: true, options: [.allowsExpired, .takesSelfSignedAsAnchors],
            date: 1_700_000_000)
        #expect(helper.requests.count == 4)
        #expect(helper.requests[0] == expected)
        expected.policies = [TrustPolicy(.tlsClient)]
        #expect(helper.requests[3] == expected)
        expected.anchors = [bytes(issuer)]
        #expect(helper.requests[2] == expected)
        expected.usesSystemAnchors = false
        #expect(helper.requests[1] == expected)
    }

    @Test func `an answer is kept until something is set`() {
        let helper = Helper(answer())
        let trust = trust(helper)
        #expect(result(trust) == .invalid)
        #expect(refusal(trust) == nil)
        #expect(SecTrustGetCertificateCount(trust) == 2)
        #expect(SecTrustCopyCertificateChain(trust) as? [SecCertificate] == [leaf, issuer])
        #expect(helper.requests.count == 1)
        #expect(result(trust) == .unspecified)
        let changes: [(SecTrust) -> OSStatus] = [
            { SecTrustSetPolicies($0, SecPolicyCreateBasicX509()) },
            { SecTrustSetAnchorCertificates($0, [] as CFArray) }, { SecTrustSetAnchorCertificatesOnly($0, true) },
            { SecTrustSetVerifyDate($0, NSDate()) }, { SecTrustSetOptions($0, .allowExpiredRoot) },
            { SecTrustSetNetworkFetchAllowed($0, true) },
            { SecTrustSetExceptions($0, nil) ? errSecParam : errSecSuccess },
        ]
        for change in changes {
            #expect(change(trust) == errSecSuccess)
            #expect(result(trust) == .invalid)
            #expect(refusal(trust) == nil)
        }
        #expect(helper.requests.count == 1 + changes.count)
    }

    @Test func `wrong objects change nothing`() {
        let helper = Helper(answer())
        let trust = trust(helper)
        #expect(refusal(trust) == nil)
        #expect(SecTrustSetPolicies(trust, leaf) == errSecParam)
        #expect(SecTrustSetPolicies(trust, [] as CFArray) == errSecParam)
        #expect(SecTrustSetAnchorCertificates(trust, ["x"] as NSArray) == errSecParam)
        #expect(SecTrustSetOptions(trust, .requireRevPerCert) == errSecUnimplemented)
        #expect(SecTrustSetOCSPResponse(trust, NSData()) == errSecUnimplemented)
        #expect(SecTrustSetOCSPResponse(trust, nil) == errSecSuccess)
        #expect(SecTrustSetKeychains(trust, NSString("x")) == errSecUnimplemented)
        #expect(SecTrustSetKeychains(trust, [] as CFArray) == errSecSuccess)
        #expect(result(trust) == .unspecified)
    }

    @Test func `settings are told`() {
        let trust = trust(Helper(answer()))
        var anchors: CFArray?
        #expect(SecTrustCopyCustomAnchorCertificates(trust, &anchors) == errSecSuccess)
        #expect(anchors == nil)
        #expect(SecTrustSetAnchorCertificates(trust, [issuer] as CFArray) == errSecSuccess)
        #expect(SecTrustCopyCustomAnchorCertificates(trust, &anchors) == errSecSuccess)
        #expect(anchors as? [SecCertificate] == [issuer])
        var mayFetch: DarwinBoolean = true
        #expect(SecTrustGetNetworkFetchAllowed(trust, &mayFetch) == errSecSuccess)
        #expect(mayFetch == false)
        #expect(SecTrustSetNetworkFetchAllowed(trust, true) == errSecSuccess)
        #expect(SecTrustGetNetworkFetchAllowed(trust, &mayFetch) == errSecSuccess)
        #expect(mayFetch == true)
        let before = Date().timeIntervalSinceReferenceDate
        let time = SecTrustGetVerifyTime(trust)
        #expect(time >= before && time <= Date().timeIntervalSinceReferenceDate)
        #expect(SecTrustSetVerifyDate(trust, Date(timeIntervalSinceReferenceDate: 42) as CFDate) == errSecSuccess)
        #expect(SecTrustGetVerifyTime(trust) == 42)
    }

    @Test func `a date that fits no certificate is said to be wrong`() {
        let trust = trust(Helper(answer()))
        #expect(
            SecTrustSetVerifyDate(trust, Date(timeIntervalSinceReferenceDate: .infinity) as CFDate) == errSecSuccess)
        #expect(refusal(trust)?.code == Int(errSecParam))
        #expect(result(trust) == .otherError)
    }

    @Test func `more certificates than fit are not sent`() {
        let helper = Helper(answer())
        let trust = SecTrust(
            Array(repeating: leaf, count: TrustLimits.certificates + 1), [SecPolicyCreateBasicX509()],
            helper: helper.trustHelper)
        #expect(refusal(trust)?.code == Int(errSecParam))
        #expect(helper.requests.isEmpty)
    }

    // MARK: What the answer becomes

    @Test(arguments: TrustAnswer.Fault.allCases)
    func `each fault is an error with a code, a sentence about the certificate and a detail`(
        _ fault: TrustAnswer.Fault
    ) throws {
        let trust = trust(Helper(answer([(0, fault)])))
        let error = try #require(refusal(trust))
        #expect(error.domain == NSOSStatusErrorDomain)
        #expect(error.code < -20000)
        #expect(error.localizedDescription.hasPrefix("\u{201C}Ann Mouse\u{201D} certificate "))
        let below = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(below.code == error.code)
        #expect(
            below.localizedDescription == "Certificate 0 \u{201C}Ann Mouse\u{201D} has errors: \(fault.detail).")
        #expect(result(trust) == (fault.isFatal ? .fatalTrustFailure : .recoverableTrustFailure))
    }

    @Test func `codes and sentences are Apple's`() throws {
        let cases: [(TrustAnswer.Fault, OSStatus, String)] = [
            (.anchorNotTrusted, -67843, "is not trusted"), (.missingIssuer, -25318, "is not trusted"),
            (.expired, -67818, "is expired"), (.hostName, -67602, "name does not match input"),
            (.extendedKeyUsage, -67609, "is not permitted for this usage"),
            (.validityPeriod, -67901, "is not standards compliant"),
            (.keySize, -67735, "is using a broken key size"),
            (.signatureAlgorithm, -67815, "is using a broken signature algorithm"),
        ]
        for (fault, code, words) in cases {
            let error = try #require(refusal(trust(Helper(answer([(0, fault)])))))
            #expect(error.code == Int(code))
            #expect(error.localizedDescription == "\u{201C}Ann Mouse\u{201D} certificate \(words)")
        }
    }

    @Test func `of several faults the gravest is the error, and all are below it`() throws {
        let trust = trust(Helper(answer([(0, .hostName), (0, .expired), (1, .anchorNotTrusted)], anchor: .none)))
        let error = try #require(refusal(trust))
        #expect(error.code == Int(errSecCertificateExpired))
        let below = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError).localizedDescription
        #expect(below.contains("Alternative names do not contain the host; Certificate has expired. Certificate 1"))
        let properties = try #require(SecTrustCopyProperties(trust) as? [NSDictionary])
        #expect(properties.count == 2)
        #expect(properties[0][kSecPropertyTypeTitle] as? String == "Ann Mouse")
        #expect(
            properties[0][kSecPropertyTypeError] as? String
                == "Alternative names do not contain the host; Certificate has expired")
    }

    @Test func `what an answer says is told in each of its forms`() throws {
        let trust = trust(Helper(answer()))
        #expect(SecTrustSetVerifyDate(trust, Date(timeIntervalSinceReferenceDate: 42) as CFDate) == errSecSuccess)
        var found = SecTrustResultType.invalid
        #expect(SecTrustEvaluate(trust, &found) == errSecSuccess)
        #expect(found == .unspecified)
        #expect(SecTrustGetCertificateAtIndex(trust, 0) == leaf)
        #expect(SecTrustGetCertificateAtIndex(trust, 1) == issuer)
        #expect(SecTrustGetCertificateAtIndex(trust, 2) == nil)
        #expect(SecTrustGetCertificateAtIndex(trust, -1) == nil)
        #expect(SecTrustCopyKey(trust) == SecCertificateCopyKey(leaf))
        #expect(SecTrustCopyPublicKey(trust) == SecCertificateCopyKey(leaf))
        let dictionary = try #require(SecTrustCopyResult(trust))
        #expect(dictionary[kSecTrustResultValue] as? UInt32 == 4)
        #expect(dictionary[kSecTrustEvaluationDate] as? Date == Date(timeIntervalSinceReferenceDate: 42))
        let properties = try #require(SecTrustCopyProperties(trust) as? [NSDictionary])
        #expect(properties.allSatisfy { $0[kSecPropertyTypeError] == nil })
    }

    @Test func `asynchronous functions call back once, on the queue`() async throws {
        let queue = DispatchQueue(label: "here")
        let key = DispatchSpecificKey<Int>()
        queue.setSpecific(key: key, value: 1)
        let bad = trust(Helper(answer([(0, .expired)])))
        let code = await withCheckedContinuation { continuation in
            SecTrustEvaluateAsyncWithError(bad, queue) { same, isTrusted, error in
                let isHere = DispatchQueue.getSpecific(key: key) == 1 && same == bad && !isTrusted
                continuation.resume(returning: isHere ? error.map { ($0 as NSError).code } : nil)
            }
        }
        #expect(code == Int(errSecCertificateExpired))
        let good = trust(Helper(answer()))
        let isTrusted = await withCheckedContinuation { continuation in
            SecTrustEvaluateAsyncWithError(good, queue) {
                continuation.resume(returning: $1 && $2 == nil && $0 == good)
            }
        }
        #expect(isTrusted)
        for place in [queue, nil] {
            let result = await withCheckedContinuation { continuation in
                SecTrustEvaluateAsync(bad, place) { continuation.resume(returning: $1) }
            }
            #expect(result == .recoverableTrustFailure)
        }
    }

    // MARK: Exceptions

    @Test func `what a person decided to overlook is overlooked, and nothing else`() throws {
        let helper = Helper(answer([(0, .expired), (1, .anchorNotTrusted)], anchor: .none))
        let trust = trust(helper)
        let exceptions = try #require(SecTrustCopyExceptions(trust))
        #expect(refusal(trust) != nil)
        #expect(SecTrustSetExceptions(trust, exceptions))
        #expect(refusal(trust) == nil)
        #expect(result(trust) == .proceed)
        #expect(SecTrustCopyExceptions(trust) == exceptions)
        helper.answer = answer([(0, .expired), (0, .hostName), (1, .anchorNotTrusted)], anchor: .none)
        #expect(SecTrustSetExceptions(trust, exceptions))
        #expect(refusal(trust)?.code == Int(errSecHostNameMismatch))
        helper.answer = answer([(1, .expired)])
        #expect(SecTrustSetExceptions(trust, exceptions))
        #expect(refusal(trust)?.code == Int(errSecCertificateExpired))
        #expect(!SecTrustSetExceptions(trust, nil))
        #expect(refusal(trust) != nil)
    }

    @Test func `exceptions are for one certificate`() throws {
        let helper = Helper(answer([(0, .expired)]))
        let exceptions = try #require(SecTrustCopyExceptions(trust(helper)))
        let other = SecTrust(
            [try vectorCertificate("no subject, and an e-mail address as the only name")],
            [SecPolicyCreateBasicX509()], helper: helper.trustHelper)
        #expect(!SecTrustSetExceptions(other, exceptions))
    }

    @Test func `a weak key is never overlooked`() throws {
        let trust = trust(Helper(answer([(0, .keySize)])))
        let exceptions = try #require(SecTrustCopyExceptions(trust))
        #expect(SecTrustSetExceptions(trust, exceptions))
        #expect(result(trust) == .invalid)
        #expect(refusal(trust)?.code == Int(errSecUnsupportedKeySize))
    }

    @Test func `bytes that are no exceptions are none`() throws {
        let trust = trust(Helper(answer([(0, .expired), (1, .expired)])))
        let data = try #require(SecTrustCopyExceptions(trust)) as Data
        #expect(SecTrustSetExceptions(trust, data as CFData))
        for count in 0..<data.count {
            // A cut after the first entry leaves valid data, and the first entry may belong to this certificate.
            guard count != data.count - 34 else { continue }
            #expect(!SecTrustSetExceptions(trust, data.prefix(count) as CFData), "\(count) bytes")
        }
        #expect(!SecTrustSetExceptions(trust, data + [0] as CFData))
    }

    // MARK: Without an answer

    @Test func `a helper that is missing, silent or speaks otherwise is an error, never trust`() throws {
        func trust(_ ask: @escaping @Sendable ([UInt8]) throws(HelperError) -> [UInt8]) -> SecTrust {
            SecTrust([leaf], [SecPolicyCreateBasicX509()], helper: TrustHelper(ask: ask))
        }
        let missing = trust { request throws(HelperError) in
            try HelperProgram(name: "chatelaine-trust", candidates: ["/nowhere/chatelaine-trust"]).answer(
                to: request, timeout: .seconds(1)
            ) { _ in nil }
        }
        let notThere = try #require(refusal(missing))
        #expect(notThere.code == Int(errSecNotAvailable))
        #expect(notThere.localizedDescription.contains("/nowhere/chatelaine-trust"))
        let reversed = TrustAnswer(chain: [bytes(issuer)], anchor: .system, findings: []).frame
        let unreadable = TrustAnswer(chain: [bytes(leaf), [1, 2]], anchor: .system, findings: []).frame
        for frame in [[], [1, 2, 3], HelperRefusal(reason: "no anchors").frame, reversed, unreadable] {
            let trust = trust { _ in frame }
            #expect(refusal(trust)?.code == Int(errSecTrustNotAvailable))
            var found = SecTrustResultType.invalid
            #expect(SecTrustEvaluate(trust, &found) == errSecTrustNotAvailable)
            #expect(found == .otherError)
            #expect(result(trust) == .otherError)
            #expect(SecTrustCopyCertificateChain(trust) == nil)
            #expect(SecTrustGetCertificateCount(trust) == 0)
            #expect(SecTrustCopyExceptions(trust) == nil)
            #expect(SecTrustCopyProperties(trust) == nil)
            #expect(SecTrustCopyResult(trust) == nil)
        }
        #expect(refusal(trust { _ in HelperRefusal(reason: "no anchors").frame })?.localizedDescription == "no anchors")
    }

    @Test func `an answer to an older question is not kept`() throws {
        let helper = Helper(answer())
        let box = Mutex<SecTrust?>(nil)
        let trust = SecTrust(
            [leaf], [SecPolicyCreateBasicX509()],
            helper: TrustHelper { request throws(HelperError) in
                // As if another thread changed something while the helper works.
                box.withLock { trust in
                    if let trust { SecTrustSetVerifyDate(trust, NSDate(timeIntervalSinceReferenceDate: 1)) }
                    trust = nil
                }
                return try helper.trustHelper.ask(request)
            })
        box.withLock { $0 = trust }
        #expect(refusal(trust) == nil)
        #expect(result(trust) == .invalid)
        #expect(refusal(trust) == nil)
        #expect(result(trust) == .unspecified)
        #expect(helper.requests.last?.date == 978_307_201)
    }
}
