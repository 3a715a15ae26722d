// SPDX-License-Identifier: Apache-2.0

/// The schema as frozen text. A released step is never edited; a change is a new step at the end. Steps refer to no
/// Swift type. `user_version` counts the steps that were applied to a database. Documentation/Formats/database.md
/// explains the columns.
enum Migrations {

    static let steps: [String] = [version1, version2, version3, version4, version5, version6]

    private static let version1 = """
        CREATE TABLE keybag (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            bytes BLOB NOT NULL
        );

        CREATE TABLE seal (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            bytes BLOB NOT NULL
        );

        CREATE TABLE attempts (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            failed INTEGER NOT NULL,
            last REAL NOT NULL
        );
        INSERT INTO attempts (id, failed, last) VALUES (1, 0, 0);

        CREATE TABLE settings (
            name TEXT PRIMARY KEY,
            value INTEGER NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE numbering (
            class INTEGER PRIMARY KEY,
            last INTEGER NOT NULL
        );
        INSERT INTO numbering (class, last) VALUES (1, 0), (2, 0), (16, 0);

        CREATE TABLE grants (
            id INTEGER PRIMARY KEY,
            item BLOB NOT NULL,
            bytes BLOB NOT NULL
        );
        CREATE INDEX grants_item ON grants (item);
        CREATE TRIGGER grants_numbering AFTER DELETE ON grants
        WHEN old.id > ifnull((SELECT max(id) FROM grants), 0)
        BEGIN
            UPDATE numbering SET last = old.id WHERE class = 16 AND last < old.id;
        END;

        CREATE TABLE genp (
            id INTEGER PRIMARY KEY,
            item BLOB NOT NULL,
            version INTEGER NOT NULL,
            accessibility INTEGER NOT NULL,
            sync INTEGER NOT NULL,
            tomb INTEGER NOT NULL DEFAULT 0,
            unreadable INTEGER NOT NULL DEFAULT 0,
            agrp BLOB NOT NULL,
            acct BLOB NOT NULL DEFAULT x'',
            svce BLOB NOT NULL DEFAULT x'',
            vwht BLOB NOT NULL DEFAULT x'',
            tkid BLOB NOT NULL DEFAULT x'',
            acct_folded BLOB, svce_folded BLOB, labl_folded BLOB, gena_folded BLOB, icmt_folded BLOB, desc_folded BLOB,
            labl BLOB, gena BLOB, desc BLOB, icmt BLOB, crtr BLOB, type BLOB, invi BLOB, nega BLOB, scrp BLOB,
            alis BLOB, cusi BLOB, prot BLOB, accc BLOB, cdat BLOB, mdat BLOB,
            item_key BLOB NOT NULL,
            attributes BLOB NOT NULL,
            data BLOB NOT NULL
        );
        CREATE TRIGGER genp_numbering AFTER DELETE ON genp
        WHEN old.id > ifnull((SELECT max(id) FROM genp), 0)
        BEGIN
            UPDATE numbering SET last = old.id WHERE class = 1 AND last < old.id;
        END;

        CREATE UNIQUE INDEX genp_item ON genp (item);
        CREATE UNIQUE INDEX genp_unique ON genp (agrp, acct, svce, sync, vwht, tkid) WHERE unreadable = 0;
        CREATE INDEX genp_agrp ON genp (agrp) WHERE unreadable = 0;
        CREATE INDEX genp_acct ON genp (agrp, ifnull(acct_folded, acct)) WHERE unreadable = 0;
        CREATE INDEX genp_svce ON genp (agrp, ifnull(svce_folded, svce)) WHERE unreadable = 0;
        CREATE INDEX genp_labl ON genp (agrp, ifnull(labl_folded, labl)) WHERE unreadable = 0 AND labl IS NOT NULL;
        CREATE INDEX genp_gena ON genp (agrp, ifnull(gena_folded, gena)) WHERE unreadable = 0 AND gena IS NOT NULL;
        CREATE INDEX genp_desc ON genp (agrp, ifnull(desc_folded, desc)) WHERE unreadable = 0 AND desc IS NOT NULL;
        CREATE INDEX genp_icmt ON genp (agrp, ifnull(icmt_folded, icmt)) WHERE unreadable = 0 AND icmt IS NOT NULL;
        CREATE INDEX genp_crtr ON genp (agrp, crtr) WHERE unreadable = 0 AND crtr IS NOT NULL;
        CREATE INDEX genp_type ON genp (agrp, type) WHERE unreadable = 0 AND type IS NOT NULL;

        CREATE TABLE inet (
            id INTEGER PRIMARY KEY,
            item BLOB NOT NULL,
            version INTEGER NOT NULL,
            accessibility INTEGER NOT NULL,
            sync INTEGER NOT NULL,
            tomb INTEGER NOT NULL DEFAULT 0,
            unreadable INTEGER NOT NULL DEFAULT 0,
            agrp BLOB NOT NULL,
            acct BLOB NOT NULL DEFAULT x'',
            sdmn BLOB NOT NULL DEFAULT x'',
            srvr BLOB NOT NULL DEFAULT x'',
            ptcl BLOB NOT NULL DEFAULT x'',
            atyp BLOB NOT NULL DEFAULT x'',
            port BLOB NOT NULL DEFAULT x'',
            path BLOB NOT NULL DEFAULT x'',
            vwht BLOB NOT NULL DEFAULT x'',
            tkid BLOB NOT NULL DEFAULT x'',
            acct_folded BLOB, srvr_folded BLOB, labl_folded BLOB, icmt_folded BLOB, desc_folded BLOB,
            labl BLOB, desc BLOB, icmt BLOB, crtr BLOB, type BLOB, invi BLOB, nega BLOB, scrp BLOB,
            alis BLOB, cusi BLOB, prot BLOB, accc BLOB, cdat BLOB, mdat BLOB,
            item_key BLOB NOT NULL,
            attributes BLOB NOT NULL,
            data BLOB NOT NULL
        );
        CREATE TRIGGER inet_numbering AFTER DELETE ON inet
        WHEN old.id > ifnull((SELECT max(id) FROM inet), 0)
        BEGIN
            UPDATE numbering SET last = old.id WHERE class = 2 AND last < old.id;
        END;

        CREATE UNIQUE INDEX inet_item ON inet (item);
        CREATE UNIQUE INDEX inet_unique ON inet
            (agrp, srvr, acct, ptcl, port, path, sdmn, atyp, sync, vwht, tkid) WHERE unreadable = 0;
        CREATE INDEX inet_agrp ON inet (agrp) WHERE unreadable = 0;
        CREATE INDEX inet_acct ON inet (agrp, ifnull(acct_folded, acct)) WHERE unreadable = 0;
        CREATE INDEX inet_srvr ON inet (agrp, ifnull(srvr_folded, srvr)) WHERE unreadable = 0;
        CREATE INDEX inet_labl ON inet (agrp, ifnull(labl_folded, labl)) WHERE unreadable = 0 AND labl IS NOT NULL;
        CREATE INDEX inet_desc ON inet (agrp, ifnull(desc_folded, desc)) WHERE unreadable = 0 AND desc IS NOT NULL;
        CREATE INDEX inet_icmt ON inet (agrp, ifnull(icmt_folded, icmt)) WHERE unreadable = 0 AND icmt IS NOT NULL;
        CREATE INDEX inet_crtr ON inet (agrp, crtr) WHERE unreadable = 0 AND crtr IS NOT NULL;
        CREATE INDEX inet_type ON inet (agrp, type) WHERE unreadable = 0 AND type IS NOT NULL;
        """

    /// Certificates and keys.
    private static let version2 = """
        INSERT INTO numbering (class, last) VALUES (3, 0), (4, 0);

        CREATE TABLE cert (
            id INTEGER PRIMARY KEY,
            item BLOB NOT NULL,
            version INTEGER NOT NULL,
            accessibility INTEGER NOT NULL,
            sync INTEGER NOT NULL,
            tomb INTEGER NOT NULL DEFAULT 0,
            unreadable INTEGER NOT NULL DEFAULT 0,
            agrp BLOB NOT NULL,
            issr BLOB NOT NULL DEFAULT x'',
            slnr BLOB NOT NULL DEFAULT x'',
            ctyp BLOB NOT NULL DEFAULT x'',
            vwht BLOB NOT NULL DEFAULT x'',
            tkid BLOB NOT NULL DEFAULT x'',
            labl_folded BLOB, alis_folded BLOB,
            pkhh BLOB, skid BLOB, subj BLOB, labl BLOB, alis BLOB, cenc BLOB, accc BLOB, cdat BLOB, mdat BLOB,
            item_key BLOB NOT NULL,
            attributes BLOB NOT NULL,
            data BLOB NOT NULL
        );
        CREATE TRIGGER cert_numbering AFTER DELETE ON cert
        WHEN old.id > ifnull((SELECT max(id) FROM cert), 0)
        BEGIN
            UPDATE numbering SET last = old.id WHERE class = 3 AND last < old.id;
        END;

        CREATE UNIQUE INDEX cert_item ON cert (item);
        CREATE UNIQUE INDEX cert_unique ON cert
            (agrp, issr, slnr, ctyp, sync, vwht, tkid) WHERE unreadable = 0;
        CREATE INDEX cert_agrp ON cert (agrp) WHERE unreadable = 0;
        CREATE INDEX cert_pkhh ON cert (agrp, pkhh) WHERE unreadable = 0 AND pkhh IS NOT NULL;
        CREATE INDEX cert_skid ON cert (agrp, skid) WHERE unreadable = 0 AND skid IS NOT NULL;
        CREATE INDEX cert_subj ON cert (agrp, subj) WHERE unreadable = 0 AND subj IS NOT NULL;
        CREATE INDEX cert_labl ON cert (agrp, ifnull(labl_folded, labl)) WHERE unreadable = 0 AND labl IS NOT NULL;
        CREATE INDEX cert_alis ON cert (agrp, ifnull(alis_folded, alis)) WHERE unreadable = 0 AND alis IS NOT NULL;
        CREATE INDEX cert_slnr ON cert (agrp, slnr) WHERE unreadable = 0;
        CREATE INDEX cert_issr ON cert (agrp, issr) WHERE unreadable = 0;

        CREATE TABLE keys (
            id INTEGER PRIMARY KEY,
            item BLOB NOT NULL,
            version INTEGER NOT NULL,
            accessibility INTEGER NOT NULL,
            sync INTEGER NOT NULL,
            tomb INTEGER NOT NULL DEFAULT 0,
            unreadable INTEGER NOT NULL DEFAULT 0,
            agrp BLOB NOT NULL,
            klbl BLOB NOT NULL DEFAULT x'',
            kcls BLOB NOT NULL DEFAULT x'',
            atag BLOB NOT NULL DEFAULT x'',
            type BLOB NOT NULL DEFAULT x'',
            bsiz BLOB NOT NULL DEFAULT x'',
            esiz BLOB NOT NULL DEFAULT x'',
            crtr BLOB NOT NULL DEFAULT x'',
            sdat BLOB NOT NULL DEFAULT x'',
            edat BLOB NOT NULL DEFAULT x'',
            vwht BLOB NOT NULL DEFAULT x'',
            tkid BLOB NOT NULL DEFAULT x'',
            atag_folded BLOB, labl_folded BLOB,
            labl BLOB, perm BLOB, priv BLOB, modi BLOB, sens BLOB, asen BLOB, extr BLOB, next BLOB, encr BLOB,
            decr BLOB, drve BLOB, sign BLOB, vrfy BLOB, snrc BLOB, vyrc BLOB, wrap BLOB, unwp BLOB, accc BLOB,
            cdat BLOB, mdat BLOB,
            item_key BLOB NOT NULL,
            attributes BLOB NOT NULL,
            data BLOB NOT NULL
        );
        CREATE TRIGGER keys_numbering AFTER DELETE ON keys
        WHEN old.id > ifnull((SELECT max(id) FROM keys), 0)
        BEGIN
            UPDATE numbering SET last = old.id WHERE class = 4 AND last < old.id;
        END;

        CREATE UNIQUE INDEX keys_item ON keys (item);
        CREATE UNIQUE INDEX keys_unique ON keys
            (agrp, klbl, kcls, atag, type, bsiz, esiz, crtr, sdat, edat, sync, vwht, tkid) WHERE unreadable = 0;
        CREATE INDEX keys_agrp ON keys (agrp) WHERE unreadable = 0;
        CREATE INDEX keys_klbl ON keys (agrp, klbl) WHERE unreadable = 0;
        CREATE INDEX keys_atag ON keys (agrp, ifnull(atag_folded, atag)) WHERE unreadable = 0;
        CREATE INDEX keys_labl ON keys (agrp, ifnull(labl_folded, labl)) WHERE unreadable = 0 AND labl IS NOT NULL;
        """

    private static let version3 = """
        CREATE TABLE enrolment (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            bytes BLOB NOT NULL
        );
        """

    /// The access groups of enforced programs.
    private static let version4 = """
        CREATE TABLE enforced_groups (
            class INTEGER NOT NULL,
            agrp BLOB NOT NULL,
            PRIMARY KEY (class, agrp)
        ) WITHOUT ROWID;
        """

    /// One count for each secret that can be guessed, instead of table attempts. Each of the two secrets that shared
    /// the old count inherits it.
    private static let version5 = """
        CREATE TABLE guesses (
            id INTEGER PRIMARY KEY,
            secret BLOB NOT NULL UNIQUE,
            failed INTEGER NOT NULL,
            last REAL NOT NULL
        );
        INSERT INTO guesses (id, secret, failed, last) SELECT 1, x'02', failed, last FROM attempts WHERE id = 1;
        INSERT INTO guesses (id, secret, failed, last) SELECT 2, x'04', failed, last FROM attempts WHERE id = 1;
        """

    /// The index of lookup attributes. `id` is the number of a row of genp. The columns of the key come first: otherwise
    /// `integrity_check` of SQLite 3.40 reports missing values where there are none.
    private static let version6 = """
        CREATE TABLE lookup (
            id INTEGER NOT NULL,
            digest BLOB NOT NULL,
            agrp BLOB NOT NULL,
            PRIMARY KEY (id, digest)
        ) WITHOUT ROWID;
        CREATE INDEX lookup_digest ON lookup (agrp, digest, id);
        """
}
