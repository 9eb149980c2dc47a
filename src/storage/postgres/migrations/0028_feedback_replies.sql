-- Answers to feedback, mailed to whoever sent it: the activity that holds the answer, and the message that carries it.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_kind_check;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_kind_check
  CHECK (kind IN ('alert', 'closing', 'activity', 'report', 'test', 'reply'));
-- Of a reply, whose user_id is its author.
ALTER TABLE deliveries ADD COLUMN reply_id bigint REFERENCES activities (id) ON DELETE CASCADE;
CREATE UNIQUE INDEX deliveries_reply_uidx ON deliveries (reply_id) WHERE reply_id IS NOT NULL;
-- How many an organization sent lately.
CREATE INDEX deliveries_recent_replies_idx ON deliveries (organization_id, created_at) WHERE kind = 'reply';
