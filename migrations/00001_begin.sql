-- +goose Up

-- Times are milliseconds since 1970 in UTC. JSON columns are texts.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A person. Addresses are kept apart: one person has several.
CREATE TABLE player (
    id      INTEGER PRIMARY KEY,
    lang    TEXT NOT NULL,
    tz      TEXT NOT NULL,
    remind  INTEGER NOT NULL DEFAULT 24, -- hours before a deadline, 0 = never
    quiet   INTEGER NOT NULL DEFAULT 0 CHECK (quiet IN (0, 1)), -- he wants no reports by mail
    bounced INTEGER,                     -- when a mail to him was refused for good
    created INTEGER NOT NULL
) STRICT;

CREATE TABLE address (
    norm    TEXT PRIMARY KEY,          -- the form in which addresses are compared
    player  INTEGER NOT NULL REFERENCES player (id),
    address TEXT NOT NULL,             -- as he writes it
    rank    INTEGER NOT NULL           -- 0: where mails to him go
) STRICT, WITHOUT ROWID;
CREATE INDEX address_player ON address (player, rank);

CREATE TABLE game (
    id       TEXT PRIMARY KEY,
    ruleset  TEXT NOT NULL,
    title    TEXT NOT NULL,
    lang     TEXT NOT NULL,
    deadline TEXT NOT NULL,            -- cron expression, '' = closed by hand only
    tz       TEXT NOT NULL,
    trust    TEXT NOT NULL CHECK (trust IN ('token', 'address', 'verified')),
    press    TEXT NOT NULL CHECK (press IN ('signed', 'anonymous', 'off')),
    moderated INTEGER NOT NULL CHECK (moderated IN (0, 1)), -- press waits for the game master
    settings TEXT NOT NULL,
    secret   BLOB NOT NULL CHECK (length(secret) = 32),
    branch   INTEGER NOT NULL DEFAULT 0,
    state    TEXT NOT NULL CHECK (state IN ('new', 'running', 'paused', 'ended')),
    round    INTEGER NOT NULL DEFAULT 0, -- the open round
    due      INTEGER,                  -- the open round's deadline
    opened   INTEGER,                  -- when the open round was opened
    created  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX game_due ON game (due) WHERE state = 'running';

CREATE TABLE seat (
    game   TEXT NOT NULL REFERENCES game (id),
    id     TEXT NOT NULL,
    ord    INTEGER NOT NULL,           -- order of entry
    name   TEXT NOT NULL,
    player INTEGER NOT NULL REFERENCES player (id),
    traits TEXT NOT NULL,
    -- waiting: enters when the open round closes; leaving: leaves then
    state  TEXT NOT NULL CHECK (state IN ('waiting', 'playing', 'leaving', 'removed', 'left')),
    PRIMARY KEY (game, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX seat_player ON seat (player);

-- Every mail that came in, once, as it came.
CREATE TABLE letter (
    id       INTEGER PRIMARY KEY,
    received INTEGER NOT NULL,
    source   TEXT NOT NULL,
    size     INTEGER NOT NULL,
    content  TEXT NOT NULL UNIQUE,     -- the same for the same mail delivered again
    raw      BLOB NOT NULL,            -- empty when it was over the limit
    stored   INTEGER NOT NULL
) STRICT;

-- Which mail of which mailbox is which letter.
CREATE TABLE ledger (
    mailbox     TEXT NOT NULL,
    uidvalidity INTEGER NOT NULL,
    uid         INTEGER NOT NULL,
    name        TEXT NOT NULL,
    letter      INTEGER NOT NULL REFERENCES letter (id),
    PRIMARY KEY (mailbox, uidvalidity, uid, name)
) STRICT, WITHOUT ROWID;

-- What became of a letter, a row each time it was handled; the last one counts.
CREATE TABLE outcome (
    id      INTEGER PRIMARY KEY,
    letter  INTEGER NOT NULL REFERENCES letter (id),
    result  TEXT NOT NULL,
    reason  TEXT NOT NULL,
    sender  TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail  TEXT NOT NULL,             -- JSON: what `mail in --json` prints
    handled INTEGER NOT NULL
) STRICT;
CREATE INDEX outcome_letter ON outcome (letter, id);

-- Orders, a row a slot and revision.
CREATE TABLE orders (
    id          INTEGER PRIMARY KEY,
    game        TEXT NOT NULL,
    branch      INTEGER NOT NULL,
    round       INTEGER NOT NULL,
    seat        TEXT NOT NULL,
    slot        TEXT NOT NULL,
    letter      INTEGER REFERENCES letter (id), -- NULL: entered by the game master
    received    INTEGER NOT NULL,
    orders      TEXT NOT NULL,
    lines       TEXT NOT NULL,
    provisional INTEGER NOT NULL CHECK (provisional IN (0, 1)),
    FOREIGN KEY (game, seat) REFERENCES seat (game, id)
) STRICT;
CREATE INDEX orders_of ON orders (game, branch, round, seat, slot);

-- A closed step of a game: enough to recompute it.
CREATE TABLE step (
    game       TEXT NOT NULL REFERENCES game (id),
    branch     INTEGER NOT NULL,
    round      INTEGER NOT NULL,       -- 0: the setup
    step       INTEGER NOT NULL,
    deadline   INTEGER,                -- of the round, NULL when it had none
    seed       TEXT NOT NULL,
    next       TEXT NOT NULL,          -- commitment to the next round's seed
    inputs     TEXT NOT NULL,
    events     TEXT NOT NULL,
    state      TEXT NOT NULL,
    hash       TEXT NOT NULL,
    closed     INTEGER NOT NULL,
    PRIMARY KEY (game, branch, round, step)
) STRICT, WITHOUT ROWID;

-- Bodies that several mails share.
CREATE TABLE body (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE outbox (
    id          INTEGER PRIMARY KEY,
    cause       TEXT NOT NULL UNIQUE,  -- what it answers or tells: nothing is told twice
    kind        TEXT NOT NULL,
    game        TEXT NOT NULL,
    round       INTEGER NOT NULL,
    seat        TEXT NOT NULL,
    recipient   TEXT NOT NULL,
    message_id  TEXT NOT NULL UNIQUE,
    reply_to    TEXT NOT NULL,
    in_reply_to TEXT NOT NULL,
    refs        TEXT NOT NULL,
    subject     TEXT NOT NULL,
    lang        TEXT NOT NULL,
    head        TEXT NOT NULL,
    body        INTEGER REFERENCES body (id),
    foot        TEXT NOT NULL,
    automatic   TEXT NOT NULL,         -- RFC 3834: auto-replied or auto-generated
    deadline    INTEGER,               -- goes along as a calendar's event
    covers      TEXT NOT NULL,         -- arrivals of the mails it answers; [] when it may not be replaced
    created     INTEGER NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'dropped')),
    attempts    INTEGER NOT NULL DEFAULT 0,
    tried       INTEGER,               -- the last attempt
    due         INTEGER NOT NULL,
    answer      TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX outbox_due ON outbox (due, id) WHERE state = 'queued';
CREATE INDEX outbox_game ON outbox (game, round);

-- Mails and sign-ups that wait for a confirmation by code.
CREATE TABLE held (
    id      INTEGER PRIMARY KEY,
    code    TEXT NOT NULL,             -- SHA-256; the code itself stands only in the mail
    letter  INTEGER NOT NULL REFERENCES letter (id),
    address TEXT NOT NULL,             -- where the code went, normalised
    purpose TEXT NOT NULL CHECK (purpose IN ('sender', 'join', 'quoted', 'address')),
    expires INTEGER NOT NULL,
    wrong   INTEGER NOT NULL DEFAULT 0,
    state   TEXT NOT NULL CHECK (state IN ('waiting', 'confirmed', 'expired', 'void'))
) STRICT;
CREATE INDEX held_address ON held (address) WHERE state = 'waiting';

-- Players' words to each other.
CREATE TABLE press (
    id        INTEGER PRIMARY KEY,
    game      TEXT NOT NULL REFERENCES game (id),
    round     INTEGER NOT NULL,        -- in whose course it was sent
    seat      TEXT NOT NULL,           -- who wrote it
    recipient TEXT NOT NULL,           -- a seat, '*' all at once, '' the next report
    anonymous INTEGER NOT NULL CHECK (anonymous IN (0, 1)),
    text      TEXT NOT NULL,
    letter    INTEGER NOT NULL REFERENCES letter (id),
    state     TEXT NOT NULL CHECK (state IN ('waiting', 'released', 'told', 'dropped')),
    created   INTEGER NOT NULL
) STRICT;
CREATE INDEX press_game ON press (game, state);

-- Whose press a player does not want to read.
CREATE TABLE ignored (
    player INTEGER NOT NULL REFERENCES player (id),
    game   TEXT NOT NULL,
    seat   TEXT NOT NULL,
    PRIMARY KEY (player, game, seat)
) STRICT, WITHOUT ROWID;

-- How many answers went where in which stretch of time.
CREATE TABLE cap (
    bucket TEXT NOT NULL,
    period INTEGER NOT NULL,
    n      INTEGER NOT NULL,
    PRIMARY KEY (bucket, period)
) STRICT, WITHOUT ROWID;

-- What the game master did.
CREATE TABLE audit (
    id     INTEGER PRIMARY KEY,
    at     INTEGER NOT NULL,
    game   TEXT NOT NULL,
    what   TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER step_kept BEFORE UPDATE ON step BEGIN SELECT raise(ABORT, 'steps are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER step_stays BEFORE DELETE ON step BEGIN SELECT raise(ABORT, 'steps are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER orders_kept BEFORE UPDATE ON orders BEGIN SELECT raise(ABORT, 'orders are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER orders_stay BEFORE DELETE ON orders BEGIN SELECT raise(ABORT, 'orders are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER outcome_kept BEFORE UPDATE ON outcome BEGIN SELECT raise(ABORT, 'outcomes are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER letter_stays BEFORE DELETE ON letter BEGIN SELECT raise(ABORT, 'letters are never deleted'); END;
-- +goose StatementEnd
