-- What is requested at an interval to see whether it is up.
CREATE TABLE uptime_monitors (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  url text NOT NULL,
  interval_seconds integer NOT NULL CHECK (interval_seconds IN (30, 60, 300, 600, 1200, 1800, 3600)),
  -- What is requested and expected: see src/domain/uptime/monitor.ts.
  definition jsonb NOT NULL,
  -- Values of the headers by name, encrypted with the secret of the instance; null for none.
  secret text,
  environment text,
  owner_user_id text REFERENCES users (id) ON DELETE SET NULL,
  owner_team_id bigint REFERENCES teams (id) ON DELETE SET NULL,
  is_enabled boolean NOT NULL DEFAULT true,
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- What the checks have told.
  state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'up', 'down')),
  state_since timestamptz,
  failures_in_row integer NOT NULL DEFAULT 0,
  successes_in_row integer NOT NULL DEFAULT 0,
  last_checked_at timestamptz,
  last_problem text,
  last_duration_ms double precision,
  certificate_expires_at timestamptz,
  -- When it is to be checked, and whether that is only to confirm a failure.
  next_check_at timestamptz NOT NULL,
  is_retry boolean NOT NULL DEFAULT false,
  -- Whoever checks it has it until then; afterwards others may.
  lease_until timestamptz,
  lease_token text
);
CREATE INDEX uptime_monitors_organization_idx ON uptime_monitors (organization_id, project_id);
CREATE INDEX uptime_monitors_due_idx ON uptime_monitors (next_check_at) WHERE is_enabled;

-- When a monitor was down, or its certificate about to expire. What digest and the issue have to be told is due until it is
-- noted as told.
CREATE TABLE uptime_incidents (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  monitor_id bigint NOT NULL REFERENCES uptime_monitors (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('downtime', 'certificate')),
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- Of the check that opened it: see src/domain/uptime/incident.ts.
  evidence jsonb NOT NULL,
  event_id text NOT NULL,
  start_told_at timestamptz,
  end_told_at timestamptz
);
CREATE UNIQUE INDEX uptime_incidents_open_uidx ON uptime_incidents (monitor_id, kind) WHERE ended_at IS NULL;
CREATE INDEX uptime_incidents_monitor_idx ON uptime_incidents (monitor_id, started_at DESC);
CREATE INDEX uptime_incidents_untold_idx ON uptime_incidents (started_at)
  WHERE start_told_at IS NULL OR (ended_at IS NOT NULL AND end_told_at IS NULL);

-- A page for everybody who has its address, with the monitors that were chosen.
CREATE TABLE status_pages (
  organization_id bigint PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  -- The last part of the address.
  slug text NOT NULL,
  title text NOT NULL,
  is_public boolean NOT NULL DEFAULT false,
  shows_urls boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX status_pages_slug_uidx ON status_pages (lower(slug));

CREATE TABLE status_page_monitors (
  organization_id bigint NOT NULL REFERENCES status_pages (organization_id) ON DELETE CASCADE,
  monitor_id bigint NOT NULL REFERENCES uptime_monitors (id) ON DELETE CASCADE,
  PRIMARY KEY (organization_id, monitor_id)
);
CREATE INDEX status_page_monitors_monitor_idx ON status_page_monitors (monitor_id);
