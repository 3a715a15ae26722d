// SPDX-License-Identifier: Apache-2.0

import Testing

/// An RSA key of 2048 bits that OpenSSL made for these tests, and what OpenSSL's command made with it of the message
/// "message".
enum TestKey {
    /// RSAPrivateKey in DER.
    static let privateKey = bytes(
        """
        308204a20201000282010100cb30f206e0d50416ea3b041649451c7191614ee5a3a6182833e89f8ecbdcdf2fa1e914034ee3ae4f9b9f
        00a3c213f1cf9c3289bc23e22f34c9537b4cd44290317838091fd3241351f94138399aa4e7448ea7a5abcb1be24da912774b871666d1
        1aa64266edcafcdbdd60400c0de078498b768f904d0a08e08f05e45cc354e4da77e4cf17db07b5fc03092fb2471f16a517361af8df7a
        9c1a29bc645fcbcaa6e04238474d24e64939cc7d85d1eace215e31992fa9071f92cf9a293b817e62a3f117a1ba5da3ac427ecfabe8d1
        ac10888117256fa275e367569c85b8aaa161b391669ed795eadfec3ad25622fcf6d8fdc97c869cddbba52afe34e8a756361a72910203
        010001028201001b1cbd12b361e11190b00ebfcd8789ffd262fe54d0750b70a3da849dd870709c69b990c8cf383cac552ace7a4b5d7f
        6cd11e0238673e5947ad1c754d9f5e016104764fab5e30485eae086890f124535297c961670eab3a135c3dc14ac3ebf68cacc6660257
        74f82ffb364a5d8165840f662b4c05386e60185ca52fdf3bd622521266b90765544bf2d8decc9d471403e781c52931b532477b97a994
        16ec5669de4093f2f1003b86b406e02d721ab2ec7a7355e20fb7bb35c5398f82aec5659bee5f7bdf739cde4c64423b51710221435456
        1bc8e682a2c486e87b3ea5d58807b236cdf75b80125366b630e4c750e4e0116dbd72d47854cc2677eba9aa8aea3d5502818100f254a4
        1b3503995c9c2713f472bb7ca4fb77b4ec988a2be2f490e3fa68b0d3328419422b0376d32873aa915a96425f3020de46dd2d17dc4d7f
        9252103c3fac56154d6b5df2fe01146be4f7a4a35e52c3127636e657a2b39a7179b4ffef581b17c0239ab0691091f1174f11564d3222
        5be4901700eb3aa014d2b93af8eeadc1c502818100d6a71d300f1d2b8e4dae4547b3580f7e6a935bc8a05fb2eddcec737a80ede4e6e9
        118f78f08d9bd4a1008e3749a02a4514aa450b96bacd0799fa93ec3973ec93a80458bba937de4a2d38b0f3c902254d35c46c6ec23a14
        cc28c24fbc1bd17be55bf8d4360d1aa7c50e0e0f2633425f70d94568abb559e866644be7b154e5b65d0281805931a23d8963cbbcf494
        c59981e954557d61702c6d70ddfa693e334b65e13fbb26380dccbb37af3d0265d39e5e140be9310fdf51655994f2c973d7d4b5f851bc
        5596eb5fe7226acf536f315f5dea47d819217dcf868e1241546711a1ea3ca9ac3242689b69f079671dc732806b657a940c2aa4ece7a7
        ea67ffafc1ef021ade6902818075ee1e651708a9b3670e45d5dcbc96d6976b1a542178326fe89ea7db38167b5a39d68202a9f6c31490
        d8234a50d304262bf25838c3b92187f99ae7c632d273b9b3e79f708ac9bd00f7d35bb4b44ccf7d99faaeb0335981afa0fd109d829317
        04ae01096620d0f2379b3f322784a60495956942d683ae3fb671881a651d058fa90281804b04c60703d5582b5b167bb69bcd59dff549
        20254cf21414b967ddba6deb8f828800230c003d18af162cec27a902073b50dec549dbb070031c0b086c28edec6da04aa1fc90f93c06
        e18b9c44d1508c63e3c48796bcbea530dcb6c9371a45bc8cdc2bc4e81e2f4995f8760420ded406d65ff32675bbb50e14349a50c8df89
        bd6f
        """)

    /// RSAPublicKey in DER.
    static let publicKey = bytes(
        """
        3082010a0282010100cb30f206e0d50416ea3b041649451c7191614ee5a3a6182833e89f8ecbdcdf2fa1e914034ee3ae4f9b9f00a3c2
        13f1cf9c3289bc23e22f34c9537b4cd44290317838091fd3241351f94138399aa4e7448ea7a5abcb1be24da912774b871666d11aa642
        66edcafcdbdd60400c0de078498b768f904d0a08e08f05e45cc354e4da77e4cf17db07b5fc03092fb2471f16a517361af8df7a9c1a29
        bc645fcbcaa6e04238474d24e64939cc7d85d1eace215e31992fa9071f92cf9a293b817e62a3f117a1ba5da3ac427ecfabe8d1ac1088
        8117256fa275e367569c85b8aaa161b391669ed795eadfec3ad25622fcf6d8fdc97c869cddbba52afe34e8a756361a72910203010001
        """)

    /// `openssl dgst -sha224 -sign`.
    static let signature = bytes(
        """
        42321722640703c87fb9252557092373d5fe2cd380da07510f61b093226825b91ac1db4298801bd444993767e7e513d9b5b0f43f665d
        61c260dbd86818139fe586ddc6c3177e343a6b75fbb8bbec8565f888f0d62e8345bcb5e3af8e5b7c31971ce699b693e5336c27bf5ae8
        9faf6c6ef1ed6fe5d261830109d1033c0a98eadca708bc4ce05f016556bc8ccc742616112ea24f61192b60131085eb242f8d72767ac6
        e921b5d33ada7e84b51a7f55dd292d7a34484b7ef3f9fc0297e634cf522415dd5951a73d30ea917946d77777b9a5ff6dbab525fb18ee
        b7649693dd4b680f6929e9d1177c3ff9079aa70cc394869ffad6982f1677a5d7eae1ef63dd8c0eda
        """)

    /// `openssl dgst -sha224 -sign -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest`.
    static let pssSignature = bytes(
        """
        947e3d2a1610889e1c55c8e0daff8acad7cff79472847120dc44654dfb4ebcefa7bf17778b48419ba04e2ce8100d2c58dd15965eb111
        c2b8eea728357bdfdf6e0fa0c6c53606dc14b790115590f1557bbb3789cf4ab0baff2b374e819d9f11ed02678ddc39abe4bbc91d9399
        2565a0e8b98f26e185174d52f0d852e526e3285a13d730ed433d74dcb6a76f35ba104b2e1e4d284192a702756f96e4c3ec54d0cddf3d
        3cd80fa03ff789ecb17829e34ffe77e8de046cafc458b9c1bc3bc374ce2e7a92817c3ef323bd134bf1911e3ba96cf668c60e6705997b
        446e36d9b9e3c46bf0097a2037300e334a18dcacc90602ffa0e967fe7cb5333bc277eefde802cb1f
        """)

    /// `openssl pkeyutl -sign` without a hash.
    static let paddedSignature = bytes(
        """
        56babb9ea5ad3bf4e05b16c911d27785cbb0e5534832b2d03bd5555c38398be871e66f4d8e1e30612f27244223f4b8ff453f9c803b4e
        0fbfd15de6bcc453ef0f280595c9e03906cba0a0405734cb66578d0ea6e0ef8e5a69cbb8aee316e4a5b8d9a08ebd5b471f9d2e726c89
        af8b1e4ff709d0035ba2f13d09ca38cb40c06f2b15f85d2c7db17de934ce262508369035bedbd46f9df49af740318a132819b7de6fec
        608be79ad12b2fa7297ba55628e35414eebbe43d903c02172f0607fdab638ade6369d4c60b3a20bfd52cc8b5e343f8a9a908ebe538e7
        262351c6be2a01907a9e8d24e05ed003a5b0398ff926361a6e1e2762906d1660fc16056b7c07c112
        """)

    /// `openssl pkeyutl -encrypt -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha224`.
    static let oaepSHA224 = bytes(
        """
        5b4ed7dd5bdab9fa9ed27288e37607b48af28f3c1c7f78acf9d27f013e9f6445a2b035e2166d95bb4ac01fce92b7c0dc624a386d3148
        188709ee3d023c33071eb41abb4ca069e152643e7186ae1aad386ba837b92593c738087266436f36a4da1334ca94dc1c37bb20007612
        e5f38e4b667f6ce3dd9105b799682472b9a2b881c49566a3b902215033110aec6fc550bde8a26ba57049e7dbf0830d29ed01fb26d786
        8f9bb0cbe61d5576a5beb11e63774d3c40ca9a77647716e2ff19dfdb5e84f6efd2e481c8e9a6c81d5033aa7b06369f908865f35c1c12
        519bbb75a630364baf5aebc289e5e4f625bc4b5bcc531ff2a46a12c8b39598caf0ba3a28e56dedb3
        """)

    /// `openssl pkeyutl -encrypt -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha384`.
    static let oaepSHA384 = bytes(
        """
        77fdf5e7364c1a6bab633f2a82af46bd93dd9c8ce247163721706844bb0d875a86073035fd6a00315ef73536c4ce408d6fdb35150bb5
        98807275d2dfc42062b2ddfbbb5964d692e9548f4776aa178c71aad140e943565ef7186cc8be796b6689d8563d07546c8bfd84b860b3
        f8f6d29a2a2d4184fff8b533949da1cb213ba2dad7ba022404840b464c5363700c20b0bef42b9045d14e9194672b238b126116804dca
        b3ffa09691202bbdf46f80981473fbf69ec804a486846a1503da1358122e08060d99f7c261bc9ac48e6cc0aff1b9ae5cf2964b6d7418
        c081b52ddc7fc55b96472efb8473aa10e2ee9ca46bc7853a3bf63ae10de43998245ab139bb2c70a2
        """)

    /// `openssl pkeyutl -encrypt -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha512`.
    static let oaepSHA512 = bytes(
        """
        c94515887cb0589a99a61a0ab2061c275b57f5ea4ad0d007549ed7b460246580ca51ce1e93294b9589dd08455469f7e1801720bda16c
        b78e50831c00666a1612b2b57ae45b7cfc6c565357220ec2b0191484caf8922913c5291c0c6a0f446b9d779898dcda30d9a49781c29d
        3e679a1dfc22e93f7d22bfde7447a32e4543144b55deab2e3d00cb523831364928c8f49535edcd0fb4ec02868e7883c2a0f9f620bc6c
        f9dfa4ac70c531a2e711250ab724e882321fa4979dcacf7ea9eb92817e472c37bece7f2182f2adbecfdba2f1691a3f58aeb81d41f7ab
        7f10749431bf7ef34ae7f6e0a88b085c904d32615668d1128da63c062cc92a7bc805e9aadf0fe461
        """)

    /// PrivateKeyInfo of Ed25519, the plaintext of the following.
    static let clear = bytes(
        "302e020100300506032b6570042204207400ca63286e59961ad15a384c584cd4ff121848c1f4e23bff521e8be4d513ce")

    struct Encrypted: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let passphrase: String
        let algorithm: [UInt8]
        let ciphertext: [UInt8]
    }

    /// `openssl pkcs8 -topk8 -v1 NAME -legacy`, and `-v2 des3`.
    static let encrypted: [Encrypted] = [
        Encrypted(
            testDescription: "PBE-SHA1-3DES", passphrase: "Wört",
            algorithm: bytes(
                "301c060a2a864886f70d010c0103300e04087e66c64dba8d4b6d02020800"),
            ciphertext: bytes(
                "59f4424f50cf625bb37953d66861d8496e236450d3e9219accdd8d9a3c6c85c0f6a53dad0e35ac617ab21464cbb7"
                    + "43d3bbd9ae91c208e4a2")),
        Encrypted(
            testDescription: "PBE-SHA1-3DES with an empty passphrase", passphrase: "",
            algorithm: bytes(
                "301c060a2a864886f70d010c0103300e04084470a905e7b76c7002020800"),
            ciphertext: bytes(
                "4619936f2981f15205e3becbf6bdc9b8d569821047fa14798c3c65ddaa30524ef6c8f9770870a67af4a4a40ec14c"
                    + "cd14727fd8f8f6185c48")),
        Encrypted(
            testDescription: "PBE-SHA1-2DES", passphrase: "Wört",
            algorithm: bytes(
                "301c060a2a864886f70d010c0104300e040848c287c2c8da34e602020800"),
            ciphertext: bytes(
                "f63387f9856b4dca7e7e5dd2c4a7471a250a48c176ce0643a6ca7950690ba6be785d92a03215e964068fba29a5cf"
                    + "396d68d9a360e195c64b")),
        Encrypted(
            testDescription: "PBE-SHA1-2DES with an empty passphrase", passphrase: "",
            algorithm: bytes(
                "301c060a2a864886f70d010c0104300e04085007d90d96d05acf02020800"),
            ciphertext: bytes(
                "2b7b596336b7371db719b6f35549ffbdb7ae0b841e7bbde571c23cce938d37314ce8bca9e9b293d6b79fcbabbd43"
                    + "d39a0ad6ef8f9f8dbf9a")),
        Encrypted(
            testDescription: "PBE-SHA1-RC2-40", passphrase: "Wört",
            algorithm: bytes(
                "301c060a2a864886f70d010c0106300e04084810d4a206d9d94402020800"),
            ciphertext: bytes(
                "e0a928abd3a4dd649beaaab8aef615e3b5619c62bef0be7e03db3a63e1b42c78414c32d62c92667b4e6bc9cb3211"
                    + "03c31a183911c7061209")),
        Encrypted(
            testDescription: "PBE-SHA1-RC2-40 with an empty passphrase", passphrase: "",
            algorithm: bytes(
                "301c060a2a864886f70d010c0106300e0408767e5d5bdf9d777202020800"),
            ciphertext: bytes(
                "3cb05e521532be2a783410d438c92795e10b2bb7320c30c931ce79c155d6e44ba7ab0b9d281a7be3559d459221c8"
                    + "a15a87a822a8f46dcdec")),
        Encrypted(
            testDescription: "PBE-SHA1-RC2-128", passphrase: "Wört",
            algorithm: bytes(
                "301c060a2a864886f70d010c0105300e04088041c3bfe9846ef602020800"),
            ciphertext: bytes(
                "1447b528f8164604f217e090417c331c4b303f73738d01cf97bb3af2ef18eaf7f4484164f2ce3b3a59a5d1c5b5ba"
                    + "cf12b047cb7f0bf80082")),
        Encrypted(
            testDescription: "PBE-SHA1-RC2-128 with an empty passphrase", passphrase: "",
            algorithm: bytes(
                "301c060a2a864886f70d010c0105300e0408e3fe98d40fde25ad02020800"),
            ciphertext: bytes(
                "4941042ef426c67135331353b1afe0b7024dfac05847fb168a46ba1743b2261e5598f85a29a8fd182c9d3e2d1622"
                    + "1e0b355fee3440731127")),
        Encrypted(
            testDescription: "PBE-SHA1-RC4-128", passphrase: "Wört",
            algorithm: bytes(
                "301c060a2a864886f70d010c0101300e0408423398a32ce3c08702020800"),
            ciphertext: bytes(
                "92da4366a48aaf81ec906c6452258bc0f7ef709496691ac48c46c0d52a56c4633766ee5b6bee4295994208d44311"
                    + "79d7")),
        Encrypted(
            testDescription: "PBE-SHA1-RC4-128 with an empty passphrase", passphrase: "",
            algorithm: bytes(
                "301c060a2a864886f70d010c0101300e0408e61eb6e2fe73bbe502020800"),
            ciphertext: bytes(
                "f8851caf5539d16093a59b0048f622a7b4d741ddd0de850c09e9e3214c6d5d88c4336e8c13d90120253e0ea2825a"
                    + "a7f9")),
        Encrypted(
            testDescription: "des3", passphrase: "Wört",
            algorithm: bytes(
                "304e06092a864886f70d01050d3041302906092a864886f70d01050c301c04083d52b7bab05b3be702020800300c"
                    + "06082a864886f70d02090500301406082a864886f70d03070408459d45eb96491e3b"),
            ciphertext: bytes(
                "3bc2aade8fbe36a53def170bc80ad3669497c2a3f942ddd32db821371cafba11ad7acb49de54d5dc6d34152acc7f"
                    + "47db374ac72445fb67ec")),
    ]

    static let message = Array("message".utf8)

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
