// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// Decodes a text in base64 (RFC 4648, 4); nil for anything else.
func base64(_ text: some Collection<UInt8>) -> [UInt8]? { Data(base64Encoded: Data(text)).map(Array.init) }

func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
