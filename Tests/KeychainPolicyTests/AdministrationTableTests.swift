// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

/// The operations with a keychain as a whole and their proofs: every operation, caller, kind of proof and state.
struct AdministrationTableTests {
    private static let operations: [Administration] =
        [
            .unlock, .lock, .verify, .setPasscode, .removePasscode, .removeProtector, .listProtectors, .readSettings,
            .changeSettings, .loosenSettings, .acceptContents, .readTokens, .moveDeviceKey, .openDeviceKey,
            .readFigures, .listGrants, .revokeGrants, .listTeams, .trustTeam, .distrustTeam, .listDevelopmentFolders,
            .trustFolder, .revokeFolder, .backUp, .backUpPortable, .restore, .restorePortable,
        ] + ProtectorKind.allCases.map { .addProtector($0) }

    private static let program = Caller.program(["a"], tier: .enforced)

    private func reason(
        _ caller: Caller, _ action: Administration, _ proof: ProtectorKind? = nil, isProtected: Bool,
        _ authorization: OwnerAuthorization = .notNeeded
    ) -> Refusal.Reason? {
        do throws(Refusal) {
            try AdministrationPolicy.check(
                caller, action, proof: proof, isProtected: isProtected, authorization: authorization)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `what loosens a protection takes the owner's proof where a passcode is set`() {
        // Each of these has its own secret in the request: the secret that opens the keychain.
        let withTheirOwn: [Administration] = [.unlock, .openDeviceKey]
        for operation in Self.operations where operation.rule.effect == .loosens && !withTheirOwn.contains(operation) {
            for caller in [Caller.administration, Self.program] {
                #expect(reason(caller, operation, isProtected: true) != nil, "\(operation) without a proof")
                // It opens, but lies in a file of the machine.
                #expect(
                    reason(caller, operation, .credential, isProtected: true) != nil, "\(operation) by a credential")
            }
            #expect(reason(.administration, operation, .passcode, isProtected: true) == nil)
            #expect(reason(.administration, operation, .recoveryKey, isProtected: true) == nil)
        }
    }

    @Test func `what loosens a protection takes the owner's authorization where no passcode is set`() {
        // It opens with its PIN. A backup of such a keychain opens on this device alone.
        let others: [Administration] = [.openDeviceKey, .backUp]
        for operation in Self.operations {
            let reasons = [OwnerAuthorization.missing, .given, .impossible, .notNeeded].map {
                reason(.administration, operation, isProtected: false, $0)
            }
            guard operation.rule.effect == .loosens, !others.contains(operation), !operation.rule.needsPasscode else {
                #expect(Set(reasons).count == 1 && !reasons.contains(.authorizationNeeded), "\(operation)")
                continue
            }
            #expect(reasons == [.authorizationNeeded, nil, nil, nil], "\(operation)")
            // The owner gets no prompt for an operation that another program may not perform.
            #expect(reason(Self.program, operation, isProtected: false, .missing) == .administrationOnly)
        }
    }

    @Test func `the owner is prompted in a user service for what opens all secrets, or takes any program's items`() {
        let prompted = Self.operations.filter { $0.rule.isPrompted }
        #expect(prompted == [.loosenSettings, .backUpPortable, .restorePortable])
        #expect(prompted.filter { !$0.rule.needsAuthorization }.isEmpty)
    }

    @Test func `where a passcode is set an authorization neither helps nor is needed`() {
        for operation in Self.operations {
            for proof in [nil, ProtectorKind.passcode] {
                let reasons = [OwnerAuthorization.missing, .given, .impossible, .notNeeded].map {
                    reason(.administration, operation, proof, isProtected: true, $0)
                }
                #expect(Set(reasons).count == 1 && !reasons.contains(.authorizationNeeded), "\(operation)")
            }
        }
    }

    @Test func `a login password proves the owner for another login password alone`() {
        for operation in Self.operations where !operation.rule.proof.isEmpty {
            let reason = reason(.administration, operation, .loginPassword, isProtected: true)
            #expect((reason == nil) == (operation == .addProtector(.loginPassword)), "\(operation)")
        }
    }

    @Test func `without a passcode, where nothing can be proved, programs loosen and lock out nothing`() {
        for operation in Self.operations where operation.rule.effect == .loosens && operation != .openDeviceKey {
            #expect(reason(Self.program, operation, .passcode, isProtected: false) != nil, "\(operation)")
        }
    }

    @Test func `what tells of other programs and of the owner's secrets is the command's`() {
        for operation in [
            Administration.listProtectors, .readFigures, .listGrants, .revokeGrants, .listTeams, .distrustTeam,
            .listDevelopmentFolders, .revokeFolder,
        ] {
            for isProtected in [true, false] {
                #expect(reason(.administration, operation, isProtected: isProtected) == nil)
                #expect(reason(Self.program, operation, isProtected: isProtected) == .administrationOnly)
            }
        }
    }

    @Test
    func `an application in a sandbox unlocks the keychain and reads what everybody reads, and does nothing else`() {
        let application = Caller(
            userID: 1, processID: 1, tier: .interpreter, identity: .application(name: "flatpak:org.example.Mail"),
            accessGroups: ["flatpak:org.example.Mail"], displayPath: "flatpak:org.example.Mail")
        let allowed: [Administration] = [.unlock, .verify, .readSettings, .readTokens, .openDeviceKey]
        for operation in Self.operations {
            let reason = reason(application, operation, .passcode, isProtected: true)
            #expect((reason == nil) == allowed.contains(operation), "\(operation)")
        }
        for isProtected in [true, false] {
            #expect(reason(application, .lock, isProtected: isProtected) == .sandboxedApplication)
        }
        #expect(reason(application, .setPasscode, .passcode, isProtected: true) == .sandboxedApplication)
    }

    @Test func `each program may lock and read the settings that are everybody's, and an unidentified one nothing`() {
        let stranger = Caller.program([], tier: .unidentified)
        for operation in Self.operations {
            #expect(reason(stranger, operation, .passcode, isProtected: true) == .unidentifiedCaller)
        }
        #expect(reason(Self.program, .lock, isProtected: false) == nil)
        #expect(reason(Self.program, .readSettings, isProtected: true) == nil)
    }
}
