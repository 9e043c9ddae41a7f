-- +goose Up

-- What a receipt is about: a JSON list of slots. An unsent one is replaced by a newer
-- one that is about all of them; [] is never replaced.
ALTER TABLE outbox ADD COLUMN slots TEXT NOT NULL DEFAULT '[]';
-- So far there was one game, in which a seat has one.
UPDATE outbox SET slots = '["moves"]' WHERE covers != '[]';

-- Bouts that players tried out between rounds, with all that is needed to fight them
-- again. Game, branch, round, seat and n name the seed.
CREATE TABLE sparring (
    id      INTEGER PRIMARY KEY,
    game    TEXT NOT NULL,
    branch  INTEGER NOT NULL,
    round   INTEGER NOT NULL,          -- the open one
    seat    TEXT NOT NULL,
    n       INTEGER NOT NULL,          -- counts the seat's of the round, from 1
    letter  INTEGER NOT NULL REFERENCES letter (id),
    line    INTEGER NOT NULL,          -- of the letter
    subject TEXT NOT NULL,             -- who spars, as the letter names him
    slips   TEXT NOT NULL,             -- JSON: the seat's orders that counted
    fought  INTEGER NOT NULL,
    UNIQUE (game, branch, round, seat, n),
    UNIQUE (letter, line),
    FOREIGN KEY (game, seat) REFERENCES seat (game, id)
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER sparring_kept BEFORE UPDATE ON sparring BEGIN SELECT raise(ABORT, 'sparrings are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER sparring_stays BEFORE DELETE ON sparring BEGIN SELECT raise(ABORT, 'sparrings are never deleted'); END;
-- +goose StatementEnd
