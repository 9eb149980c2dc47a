-- Public pages of dashboards.
CREATE TABLE dashboard_shares (
  dashboard_id bigint PRIMARY KEY REFERENCES dashboards (id) ON DELETE CASCADE,
  -- SHA-256 of the token; the token itself is shown once and never kept.
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  -- All that the page may count, whatever the dashboard is changed to later.
  project_ids bigint[] NOT NULL CHECK (cardinality(project_ids) > 0),
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX dashboard_shares_created_by_idx ON dashboard_shares (created_by);
