// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// The values of kSecAttrProtocol: the protocol an internet password is for. Each is a four-character code.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

@safe public nonisolated(unsafe) let kSecAttrProtocolFTP: CFString = "ftp "
@safe public nonisolated(unsafe) let kSecAttrProtocolFTPAccount: CFString = "ftpa"
@safe public nonisolated(unsafe) let kSecAttrProtocolHTTP: CFString = "http"
@safe public nonisolated(unsafe) let kSecAttrProtocolIRC: CFString = "irc "
@safe public nonisolated(unsafe) let kSecAttrProtocolNNTP: CFString = "nntp"
@safe public nonisolated(unsafe) let kSecAttrProtocolPOP3: CFString = "pop3"
@safe public nonisolated(unsafe) let kSecAttrProtocolSMTP: CFString = "smtp"
@safe public nonisolated(unsafe) let kSecAttrProtocolSOCKS: CFString = "sox "
@safe public nonisolated(unsafe) let kSecAttrProtocolIMAP: CFString = "imap"
@safe public nonisolated(unsafe) let kSecAttrProtocolLDAP: CFString = "ldap"
@safe public nonisolated(unsafe) let kSecAttrProtocolAppleTalk: CFString = "atlk"
@safe public nonisolated(unsafe) let kSecAttrProtocolAFP: CFString = "afp "
@safe public nonisolated(unsafe) let kSecAttrProtocolTelnet: CFString = "teln"
@safe public nonisolated(unsafe) let kSecAttrProtocolSSH: CFString = "ssh "
@safe public nonisolated(unsafe) let kSecAttrProtocolFTPS: CFString = "ftps"
@safe public nonisolated(unsafe) let kSecAttrProtocolHTTPS: CFString = "htps"
@safe public nonisolated(unsafe) let kSecAttrProtocolHTTPProxy: CFString = "htpx"
@safe public nonisolated(unsafe) let kSecAttrProtocolHTTPSProxy: CFString = "htsx"
@safe public nonisolated(unsafe) let kSecAttrProtocolFTPProxy: CFString = "ftpx"
@safe public nonisolated(unsafe) let kSecAttrProtocolSMB: CFString = "smb "
@safe public nonisolated(unsafe) let kSecAttrProtocolRTSP: CFString = "rtsp"
@safe public nonisolated(unsafe) let kSecAttrProtocolRTSPProxy: CFString = "rtsx"
@safe public nonisolated(unsafe) let kSecAttrProtocolDAAP: CFString = "daap"
@safe public nonisolated(unsafe) let kSecAttrProtocolEPPC: CFString = "eppc"
@safe public nonisolated(unsafe) let kSecAttrProtocolIPP: CFString = "ipp "
@safe public nonisolated(unsafe) let kSecAttrProtocolNNTPS: CFString = "ntps"
@safe public nonisolated(unsafe) let kSecAttrProtocolLDAPS: CFString = "ldps"
@safe public nonisolated(unsafe) let kSecAttrProtocolTelnetS: CFString = "tels"
@safe public nonisolated(unsafe) let kSecAttrProtocolIMAPS: CFString = "imps"
@safe public nonisolated(unsafe) let kSecAttrProtocolIRCS: CFString = "ircs"
@safe public nonisolated(unsafe) let kSecAttrProtocolPOP3S: CFString = "pops"
