-- +goose Up

-- Each mail with orders looks for older receipts that were not sent. (A kind that were
-- a parameter would have SQLite plan the statement anew each time.)
CREATE INDEX outbox_receipt ON outbox (game, seat) WHERE kind = 'receipt' AND state = 'queued';
