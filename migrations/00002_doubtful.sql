-- +goose Up

-- What an attempt may have sent without our knowing it must not be replaced.
-- Whether one that was tried before is such a mail is not on record.
ALTER TABLE outbox ADD COLUMN doubtful INTEGER NOT NULL DEFAULT 0 CHECK (doubtful IN (0, 1));
UPDATE outbox SET doubtful = 1 WHERE state = 'queued' AND attempts > 0;
