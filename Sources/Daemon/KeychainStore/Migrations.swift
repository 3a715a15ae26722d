// SPDX-License-Identifier: Apache-2.0

/// The schema as frozen text. A released step is never edited; a change is a new step at the end. Steps know no Swift
/// type. `user_version` counts the steps that a database has been through. Documentation/Formats/database.md explains
/// the columns.
enum Migrations {
    /// 'CHTL' in `application_id`, where file(1) and other programs look.
    static let applicationID: Int64 = 0x4348_544C

    static let steps: [String] = [version1]

    private static let version1 = """
        CREATE TABLE keybag (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            bytes BLOB NOT NULL
        );

        CREATE TABLE genp (
            id INTEGER PRIMARY KEY,
            item BLOB NOT NULL,
            version INTEGER NOT NULL,
            accessibility INTEGER NOT NULL,
            sync INTEGER NOT NULL,
            tomb INTEGER NOT NULL DEFAULT 0,
            unreadable INTEGER NOT NULL DEFAULT 0,
            agrp BLOB NOT NULL,
            acct BLOB NOT NULL,
            svce BLOB NOT NULL,
            vwht BLOB NOT NULL DEFAULT x'',
            tkid BLOB NOT NULL DEFAULT x'',
            labl BLOB, gena BLOB, desc BLOB, icmt BLOB, crtr BLOB, type BLOB, invi BLOB, nega BLOB, scrp BLOB,
            alis BLOB, cusi BLOB, prot BLOB, accc BLOB, cdat BLOB, mdat BLOB,
            item_key BLOB NOT NULL,
            attributes BLOB NOT NULL,
            data BLOB NOT NULL
        );

        CREATE TABLE numbering (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            last INTEGER NOT NULL
        );
        INSERT INTO numbering (id, last) VALUES (1, 0);
        CREATE TRIGGER genp_numbering AFTER DELETE ON genp
        WHEN old.id > ifnull((SELECT max(id) FROM genp), 0)
        BEGIN
            UPDATE numbering SET last = old.id WHERE last < old.id;
        END;

        CREATE UNIQUE INDEX genp_item ON genp (item);
        CREATE UNIQUE INDEX genp_unique ON genp (agrp, acct, svce, sync, vwht, tkid) WHERE unreadable = 0;
        CREATE INDEX genp_agrp ON genp (agrp) WHERE unreadable = 0;
        CREATE INDEX genp_acct ON genp (agrp, acct) WHERE unreadable = 0;
        CREATE INDEX genp_svce ON genp (agrp, svce) WHERE unreadable = 0;
        CREATE INDEX genp_labl ON genp (agrp, labl) WHERE unreadable = 0 AND labl IS NOT NULL;
        CREATE INDEX genp_gena ON genp (agrp, gena) WHERE unreadable = 0 AND gena IS NOT NULL;
        CREATE INDEX genp_desc ON genp (agrp, desc) WHERE unreadable = 0 AND desc IS NOT NULL;
        CREATE INDEX genp_icmt ON genp (agrp, icmt) WHERE unreadable = 0 AND icmt IS NOT NULL;
        CREATE INDEX genp_crtr ON genp (agrp, crtr) WHERE unreadable = 0 AND crtr IS NOT NULL;
        CREATE INDEX genp_type ON genp (agrp, type) WHERE unreadable = 0 AND type IS NOT NULL;
        """
}
