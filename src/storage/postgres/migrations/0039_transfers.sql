-- The number that DSNs of an imported key name as their project: the key says which one it is here.
ALTER TABLE client_keys ADD COLUMN former_project_id bigint;

-- How far an organization has been imported from a source.
CREATE TABLE transfers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- The same for the same organization of the same source.
  source_key text NOT NULL,
  source_name text NOT NULL,
  -- What the reader said of how far it is; null when it is to begin anew.
  cursor text,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  CONSTRAINT transfers_source_uidx UNIQUE (organization_id, source_key)
);

-- What has been imported. The target is a number or an ID here; null when nothing was made of it.
CREATE TABLE transfer_items (
  transfer_id bigint NOT NULL REFERENCES transfers (id) ON DELETE CASCADE,
  kind text NOT NULL,
  source_id text NOT NULL,
  target text,
  PRIMARY KEY (transfer_id, kind, source_id)
);

-- Issues wait here until their events are in.
CREATE TABLE transfer_issues (
  id bigint GENERATED ALWAYS AS IDENTITY,
  transfer_id bigint NOT NULL REFERENCES transfers (id) ON DELETE CASCADE,
  source_id text NOT NULL,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- null until the source has told of the issue itself, and once that was applied.
  record jsonb,
  -- Grouping hashes that its events have here.
  hashes text[] NOT NULL DEFAULT '{}',
  issue_id bigint,
  -- What of the record was applied: hashes by part.
  applied jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (transfer_id, source_id)
);
