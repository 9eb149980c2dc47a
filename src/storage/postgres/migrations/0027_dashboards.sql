-- Widgets and filters are documents: they are read and written whole, and nothing is searched inside them.
CREATE TABLE dashboards (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  title text NOT NULL,
  description text NOT NULL,
  widgets jsonb NOT NULL,
  variables jsonb NOT NULL,
  filters jsonb NOT NULL,
  -- Counts changes: who saves says which one they have seen.
  version integer NOT NULL DEFAULT 1,
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX dashboards_title_uidx ON dashboards (organization_id, lower(title));
CREATE INDEX dashboards_created_by_idx ON dashboards (created_by);

-- Whose list a dashboard is at the top of.
CREATE TABLE dashboard_stars (
  dashboard_id bigint NOT NULL REFERENCES dashboards (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (dashboard_id, user_id)
);
CREATE INDEX dashboard_stars_user_idx ON dashboard_stars (user_id);
