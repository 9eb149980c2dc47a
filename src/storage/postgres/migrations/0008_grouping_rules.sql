-- Counted in the transaction that counts the issue: an issue's counters are those of its hashes together, so whatever
-- changes the map can count anew from here, also for events that retention has dropped.
ALTER TABLE grouping_hashes
  ADD COLUMN times_seen bigint NOT NULL DEFAULT 0,
  -- null until an event was counted under the hash.
  ADD COLUMN first_seen timestamptz,
  ADD COLUMN last_seen timestamptz,
  -- The hash that the events have by the rules which were applied to history, where they are stored with this one still.
  ADD COLUMN stands_for text;
ALTER TABLE grouping_hashes SET (fillfactor = 80);
UPDATE grouping_hashes SET times_seen = issues.times_seen, first_seen = issues.first_seen, last_seen = issues.last_seen
FROM issues
WHERE issues.id = grouping_hashes.issue_id AND grouping_hashes.hash = (
  SELECT min(twin.hash) FROM grouping_hashes twin WHERE twin.issue_id = issues.id
);

-- Every version that was saved; the one with the latest activated_at counts. null while it waits for its regroup.
CREATE TABLE grouping_rules (
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  version integer NOT NULL CHECK (version > 0),
  fingerprint text NOT NULL,
  stack_trace text NOT NULL,
  author_user_id text REFERENCES users (id) ON DELETE SET NULL,
  restored_from integer,
  created_at timestamptz NOT NULL,
  activated_at timestamptz,
  PRIMARY KEY (project_id, version)
);
CREATE INDEX grouping_rules_active_idx ON grouping_rules (project_id, activated_at DESC) WHERE activated_at IS NOT NULL;

-- What people did to the map of hashes: merges, unmerges, and rules applied to history. Kept as long as it can be undone.
CREATE TABLE grouping_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('merge', 'unmerge', 'regroup')),
  state text NOT NULL CHECK (state IN ('scanning', 'moving', 'done', 'undoing', 'undone', 'cancelled')),
  user_id text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  -- When the map changed, and when it changed back.
  applied_at timestamptz,
  undone_at timestamptz,
  finished_at timestamptz,
  rules_version integer,
  former_version integer,
  -- Where the work under way has got to: see regroup-store.ts.
  cursor jsonb NOT NULL DEFAULT '{}',
  events_total bigint NOT NULL DEFAULT 0,
  events_seen bigint NOT NULL DEFAULT 0,
  events_moved bigint NOT NULL DEFAULT 0,
  issues_before bigint NOT NULL DEFAULT 0,
  issues_after bigint NOT NULL DEFAULT 0,
  -- Who works on it, until when nobody else may.
  lease_owner text,
  lease_until timestamptz,
  last_error text
);
CREATE UNIQUE INDEX grouping_changes_running_uidx ON grouping_changes (project_id)
  WHERE state IN ('scanning', 'moving', 'undoing');
CREATE INDEX grouping_changes_newest_idx ON grouping_changes (project_id, id DESC);

-- How many events of one hash the rules give another one.
CREATE TABLE grouping_change_pairs (
  change_id bigint NOT NULL REFERENCES grouping_changes (id) ON DELETE CASCADE,
  phase text NOT NULL CHECK (phase IN ('apply', 'undo')),
  round integer NOT NULL,
  from_hash text NOT NULL,
  to_hash text NOT NULL,
  events bigint NOT NULL,
  first_seen timestamptz NOT NULL,
  last_seen timestamptz NOT NULL,
  -- Of the newest of these events, by the new rules.
  title text NOT NULL,
  PRIMARY KEY (change_id, phase, round, from_hash, to_hash)
);

-- Every hash whose place in the map changed, as it was before.
CREATE TABLE grouping_change_hashes (
  change_id bigint NOT NULL REFERENCES grouping_changes (id) ON DELETE CASCADE,
  hash text NOT NULL,
  -- null when the map did not know the hash.
  before_issue_id bigint,
  after_issue_id bigint NOT NULL,
  -- The hash that stands in the stored events' place of this one; null when its events are as they were.
  successor text,
  times_seen bigint NOT NULL DEFAULT 0,
  first_seen timestamptz,
  last_seen timestamptz,
  stands_for text,
  PRIMARY KEY (change_id, hash)
);
CREATE INDEX grouping_change_hashes_before_idx ON grouping_change_hashes (before_issue_id);

CREATE TABLE grouping_change_issues (
  change_id bigint NOT NULL REFERENCES grouping_changes (id) ON DELETE CASCADE,
  issue_id bigint NOT NULL,
  role text NOT NULL CHECK (role IN ('dissolved', 'created', 'kept')),
  -- Where a dissolved issue went, or what a created one was split from.
  other_issue_id bigint,
  PRIMARY KEY (change_id, issue_id)
);

-- Rows of issues and of what hangs on them, as they were before the change.
CREATE TABLE grouping_change_rows (
  change_id bigint NOT NULL REFERENCES grouping_changes (id) ON DELETE CASCADE,
  table_name text NOT NULL,
  issue_id bigint NOT NULL,
  content jsonb NOT NULL
);
CREATE INDEX grouping_change_rows_idx ON grouping_change_rows (change_id, table_name, issue_id);

-- Where an issue went that is no more: its number and its short id lead there.
CREATE TABLE issue_redirects (
  old_issue_id bigint PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  short_id text NOT NULL,
  issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  CONSTRAINT issue_redirects_short_id_uidx UNIQUE (organization_id, short_id)
);
CREATE INDEX issue_redirects_issue_idx ON issue_redirects (issue_id);
