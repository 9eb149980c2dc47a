-- Where an organization keeps its work: issues are made and linked there, and it tells of commits and of its issues.
CREATE TABLE trackers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('github', 'gitlab', 'jira', 'linear')),
  name text NOT NULL,
  -- Of its pages, without a trailing slash.
  url text NOT NULL,
  -- Whose the token is: as it signs in beside it (null where the token is enough), and as it is called.
  login text,
  account text NOT NULL,
  -- Encrypted with the secret of the instance: the token, and what its webhooks are signed with.
  token text NOT NULL,
  hook_secret text NOT NULL,
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  -- When it told something last; null before it ever did.
  last_hook_at timestamptz
);
CREATE UNIQUE INDEX trackers_name_uidx ON trackers (organization_id, lower(name));

-- What trackers told already: a message that comes again changes nothing.
CREATE TABLE tracker_hooks (
  tracker_id bigint NOT NULL REFERENCES trackers (id) ON DELETE CASCADE,
  delivery_id text NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (tracker_id, delivery_id)
);
CREATE INDEX tracker_hooks_age_idx ON tracker_hooks (received_at);

ALTER TABLE issue_links
  ADD COLUMN tracker_id bigint REFERENCES trackers (id) ON DELETE SET NULL,
  -- As the tracker names the issue: acme/web#12, WEB-7.
  ADD COLUMN tracker_key text,
  ADD COLUMN state text CHECK (state IN ('open', 'closed')),
  -- As the tracker calls it: In Progress.
  ADD COLUMN state_name text,
  ADD COLUMN checked_at timestamptz;
CREATE INDEX issue_links_tracker_idx ON issue_links (tracker_id, tracker_key) WHERE tracker_id IS NOT NULL;
CREATE INDEX issue_links_stale_idx ON issue_links (checked_at) WHERE tracker_id IS NOT NULL AND state = 'open';
