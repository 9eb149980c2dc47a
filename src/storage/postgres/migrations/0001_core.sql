CREATE TABLE organizations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  slug text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT organizations_slug_uidx UNIQUE (slug)
);

-- The counter of issues changes with every new issue: room on the page keeps those updates off the indexes.
CREATE TABLE projects (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  slug text NOT NULL,
  name text NOT NULL,
  platform text,
  is_internal boolean NOT NULL DEFAULT false,
  issue_counter bigint NOT NULL DEFAULT 0,
  first_event_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT projects_slug_uidx UNIQUE (organization_id, slug)
) WITH (fillfactor = 70);

CREATE TABLE client_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  public_key text NOT NULL CHECK (public_key ~ '^[0-9a-f]{32}$'),
  label text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT client_keys_public_key_uidx UNIQUE (public_key)
);
CREATE INDEX client_keys_project_idx ON client_keys (project_id);

-- Every batch moves last_seen and times_seen of the issues it touches, so what is costly to index, the text to search,
-- lives in a table of its own.
CREATE TABLE issues (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  short_id text NOT NULL,
  title text NOT NULL,
  culprit text NOT NULL,
  level text NOT NULL,
  platform text NOT NULL,
  type text NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  logger text,
  status text NOT NULL DEFAULT 'unresolved' CHECK (status IN ('unresolved', 'resolved', 'archived')),
  substatus text,
  priority text NOT NULL CHECK (priority IN ('high', 'medium', 'low')),
  first_seen timestamptz NOT NULL,
  last_seen timestamptz NOT NULL,
  times_seen bigint NOT NULL,
  -- Without a foreign key here: the table of users is younger than this one.
  assignee_user_id text,
  resolved_at timestamptz,
  first_release text,
  last_release text,
  CHECK ((status = 'resolved') = (substatus IS NULL)),
  CHECK ((status = 'resolved') = (resolved_at IS NOT NULL)),
  CONSTRAINT issues_short_id_uidx UNIQUE (organization_id, short_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX issues_stream_idx ON issues (organization_id, status, last_seen DESC, id DESC);
CREATE INDEX issues_recent_idx ON issues (organization_id, last_seen DESC, id DESC);
CREATE INDEX issues_project_stream_idx ON issues (project_id, status, last_seen DESC, id DESC);
CREATE INDEX issues_new_idx ON issues (organization_id, status, first_seen DESC, id DESC);
CREATE INDEX issues_freq_idx ON issues (organization_id, status, times_seen DESC, id DESC);
CREATE INDEX issues_aging_idx ON issues (first_seen) WHERE status = 'unresolved' AND substatus = 'new';
CREATE INDEX issues_urgent_idx ON issues (organization_id, substatus) WHERE substatus IN ('regressed', 'escalating');
CREATE INDEX issues_assignee_idx ON issues (assignee_user_id) WHERE assignee_user_id IS NOT NULL;

CREATE TABLE issue_texts (
  issue_id bigint PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  content text NOT NULL
);

CREATE TABLE grouping_hashes (
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  hash text NOT NULL,
  issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  PRIMARY KEY (project_id, hash)
);
CREATE INDEX grouping_hashes_issue_idx ON grouping_hashes (issue_id);

CREATE TABLE releases (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  version text NOT NULL,
  first_seen timestamptz NOT NULL,
  CONSTRAINT releases_version_uidx UNIQUE (organization_id, version)
);

CREATE TABLE release_projects (
  release_id bigint NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  first_seen timestamptz NOT NULL,
  PRIMARY KEY (release_id, project_id)
);
CREATE INDEX release_projects_project_idx ON release_projects (project_id, first_seen DESC);

CREATE TABLE issue_releases (
  issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  release_id bigint NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, release_id)
);
CREATE INDEX issue_releases_release_idx ON issue_releases (release_id);

CREATE TABLE environments (
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  first_seen timestamptz NOT NULL,
  PRIMARY KEY (project_id, name)
);

CREATE TABLE activities (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  type text NOT NULL,
  -- Without a foreign key here: the table of users is younger than this one.
  user_id text,
  data jsonb NOT NULL DEFAULT '{}',
  at timestamptz NOT NULL
);
CREATE INDEX activities_issue_idx ON activities (issue_id, at DESC, id DESC);

-- No foreign keys: what happened to an item stays true when its project is deleted.
CREATE TABLE outcomes_hourly (
  organization_id bigint NOT NULL,
  project_id bigint NOT NULL,
  key_id bigint NOT NULL DEFAULT 0,
  hour timestamptz NOT NULL,
  category text NOT NULL,
  outcome text NOT NULL,
  reason text NOT NULL,
  quantity bigint NOT NULL,
  PRIMARY KEY (organization_id, project_id, hour, key_id, category, outcome, reason)
) WITH (fillfactor = 70);

CREATE TABLE spool_positions (
  spool_id text PRIMARY KEY,
  position bigint NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 10);

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  kind text NOT NULL,
  event_id text,
  data jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  done_at timestamptz
);
CREATE INDEX outbox_waiting_idx ON outbox (id) WHERE done_at IS NULL;
CREATE INDEX outbox_issue_idx ON outbox (issue_id);

CREATE TABLE quarantine (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL,
  project_id bigint NOT NULL,
  key_id bigint,
  event_id text,
  category text NOT NULL,
  reason text NOT NULL,
  detail text NOT NULL,
  attempts integer NOT NULL,
  received_at timestamptz NOT NULL,
  quarantined_at timestamptz NOT NULL,
  replayed_at timestamptz,
  spool_id text NOT NULL,
  position bigint NOT NULL,
  item integer NOT NULL,
  record bytea NOT NULL,
  UNIQUE (spool_id, position, item)
);
CREATE INDEX quarantine_newest_idx ON quarantine (organization_id, id DESC);
-- Records are compressed already.
ALTER TABLE quarantine ALTER COLUMN record SET STORAGE EXTERNAL;

CREATE TABLE instance_settings (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Free text is found without the index too, only slower: some servers do not let us have the extension.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'pg_trgm is not available: %', SQLERRM;
END
$$;
DO $$
BEGIN
  CREATE INDEX issue_texts_trigram_idx ON issue_texts USING gin (content gin_trgm_ops);
EXCEPTION WHEN undefined_object THEN
  RAISE NOTICE 'No trigram index on issue_texts: pg_trgm is not available';
END
$$;
