-- What of a day's rows belongs to which project, by weight: measured anew when the day has other rows. What the rows take of
-- the disk is known of the whole day only.
CREATE TABLE storage_shares (
  kind text NOT NULL,
  day date NOT NULL,
  project_id bigint NOT NULL,
  organization_id bigint NOT NULL,
  row_count bigint NOT NULL,
  weight double precision NOT NULL,
  -- Rows of the whole day when it was measured.
  day_row_count bigint NOT NULL,
  PRIMARY KEY (kind, day, project_id)
);

-- What a person decided that a project may occupy; without a row it has its fair share.
CREATE TABLE project_budgets (
  project_id bigint PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  bytes bigint NOT NULL CHECK (bytes > 0)
);

-- Whose data was dropped: null for a day of all projects. Hours are those of arrival; empty for the whole day.
ALTER TABLE retention_drops
  ADD COLUMN project_id bigint,
  ADD COLUMN hours smallint[] NOT NULL DEFAULT '{}';
ALTER TABLE retention_drops DROP CONSTRAINT retention_drops_reason_check;
ALTER TABLE retention_drops ADD CONSTRAINT retention_drops_reason_check
  CHECK (reason IN ('age', 'disk_budget', 'blob_budget', 'project_budget'));
