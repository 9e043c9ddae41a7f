-- +goose Up

-- Where a closed round was opened again: its steps and those after it are void, and
-- the game goes on as another branch. Its steps are those of this number, behind those
-- of its parent that came before the one named here.
CREATE TABLE branch (
    game   TEXT NOT NULL REFERENCES game (id),
    branch INTEGER NOT NULL CHECK (branch > 0),
    parent INTEGER NOT NULL,           -- the branch of the first void step
    round  INTEGER NOT NULL CHECK (round > 0), -- that step's
    step   INTEGER NOT NULL,
    kept   INTEGER NOT NULL CHECK (kept IN (0, 1)), -- decided again by the same dice, without new orders
    seeds  INTEGER NOT NULL,           -- the branch whose number stands in the seeds' names
    next   TEXT NOT NULL,              -- commitment to the round's seed
    added  TEXT NOT NULL,              -- JSON: orders that came to those of the void step
    reason TEXT NOT NULL,
    hash   TEXT NOT NULL,              -- of all this, and of what was left
    frozen INTEGER NOT NULL,           -- when the orders of the void step were
    opened INTEGER NOT NULL,           -- when the branch began
    PRIMARY KEY (game, branch)
) STRICT, WITHOUT ROWID;

-- +goose StatementBegin
CREATE TRIGGER branch_kept BEFORE UPDATE ON branch BEGIN SELECT raise(ABORT, 'branches are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER branch_stays BEFORE DELETE ON branch BEGIN SELECT raise(ABORT, 'branches are never deleted'); END;
-- +goose StatementEnd

-- The round whose report told it. Of what was told before, the round in whose course
-- it was sent has to do.
ALTER TABLE press ADD COLUMN told INTEGER;
