-- Only what was decided against the defaults: the rest follows the defaults of the running version.
ALTER TABLE projects ADD COLUMN ingest_settings jsonb NOT NULL DEFAULT '{}';
-- Projects that are there go on as before, without the filters that new ones start with.
UPDATE projects SET ingest_settings = '{"filters": {"webCrawlers": false, "healthChecks": false,
  "reactHydrationErrors": false, "chunkLoadErrors": false}}';
ALTER TABLE organizations ADD COLUMN privacy_settings jsonb NOT NULL DEFAULT '{}';

-- A limit belongs to a client key, to a project, or else to the organization. Categories are sorted; none means all.
CREATE TABLE quotas (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id bigint REFERENCES projects (id) ON DELETE CASCADE,
  key_id bigint REFERENCES client_keys (id) ON DELETE CASCADE,
  categories text[] NOT NULL,
  item_limit bigint NOT NULL CHECK (item_limit >= 0),
  window_seconds integer NOT NULL CHECK (window_seconds > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(project_id, key_id) <= 1),
  CONSTRAINT quotas_counter_uidx UNIQUE NULLS NOT DISTINCT
    (organization_id, project_id, key_id, window_seconds, categories)
);
CREATE INDEX quotas_project_idx ON quotas (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX quotas_key_idx ON quotas (key_id) WHERE key_id IS NOT NULL;
