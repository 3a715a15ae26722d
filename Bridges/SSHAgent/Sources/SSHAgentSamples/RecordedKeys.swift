// SPDX-License-Identifier: Apache-2.0

/// Public keys, certificates and signatures of OpenSSH 9.2. `ssh-keygen` made the keys and the certificates,
/// `ssh-agent` the signatures: `signature_…` of the text `message to sign`, `session…` of session identifiers by host keys.
package enum RecordedKeys {
    package static let publicKey_ed25519 = bytes("AAAAC3NzaC1lZDI1NTE5AAAAIAch0tnOg58XLaf9/EjFRzfK9q5DUq5avyLU0ejn8l5z")
    package static let certificate_ed25519 = bytes(
        """
        AAAAIHNzaC1lZDI1NTE5LWNlcnQtdjAxQG9wZW5zc2guY29tAAAAIAUJNYqHyEtjW3Ztmj5W7i/oq+nO/pYCT8Vvpxfw2RX+AAAAIAch0tnO\
        g58XLaf9/EjFRzfK9q5DUq5avyLU0ejn8l5zAAAAAAAAAAcAAAABAAAACmlkLWVkMjU1MTkAAAAOAAAAA2FubgAAAANiZW4AAAAAAAAAAP//\
        ////////AAAAAAAAAIIAAAAVcGVybWl0LVgxMS1mb3J3YXJkaW5nAAAAAAAAABdwZXJtaXQtYWdlbnQtZm9yd2FyZGluZwAAAAAAAAAWcGVy\
        bWl0LXBvcnQtZm9yd2FyZGluZwAAAAAAAAAKcGVybWl0LXB0eQAAAAAAAAAOcGVybWl0LXVzZXItcmMAAAAAAAAAAAAAADMAAAALc3NoLWVk\
        MjU1MTkAAAAgC0Ed8vxn7Y3TyztYjgw8Ht2RRJ3RaQ573FSsg3xXEpwAAABTAAAAC3NzaC1lZDI1NTE5AAAAQL9tTlx+U9w2hwwd7U9LGNZz\
        XROAVo6AvsCmktUdk4cOQ7APK5cRhlNsCvsao3Olv4Txen+njvhOPjyZpb0lJgM=
        """)
    package static let publicKey_ecdsa256 = bytes(
        """
        AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBJWN+aSUYDAYHQn2oHTNiHXvrykr0eQUrrsVRCECBG7qi4LbRangwvJ3\
        crq+c3mTWXIHJmlaclVSGKwQUS58heA=
        """)
    package static let certificate_ecdsa256 = bytes(
        """
        AAAAKGVjZHNhLXNoYTItbmlzdHAyNTYtY2VydC12MDFAb3BlbnNzaC5jb20AAAAgAQ21Y0HibDNrlTxHncr51NnY8s2nRJJmA215iAPk6cIA\
        AAAIbmlzdHAyNTYAAABBBJWN+aSUYDAYHQn2oHTNiHXvrykr0eQUrrsVRCECBG7qi4LbRangwvJ3crq+c3mTWXIHJmlaclVSGKwQUS58heAA\
        AAAAAAAABwAAAAEAAAALaWQtZWNkc2EyNTYAAAAOAAAAA2FubgAAAANiZW4AAAAAAAAAAP//////////AAAAAAAAAIIAAAAVcGVybWl0LVgx\
        MS1mb3J3YXJkaW5nAAAAAAAAABdwZXJtaXQtYWdlbnQtZm9yd2FyZGluZwAAAAAAAAAWcGVybWl0LXBvcnQtZm9yd2FyZGluZwAAAAAAAAAK\
        cGVybWl0LXB0eQAAAAAAAAAOcGVybWl0LXVzZXItcmMAAAAAAAAAAAAAADMAAAALc3NoLWVkMjU1MTkAAAAgC0Ed8vxn7Y3TyztYjgw8Ht2R\
        RJ3RaQ573FSsg3xXEpwAAABTAAAAC3NzaC1lZDI1NTE5AAAAQA8eR9De32x7zh7O60z4qYHXzITb18rntSJsoeDqSpasjXjjoh3CeOE2G+v4\
        sUiltd99/CxBthHay1rLvmXd+wk=
        """)
    package static let publicKey_ecdsa384 = bytes(
        """
        AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBK9GWw1KQpbC4Pow98OMFj3kxxjh0e+P+F1iY1Usp0ScyfbbJgHMuBlO\
        9iPowCnuked4ciCjg+u7rCopHMrapnqPhB9PYHeJbLD8kZQjajNpET86QWBrvTdXQW6wm5T2vQ==
        """)
    package static let certificate_ecdsa384 = bytes(
        """
        AAAAKGVjZHNhLXNoYTItbmlzdHAzODQtY2VydC12MDFAb3BlbnNzaC5jb20AAAAg+wXZaFIMFsfRloVAH87b7wrrbkgKFdZ0KxfjSbFP+kIA\
        AAAIbmlzdHAzODQAAABhBK9GWw1KQpbC4Pow98OMFj3kxxjh0e+P+F1iY1Usp0ScyfbbJgHMuBlO9iPowCnuked4ciCjg+u7rCopHMrapnqP\
        hB9PYHeJbLD8kZQjajNpET86QWBrvTdXQW6wm5T2vQAAAAAAAAAHAAAAAQAAAAtpZC1lY2RzYTM4NAAAAA4AAAADYW5uAAAAA2JlbgAAAAAA\
        AAAA//////////8AAAAAAAAAggAAABVwZXJtaXQtWDExLWZvcndhcmRpbmcAAAAAAAAAF3Blcm1pdC1hZ2VudC1mb3J3YXJkaW5nAAAAAAAA\
        ABZwZXJtaXQtcG9ydC1mb3J3YXJkaW5nAAAAAAAAAApwZXJtaXQtcHR5AAAAAAAAAA5wZXJtaXQtdXNlci1yYwAAAAAAAAAAAAAAMwAAAAtz\
        c2gtZWQyNTUxOQAAACALQR3y/GftjdPLO1iODDwe3ZFEndFpDnvcVKyDfFcSnAAAAFMAAAALc3NoLWVkMjU1MTkAAABA9e+b2WTdkYubuo4C\
        HGJZA/NDwEmApyUs20Gv220P4SEbU+tuRosJcu+TtCDO+jJNn8/abe1xaSsiC0O/C3sFAQ==
        """)
    package static let publicKey_ecdsa521 = bytes(
        """
        AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBADbl//UrpID4x8GBs9iFDoIFvnx0WnUnSPfkTTFxfGvKkdC5vP4A6J0\
        a447RksiLRN3g6MTkHWVTtmu035EYY981QAUjkCflPWgQ3xo8t1fmFwAd27unaWbE4fvutY0e9P5lI+IE8GU9bROcv+jikaQUnS235o08qCc\
        Mftn7dXqZp/euw==
        """)
    package static let certificate_ecdsa521 = bytes(
        """
        AAAAKGVjZHNhLXNoYTItbmlzdHA1MjEtY2VydC12MDFAb3BlbnNzaC5jb20AAAAgphVPEFZa+L0ixbIX3fVFI1zYHv5l+n8K/JuiF7TfkDMA\
        AAAIbmlzdHA1MjEAAACFBADbl//UrpID4x8GBs9iFDoIFvnx0WnUnSPfkTTFxfGvKkdC5vP4A6J0a447RksiLRN3g6MTkHWVTtmu035EYY98\
        1QAUjkCflPWgQ3xo8t1fmFwAd27unaWbE4fvutY0e9P5lI+IE8GU9bROcv+jikaQUnS235o08qCcMftn7dXqZp/euwAAAAAAAAAHAAAAAQAA\
        AAtpZC1lY2RzYTUyMQAAAA4AAAADYW5uAAAAA2JlbgAAAAAAAAAA//////////8AAAAAAAAAggAAABVwZXJtaXQtWDExLWZvcndhcmRpbmcA\
        AAAAAAAAF3Blcm1pdC1hZ2VudC1mb3J3YXJkaW5nAAAAAAAAABZwZXJtaXQtcG9ydC1mb3J3YXJkaW5nAAAAAAAAAApwZXJtaXQtcHR5AAAA\
        AAAAAA5wZXJtaXQtdXNlci1yYwAAAAAAAAAAAAAAMwAAAAtzc2gtZWQyNTUxOQAAACALQR3y/GftjdPLO1iODDwe3ZFEndFpDnvcVKyDfFcS\
        nAAAAFMAAAALc3NoLWVkMjU1MTkAAABAzheIa5gDHRnVYm7IKDLVWg1oBcMWhxWUZTU01/kF+IBTGv2Wa6yl5AVYt0b5R4iHGSKaeAJ77hvf\
        YIMtsNMECw==
        """)
    package static let publicKey_rsa = bytes(
        """
        AAAAB3NzaC1yc2EAAAADAQABAAABAQCvUVM64B8W10MJh857pAsahI9Nb0WvkZd4uCZifvdYDZjShgDDU0qVN27JpUeTEogqjNDfgbTcHJwk\
        AH0w9Pvp2XloxGRP68NMNpJasKNZl4HhY/fLPYhasYUN2e7PGfswC8W+X+IaS+cvmSFIaqnf8uSpU4Sn14CKv54IGOUxf8U+lhQhuc6YFYfM\
        BO9Atk7GdOGuaTq53yeUhNgSYNKTGYx/EfnrUII9x4m2hy14FZUWpCKcUcnxEgX1SPGJmc6a/6C/WFmYV8XD/9FSxBDZ9oAfW2d4krq+mjjR\
        fIP0e7YJhZc1UK/hIQkHRO5cLXOd6to9r4TGlBn6ZVfdztIX
        """)
    package static let certificate_rsa = bytes(
        """
        AAAAHHNzaC1yc2EtY2VydC12MDFAb3BlbnNzaC5jb20AAAAgu1VP8NirfnOk3oeQNtDzXmlRO2UqLYsRTYZwJLls25UAAAADAQABAAABAQCv\
        UVM64B8W10MJh857pAsahI9Nb0WvkZd4uCZifvdYDZjShgDDU0qVN27JpUeTEogqjNDfgbTcHJwkAH0w9Pvp2XloxGRP68NMNpJasKNZl4Hh\
        Y/fLPYhasYUN2e7PGfswC8W+X+IaS+cvmSFIaqnf8uSpU4Sn14CKv54IGOUxf8U+lhQhuc6YFYfMBO9Atk7GdOGuaTq53yeUhNgSYNKTGYx/\
        EfnrUII9x4m2hy14FZUWpCKcUcnxEgX1SPGJmc6a/6C/WFmYV8XD/9FSxBDZ9oAfW2d4krq+mjjRfIP0e7YJhZc1UK/hIQkHRO5cLXOd6to9\
        r4TGlBn6ZVfdztIXAAAAAAAAAAcAAAABAAAABmlkLXJzYQAAAA4AAAADYW5uAAAAA2JlbgAAAAAAAAAA//////////8AAAAAAAAAggAAABVw\
        ZXJtaXQtWDExLWZvcndhcmRpbmcAAAAAAAAAF3Blcm1pdC1hZ2VudC1mb3J3YXJkaW5nAAAAAAAAABZwZXJtaXQtcG9ydC1mb3J3YXJkaW5n\
        AAAAAAAAAApwZXJtaXQtcHR5AAAAAAAAAA5wZXJtaXQtdXNlci1yYwAAAAAAAAAAAAAAMwAAAAtzc2gtZWQyNTUxOQAAACALQR3y/GftjdPL\
        O1iODDwe3ZFEndFpDnvcVKyDfFcSnAAAAFMAAAALc3NoLWVkMjU1MTkAAABA2D7Fwi8wAhHIEI4OmYcSj0qS3pSELGPw5CbfyPskMnmTQJfL\
        HfqJPYOo2TP7W3IW9Ov9uAmg1esPdkxI95tKBQ==
        """)
    package static let publicKey_securityEd25519 = bytes(
        """
        AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIMYMJ3NPdyaC1sukmGD+t5pwKxjPRdoBxcrmNBsrqbyKAAAABHNzaDo=
        """)
    package static let certificate_securityEd25519 = bytes(
        """
        AAAAI3NrLXNzaC1lZDI1NTE5LWNlcnQtdjAxQG9wZW5zc2guY29tAAAAIDN7WDoWOxTW7Jig9y8dI178SA+PpA5xB4v59ns+46ENAAAAIMYM\
        J3NPdyaC1sukmGD+t5pwKxjPRdoBxcrmNBsrqbyKAAAABHNzaDoAAAAAAAAAAAAAAAEAAAAFc2staWQAAAAHAAAAA2FubgAAAAAAAAAA////\
        //////8AAAAAAAAAggAAABVwZXJtaXQtWDExLWZvcndhcmRpbmcAAAAAAAAAF3Blcm1pdC1hZ2VudC1mb3J3YXJkaW5nAAAAAAAAABZwZXJt\
        aXQtcG9ydC1mb3J3YXJkaW5nAAAAAAAAAApwZXJtaXQtcHR5AAAAAAAAAA5wZXJtaXQtdXNlci1yYwAAAAAAAAAAAAAAMwAAAAtzc2gtZWQy\
        NTUxOQAAACALQR3y/GftjdPLO1iODDwe3ZFEndFpDnvcVKyDfFcSnAAAAFMAAAALc3NoLWVkMjU1MTkAAABAehTbMHWVL9wadE8hKLz4n9sx\
        RYiijMwN8cKt06OV79mGP9I93xoDxvxA0u+YFzsrQItBOnlBVRzlha3wHKHdDQ==
        """)
    package static let publicKey_securityECDSA = bytes(
        """
        AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20AAAAIbmlzdHAyNTYAAABBBGRk4H5/RMD6MaYZwxG7xoNvj1Ddu5HQp/qz\
        kRdU+5TEej2OJ7SP08+8k4PH9gWnIwLHxOH+zqjzrVXZn9OwX2IAAAAEc3NoOg==
        """)
    package static let certificate_securityECDSA = bytes(
        """
        AAAAK3NrLWVjZHNhLXNoYTItbmlzdHAyNTYtY2VydC12MDFAb3BlbnNzaC5jb20AAAAgk3gQOujkiyNA+hXugQoCCngwYKDpHojrlZqwXQvy\
        zqUAAAAIbmlzdHAyNTYAAABBBGRk4H5/RMD6MaYZwxG7xoNvj1Ddu5HQp/qzkRdU+5TEej2OJ7SP08+8k4PH9gWnIwLHxOH+zqjzrVXZn9Ow\
        X2IAAAAEc3NoOgAAAAAAAAAAAAAAAQAAAAVzay1pZAAAAAcAAAADYW5uAAAAAAAAAAD//////////wAAAAAAAACCAAAAFXBlcm1pdC1YMTEt\
        Zm9yd2FyZGluZwAAAAAAAAAXcGVybWl0LWFnZW50LWZvcndhcmRpbmcAAAAAAAAAFnBlcm1pdC1wb3J0LWZvcndhcmRpbmcAAAAAAAAACnBl\
        cm1pdC1wdHkAAAAAAAAADnBlcm1pdC11c2VyLXJjAAAAAAAAAAAAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIAtBHfL8Z+2N08s7WI4MPB7dkUSd\
        0WkOe9xUrIN8VxKcAAAAUwAAAAtzc2gtZWQyNTUxOQAAAEDIzMwwC+nN3shQTYa32WP8kszpJhLa2DteD/V1Lfe6G+e8rx0ID3zysBTKk7gk\
        3adLBB13m3ZBoOwbcf6bXXIK
        """)
    package static let signature_ed25519 = bytes(
        """
        AAAAC3NzaC1lZDI1NTE5AAAAQB2C03PRobvkVOULyUOzJ11JRVz/VoCzkvP8pg6IGQ1Mj5uliGyuVV/IF3eTWZJisWwfFdahXod3/0fKftjK\
        qQU=
        """)
    package static let signature_ecdsa256 = bytes(
        """
        AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAABJAAAAIQCjFYlzbTtLZTK0LifupyYXgC5zFUTq3ykC9lnzVufsTAAAACBJQqUVLa+zhPgWyY0z\
        baNcIdS3mLcwPZiyeOsPLuhhCA==
        """)
    package static let signature_ecdsa384 = bytes(
        """
        AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAABoAAAAMFqkZKy3sBQo7ca0apx0cmXibfVJ7P1DUr86B5rwTvpsj4pY6WoVXZRgrolyfUttwAAA\
        ADBOPmcKo8RpSBv3SKcU2mLANI99xX+iEYWm22xIuQ/+w9r9KunM5dXKxKihEIGTCHs=
        """)
    package static let signature_ecdsa521 = bytes(
        """
        AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAACMAAAAQgFtx+Rk5a9kJi8kb4vnT4NTd5TjqtprZNnfsHAu8EDOZlTPkILbe9FLJJ0uwSXHZKtZ\
        m7le6ML75mPz5onGR5vzYAAAAEIBHZyHTD7PRiWqnxhCCgenHPakC+1ARJ9FOyA27vthtZWs5DErhvM3nOEo7tLQ0TyZ+AdD3T23dNBNfskm\
        xMZDbzc=
        """)
    package static let signature_rsa256 = bytes(
        """
        AAAADHJzYS1zaGEyLTI1NgAAAQCOity5iBFqoA+QVKudG781UN33KjBc/nFFZpCMgaQMH2eKowhaBtY2pkZgbutN00IcuEk3XbO1aDSv2w6t\
        97JRUxtpv5+RY6nDYSOXw/SqQArz/63DgieeOAfELPn/VhUo8KmWTDJim+2cHlYF0A7CMT+xI/FI9XdCiACMJofU2vvoDBNdExfPyCIl1tVs\
        P4dr1eDdOlr9f8qo7TXkj/cX6q8kQwBsSMa6AjkssPtvTeLOqc5SzTG23nxyqAh5+yTEyhhqNgm8byY9LRDVnt+35VuPdkCBDpBbSpbe1FgW\
        PGjaUB6FBfc6OrH8DgldGL03SBZWNpkAnn7cKYmfs8dP
        """)
    package static let signature_rsa512 = bytes(
        """
        AAAADHJzYS1zaGEyLTUxMgAAAQAYuJIMHnMh6E1mpTkf/abaL+/JqhOm6r5YgDnQ6L9Pg0/TwfXZYWaorRRPiRuXwT6aZDWZp2dixTSE/Yt/\
        d8Vh/4u4Pc3MadOvW05V3YviifzFWZpT7I655fWonZ3y0oIcLlgq/VIspb4go6QCh1Hs+Q3N22Q7TMqcSfjCFSgTUWL0iY6dJmqp8fbnlV0u\
        lTuYvk0byN8EdKa1R7iZZPzxWnK+RmvHeQikspA83/DLHfsDS6dljM/SOJfJUKNFzAFgzhzgIC2jvNzuAXTFbG2AlSSWrAGQogrRaqo9Q2EP\
        OVYMzGO/9NefS0Ic9ExqGeEChWm18vq0GrB2Ss4eBQn+
        """)
    package static let signature_rsasha1 = bytes(
        """
        AAAAB3NzaC1yc2EAAAEAEM/1CuATpIjyDTQFULy7fGgOJ2CMQiMfOpFXN0MdfxlogoKgS4p6qOlvticxGtfExUagvb7eJAvqU+D+7qDlS+Zs\
        B6wCnYmnLyeP+b0zoQBY4iwrq2Eecfgj9r8Ri9BSrhspICvE2ViPiyAJNJgye7QJtc+M2tg0S4/GE7zelIOCQXQmOxwdkN3ypoOB4yrAv3Zj\
        TzpWxTjFNtvwWZGDo2+3dGoF8PCEIzRf7IaDH/uifbBiN5DiAAMhVYG3InnzFdQuQ+kE+YZkO90cnCa1ENdcbQPa2GGwgXvn1SFmQ+ax+4Wh\
        QJ0GSA6Zh1VGSbologuvkTstimQGU0q2vncfqQ==
        """)
    package static let sessionID1 = bytes("U0U6GcvH9gNR4TcJI3tgJQB7a/Wml0qrqgPV4Z6hraM=")
    package static let sessionID2 = bytes("8yJorDQXgsrHyJEYjhWtX6Zx1OVRgNLRgqVIRkEsOks=")
    package static let publicKey_host1 = bytes("AAAAC3NzaC1lZDI1NTE5AAAAIPna92gHPXSnaJWgT0kkX81Nz06Op97/Dddurexr5IHL")
    package static let session1_host1 = bytes(
        """
        AAAAC3NzaC1lZDI1NTE5AAAAQNugzy+0uFm9mJx93FyL3vhqdAMjW35nwTjxN7JyfWZJRd6ff7iC4NQnPTzF4ajHB0M52jlU0ElubWdjGdb7\
        AgQ=
        """)
    package static let session2_host1 = bytes(
        """
        AAAAC3NzaC1lZDI1NTE5AAAAQBfSB81AJ4uFTFpgwKXpHBWIfYmJLCp2o0IvC2vavaqtmYYKmQ+4K5PNLv5YAyCuvC+vPznQqUqMUHpWUnCh\
        IwA=
        """)
    package static let publicKey_host2 = bytes("AAAAC3NzaC1lZDI1NTE5AAAAIMNd0QPrnm4qBHqHE4WlYc2iFBMjBRe5AsdMaNTPCG0h")
    package static let session1_host2 = bytes(
        """
        AAAAC3NzaC1lZDI1NTE5AAAAQH7tlbzEpLBU/4NuHXl/Esg4ffwvpy9yAgCicPfHWKFD7C5ygUUKxzxOMb+uDV8th5I9ThWLiIzHv8kCGHps\
        Cg4=
        """)
    package static let session2_host2 = bytes(
        """
        AAAAC3NzaC1lZDI1NTE5AAAAQC1NkJcK9tVR7AnxsYkEynd0+nCXlqyUEEc6fCrqx5eIYzcb98MESdhhxiZCPj53Qj2dWoZWAL2xLELyMmbF\
        Lw8=
        """)
    package static let publicKey_host3 = bytes("AAAAC3NzaC1lZDI1NTE5AAAAIMYMJ3NPdyaC1sukmGD+t5pwKxjPRdoBxcrmNBsrqbyK")
    package static let session1_host3 = bytes(
        """
        AAAAC3NzaC1lZDI1NTE5AAAAQE8r46iW+uxRv1Vt7X6oNBfGFXL8bE9wFszHyVmmvVzrN6YHkunph8OCwxgO2g8d0T85k95n9k9R2N247UC3\
        yw4=
        """)
    package static let session2_host3 = bytes(
        """
        AAAAC3NzaC1lZDI1NTE5AAAAQEWDkGR4uIlMvT8YznmLw3XHygQxRul3rywCpZXnu7povjPRnSdKcdhsTbG23RZqKmF/HZhU2retHPLCTmwi\
        Egk=
        """)
    package static let publicKey_hostc = bytes(
        """
        AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBGRk4H5/RMD6MaYZwxG7xoNvj1Ddu5HQp/qzkRdU+5TEej2OJ7SP08+8\
        k4PH9gWnIwLHxOH+zqjzrVXZn9OwX2I=
        """)
    package static let session1_hostc = bytes(
        """
        AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAABJAAAAIQCCC7VcwKKoOVHK0l6C3QTWE8grZbULvEN5QacQgTebhAAAACASYhIySyFx3EYyhkEe\
        XkDnOxLWmW29L0cUdffzRKodeA==
        """)
    package static let session2_hostc = bytes(
        """
        AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAABKAAAAIQDk78AVc31m1SjzXAB7lTNtfji9yact+XZhDjB0yWWotQAAACEAhsGVrtcT0r8ISACn\
        YiAMmHePahpvJLTTkt0ApKKzJLk=
        """)
    package static let certificate_hostc = bytes(
        """
        AAAAKGVjZHNhLXNoYTItbmlzdHAyNTYtY2VydC12MDFAb3BlbnNzaC5jb20AAAAgpU0Hm9QC7LzsL2/Qrqj/9LA93+/+2YZkQJiYZ+cHd2EA\
        AAAIbmlzdHAyNTYAAABBBGRk4H5/RMD6MaYZwxG7xoNvj1Ddu5HQp/qzkRdU+5TEej2OJ7SP08+8k4PH9gWnIwLHxOH+zqjzrVXZn9OwX2IA\
        AAAAAAAAAAAAAAIAAAAIaG9zdGMtaWQAAAAcAAAACWMuZXhhbXBsZQAAAAsqLmMuZXhhbXBsZQAAAABeC+EAAAAAAHDb2IAAAAAAAAAAAAAA\
        AAAAAABoAAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBOR2/3cRdgND4Pjn3JpqIKCwLiG5FjgXqVbL+8vkci7hPuG5\
        Z/uR1KOrm0SdZcLhYkG6TKDqhxDoLD+nfta8JwUAAABkAAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAABJAAAAIQDwc9TR4gm2s79CsVTbnMpg\
        8UrDlxu7ADPLsggnewrDWQAAACAmO5s8dwIE1GqIF5c2LlSAqNPiwc07F7tTpEstYbeSrQ==
        """)
    package static let certificate_hostrsa = bytes(
        """
        AAAAHHNzaC1yc2EtY2VydC12MDFAb3BlbnNzaC5jb20AAAAg0zggeShyAfiJ0/zPzlQ8uH4hqgMzI/mTyPi+Z2SVZ3MAAAADAQABAAABAQCv\
        UVM64B8W10MJh857pAsahI9Nb0WvkZd4uCZifvdYDZjShgDDU0qVN27JpUeTEogqjNDfgbTcHJwkAH0w9Pvp2XloxGRP68NMNpJasKNZl4Hh\
        Y/fLPYhasYUN2e7PGfswC8W+X+IaS+cvmSFIaqnf8uSpU4Sn14CKv54IGOUxf8U+lhQhuc6YFYfMBO9Atk7GdOGuaTq53yeUhNgSYNKTGYx/\
        EfnrUII9x4m2hy14FZUWpCKcUcnxEgX1SPGJmc6a/6C/WFmYV8XD/9FSxBDZ9oAfW2d4krq+mjjRfIP0e7YJhZc1UK/hIQkHRO5cLXOd6to9\
        r4TGlBn6ZVfdztIXAAAAAAAAAAAAAAACAAAACnJzYS1zaWduZWQAAAAPAAAAC3JzYS5leGFtcGxlAAAAAAAAAAD//////////wAAAAAAAAAA\
        AAAAAAAAARcAAAAHc3NoLXJzYQAAAAMBAAEAAAEBAKqmwQasL4FYdDUSNkf3kLz0UC211EW5S+i16ByN6Jtj7ynTdn0o8AJWXKFrbd5Sya0Q\
        b67FY8BiAJ3tSUPhrw/uBlxy4rG0q1wvDcFVCchzXa6TC5yAOyU/oNk2I53uUeuTF0nOVHRd8dbAiY3SGgsLZJWxuhWJe7ms484hyljVNg9n\
        V2u9y2mr9y7/uGPXDOALuJd/KZWGTC91vdzxNghseTZ8ygiVsgQPJdol7TUIFaQF0ALSY92fk2v+GVWCbkL0SW250ET/rtpQmDzjOM3dTrj7\
        thpfxbxv4KBEDTOry7T/HHF8u5YkcFSnf2mJqFC3c+uU8uzWO0AB/KPIpKUAAAEUAAAADHJzYS1zaGEyLTUxMgAAAQB+c7/zlukd1KMNI/gs\
        AGcKxFjjnteZgt4YjLOgt0Sl90Gr9MwZQkOW6E1hXvOUgAlgUTCYbp0mHlUtsf2cMLB1k7CBFMfp0sd6VxbfkYoiACw3ZCw0xCiRiQZtHePG\
        tj/LG614bA1MVfdRHtFfzUhRgkFJrPWxg8uwHWvDnPYKJpIvbO1hxWq+fa9lY9aqXoWFtVyPvHcFNSwogzGDe1MFnFtsOLeFg/vUj9Xn9pzJ\
        I7NC7Z+YvrBpfyJH+otGSx5njyvw16S4DioZxKhIbtXeXUjFdCS8I3n+dplfTbkHS39jn7C4jq1rcWrqODnyrCnDJbof0+2nNkQ5uRjFLmss
        """)
    package static let session1_hostrsa = bytes(
        """
        AAAADHJzYS1zaGEyLTUxMgAAAQAADEU/N0CaC2EK0CZIuJ8eRaRV1RPPFr3lrSZoiPlr/rWvSY9DcU1YesRjvZbk1n5soFWt29hnkcDBP8Ej\
        xrWIxmEZ++r1/B9b6fHaHZJ6JokOxBbV+W5ORmTpu9t8WKqaAHTQuq3BAvy2Jf8KAIKNbfWR6Vw4VR/MWDOGO663OvqfCcjBAtShdvvpjUGq\
        fWtoLlmIf5mt8vyQTrZAFyoGf0Ql23lCGjQcl/bNQvgyroEu/IF1KHDQlNPXxOMhGDD92icjAQJoYIJVwaaP4bk03yhVv3WZ4rucCUzXIci8\
        edqPsMBIRIu31ZWJoUGsC/UPd6H+FrCJK0GUqycd06T5
        """)
    package static let publicKey_userca = bytes("AAAAC3NzaC1lZDI1NTE5AAAAIAtBHfL8Z+2N08s7WI4MPB7dkUSd0WkOe9xUrIN8VxKc")
    package static let publicKey_hostca = bytes(
        """
        AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBOR2/3cRdgND4Pjn3JpqIKCwLiG5FjgXqVbL+8vkci7hPuG5Z/uR1KOr\
        m0SdZcLhYkG6TKDqhxDoLD+nfta8JwU=
        """)
}
