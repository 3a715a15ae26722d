// SPDX-License-Identifier: Apache-2.0

internal import CWipingAllocator
internal import KeychainHelperWire
internal import KeychainPlatform
internal import TPM
internal import TPMDevices
internal import TokenConversation

/// The main program: keeps private keys for the keychain service in a TPM 2.0. The service starts it.
@main struct TPMTokenProgram {
    private static let usage = """
        usage: chatelaine-token-tpm DEVICE

        Keeps private keys for the keychain service in a TPM 2.0. DEVICE is /dev/tpmrm0, or the Unix socket of a software TPM.
        The keychain service starts this program; do not run it by hand. See chatelaine-token-tpm(8).
        """

    static func main() {
        TokenConversation.harden()
        switch Array(CommandLine.arguments.dropFirst()) {
        case ["--help"], ["-h"]: print(usage)
        case let words where words.count == 1 && words[0].hasPrefix("/"): serve(words[0])
        default: StandardError.write(usage)
        }
    }

    private static func serve(_ path: String) {
        // The link to this function makes the program overwrite freed memory.
        _ = cwa_is_wiping()
        let device: TPMDevice
        do throws(TPMTransportError) {
            device = try TPMDevice(path)
        } catch {
            TokenConversation().run { _ in (.failure(TokenError(.unavailable, error.text)), false) }
            return
        }
        TokenConversation.confine()
        let token = TPMToken(
            device, place: path, random: { RandomSource.live.bytes(16) }, pause: { TPMDevice.pause() })
        if device.isOwn { token.removeLeftovers() }
        TokenConversation().run { token.answer(to: $0) }
        token.end()
    }
}
