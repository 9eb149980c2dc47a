-- Requests to find, export and erase the data of a person, and what became of a deleted project or organization. A finished
-- one is the certificate, so it outlives the organization and whoever asked.
CREATE TABLE data_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL,
  -- As it was called then.
  organization_slug text NOT NULL,
  subject text NOT NULL CHECK (subject IN ('person', 'project', 'organization')),
  -- The slug of a project or an organization; empty for a person, who is not named anywhere.
  subject_name text NOT NULL DEFAULT '',
  -- Of a deleted project or organization.
  project_ids bigint[] NOT NULL DEFAULT '{}',
  state text NOT NULL CHECK (state IN ('counting', 'counted', 'exporting', 'erasing', 'purging', 'erased', 'canceled')),
  -- What of erasing comes next.
  step text NOT NULL DEFAULT '',
  -- What the person is called by, encrypted; null as soon as nothing needs it any more.
  identifiers text,
  -- Of each identifier: its kind, and a hash that only this instance can make.
  identifier_hashes jsonb NOT NULL DEFAULT '[]',
  -- What was found, by kind, and what was removed so far.
  found jsonb NOT NULL DEFAULT '{}',
  removed jsonb NOT NULL DEFAULT '{}',
  -- What the stores did not allow, or what stays; in words of the program.
  notes jsonb NOT NULL DEFAULT '[]',
  requested_by text,
  requested_by_name text NOT NULL,
  created_at timestamptz NOT NULL,
  counted_at timestamptz,
  erase_requested_by text,
  erase_requested_by_name text,
  erase_requested_at timestamptz,
  hidden_at timestamptz,
  purged_at timestamptz,
  finished_at timestamptz,
  export_requested_by text,
  export_bytes bigint,
  export_rows bigint,
  export_expires_at timestamptz,
  lease_owner text,
  lease_until timestamptz,
  next_at timestamptz NOT NULL,
  last_error text
);
CREATE INDEX data_requests_organization_idx ON data_requests (organization_id, id DESC);
CREATE INDEX data_requests_waiting_idx ON data_requests (next_at) WHERE state IN ('counting', 'exporting', 'erasing', 'purging');
