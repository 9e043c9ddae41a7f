-- +goose Up

-- Each close looks for reminders that were not sent: among thousands of mails.
CREATE INDEX outbox_reminder ON outbox (game, seat) WHERE kind = 'reminder' AND state != 'sent';
