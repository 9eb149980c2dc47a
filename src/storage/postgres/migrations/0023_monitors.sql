-- Monitors of scheduled jobs: what is expected of them, and how each stands in its environments.
CREATE TABLE monitors (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  guid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  slug text NOT NULL,
  name text NOT NULL,
  -- As SDKs send it, see src/protocol/monitor-config.ts; null when nothing is expected.
  schedule jsonb,
  time_zone text NOT NULL DEFAULT 'UTC',
  -- Minutes.
  checkin_margin integer NOT NULL DEFAULT 1,
  max_runtime integer NOT NULL DEFAULT 30,
  -- In a row.
  failure_issue_threshold integer NOT NULL DEFAULT 1,
  recovery_threshold integer NOT NULL DEFAULT 1,
  owner_user_id text REFERENCES users (id) ON DELETE SET NULL,
  owner_team_id bigint REFERENCES teams (id) ON DELETE SET NULL,
  is_disabled boolean NOT NULL DEFAULT false,
  is_muted boolean NOT NULL DEFAULT false,
  -- Whether the schedule came with a check-in, and so may change with one.
  is_upserting boolean NOT NULL DEFAULT false,
  -- Why the configuration that an SDK sent last was not taken; null when it was.
  config_problem text,
  created_at timestamptz NOT NULL,
  CHECK (num_nonnulls(owner_user_id, owner_team_id) <= 1)
);
CREATE UNIQUE INDEX monitors_slug_uidx ON monitors (project_id, slug);
CREATE INDEX monitors_organization_idx ON monitors (organization_id);

CREATE TABLE monitor_environments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  monitor_id bigint NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  name text NOT NULL,
  is_disabled boolean NOT NULL DEFAULT false,
  is_muted boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  first_check_in_at timestamptz,
  last_check_in_at timestamptz,
  last_ok_at timestamptz,
  last_result_at timestamptz,
  next_expected_at timestamptz,
  deadline_at timestamptz,
  failures integer NOT NULL DEFAULT 0,
  successes integer NOT NULL DEFAULT 0,
  incident_id text,
  incident_started_at timestamptz,
  -- When the last of its failures that was told happened; null when none was.
  incident_told_at timestamptz,
  -- Runs that are open, and a few that have ended: see src/domain/monitors/monitor-state.ts.
  runs jsonb NOT NULL DEFAULT '[]',
  -- When something is to be looked for next: a run that is missed, or one that takes too long.
  due_at timestamptz,
  -- Since when another schedule counts that has not been looked at yet.
  rescheduled_at timestamptz
);
CREATE UNIQUE INDEX monitor_environments_name_uidx ON monitor_environments (monitor_id, name);
CREATE INDEX monitor_environments_due_idx ON monitor_environments (due_at) WHERE due_at IS NOT NULL;

-- Check-ins that digest has stored and that have not been looked at yet, in their order.
CREATE TABLE monitor_check_ins (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL,
  project_id bigint NOT NULL,
  slug text NOT NULL,
  environment text NOT NULL,
  check_in_id text,
  status text NOT NULL,
  at timestamptz NOT NULL,
  trace_id text,
  config jsonb
);

-- What was found out and has not been stored and told yet, in its order.
CREATE TABLE monitor_facts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fact jsonb NOT NULL,
  created_at timestamptz NOT NULL
);

-- Up to when what each edge received has been stored, and the times in which it could receive nothing.
CREATE TABLE ingest_marks (
  spool_id text PRIMARY KEY,
  complete_until timestamptz NOT NULL,
  gaps jsonb NOT NULL DEFAULT '[]',
  updated_at timestamptz NOT NULL
);
