// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import X509

/// The number of issuers that the search may still try. If authorities have certified each other, there are more chains
/// than can be tried, and any program can send such certificates.
final class SearchBudget: Sendable {
    private let left: Mutex<Int>

    init(issuers: Int) { left = Mutex(issuers) }

    /// Whether the search was cut short.
    var isExhausted: Bool { left.withLock { $0 < 0 } }

    /// Takes this many issuers from the budget; returns whether they may be tried.
    func take(_ count: Int) -> Bool {
        left.withLock { left in
            left = left >= count ? left - count : -1
            return left >= 0
        }
    }
}

/// Certificates by subject, available until the budget is used up.
struct BoundedStore: CustomCertificateStore {
    private var bySubject: [DistinguishedName: [Certificate]]
    private let budget: SearchBudget

    init(_ certificates: some Sequence<Certificate>, _ budget: SearchBudget) {
        bySubject = Dictionary(grouping: certificates, by: \.subject)
        self.budget = budget
    }

    subscript(subject: DistinguishedName) -> [Certificate]? {
        get async {
            guard let found = bySubject[subject], budget.take(found.count) else { return nil }
            return found
        }
    }

    func contains(_ certificate: Certificate) async -> Bool {
        bySubject[certificate.subject]?.contains(certificate) ?? false
    }

    mutating func append(contentsOf certificates: some Sequence<Certificate>) {
        for certificate in certificates { bySubject[certificate.subject, default: []].append(certificate) }
    }

    static func == (left: BoundedStore, right: BoundedStore) -> Bool {
        left.budget === right.budget && left.bySubject == right.bySubject
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bySubject) }
}
