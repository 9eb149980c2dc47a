-- Who is told what: rules, what they found, and what was sent of it.

-- Where messages of an organization can go, besides its members' mail.
CREATE TABLE destinations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('webhook', 'slack', 'discord', 'msteams', 'pagerduty', 'telegram', 'mattermost',
    'google_chat', 'ntfy')),
  name text NOT NULL,
  -- What everybody of the organization may see.
  config jsonb NOT NULL DEFAULT '{}',
  -- Addresses that let whoever knows them post, tokens and signing keys: encrypted with the secret of the instance.
  secret text NOT NULL,
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  -- When its last message was taken, and since when each one failed; null when the last one was taken.
  last_sent_at timestamptz,
  failing_since timestamptz,
  last_error text
);
CREATE UNIQUE INDEX destinations_name_uidx ON destinations (organization_id, lower(name));

CREATE TABLE alert_rules (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('issue', 'metric')),
  name text NOT NULL,
  -- null for every one.
  environment text,
  owner_user_id text REFERENCES users (id) ON DELETE SET NULL,
  owner_team_id bigint REFERENCES teams (id) ON DELETE SET NULL,
  -- What it looks for, and whom it tells: see src/storage/ports/alert-rules.ts.
  definition jsonb NOT NULL,
  is_enabled boolean NOT NULL DEFAULT true,
  -- 'infinity' until somebody wakes it.
  snoozed_until timestamptz,
  snoozed_by text REFERENCES users (id) ON DELETE SET NULL,
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Of a metric: what it was when it was last looked at, and since when.
  metric_state text CHECK (metric_state IN ('ok', 'warning', 'critical')),
  metric_state_at timestamptz,
  metric_value double precision,
  metric_checked_at timestamptz,
  -- Why it could not be looked at; null when it could.
  metric_problem text
);
CREATE INDEX alert_rules_project_idx ON alert_rules (project_id);
CREATE INDEX alert_rules_metric_idx ON alert_rules (metric_checked_at NULLS FIRST) WHERE kind = 'metric' AND is_enabled;

-- A rule found what it looks for.
CREATE TABLE alert_firings (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  rule_id bigint NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
  -- null for a metric.
  issue_id bigint REFERENCES issues (id) ON DELETE CASCADE,
  event_id text,
  -- Which trigger it was, or which state of a metric was reached.
  cause text NOT NULL,
  value double precision,
  fired_at timestamptz NOT NULL,
  -- The news that it answers to, so that the same one fires a rule once; null for a metric.
  outbox_id bigint,
  -- Receivers that it was kept from, each with the reason: see src/storage/ports/alerts.ts.
  withheld jsonb NOT NULL DEFAULT '[]'
);
CREATE UNIQUE INDEX alert_firings_outbox_uidx ON alert_firings (rule_id, outbox_id) WHERE outbox_id IS NOT NULL;
CREATE INDEX alert_firings_newest_idx ON alert_firings (rule_id, fired_at DESC, id DESC);
CREATE INDEX alert_firings_issue_idx ON alert_firings (issue_id, rule_id, fired_at DESC) WHERE issue_id IS NOT NULL;
CREATE INDEX alert_firings_age_idx ON alert_firings (fired_at);

-- One message to one receiver. Its id goes with every try, so that a receiver can drop what it has already.
CREATE TABLE deliveries (
  id uuid PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('alert', 'closing', 'activity', 'report', 'test')),
  -- Either a destination, or the mail of a user.
  destination_id bigint REFERENCES destinations (id) ON DELETE CASCADE,
  user_id text REFERENCES users (id) ON DELETE CASCADE,
  -- What it tells besides firings: see src/storage/ports/deliveries.ts.
  subject jsonb NOT NULL DEFAULT '{}',
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'sealed', 'sent', 'failed', 'dropped')),
  -- Nobody sends it before.
  due_at timestamptz NOT NULL,
  -- What is sent, once it is decided (sealed): every try says the same.
  content jsonb,
  attempts integer NOT NULL DEFAULT 0,
  lease_until timestamptz,
  -- Of the last try: a sentence, and the status of HTTP.
  last_error text,
  last_status integer,
  created_at timestamptz NOT NULL,
  done_at timestamptz,
  CHECK ((destination_id IS NULL) <> (user_id IS NULL))
);
-- More firings for the same receiver join the message that is still open.
CREATE UNIQUE INDEX deliveries_open_destination_uidx ON deliveries (destination_id)
  WHERE state = 'open' AND kind = 'alert';
CREATE UNIQUE INDEX deliveries_open_user_uidx ON deliveries (organization_id, user_id)
  WHERE state = 'open' AND kind = 'alert';
CREATE INDEX deliveries_due_idx ON deliveries (due_at) WHERE state IN ('open', 'sealed');
CREATE INDEX deliveries_destination_idx ON deliveries (destination_id, created_at DESC) WHERE destination_id IS NOT NULL;
CREATE INDEX deliveries_user_idx ON deliveries (user_id, created_at DESC) WHERE user_id IS NOT NULL;
CREATE INDEX deliveries_sent_mail_idx ON deliveries (organization_id, done_at)
  WHERE user_id IS NOT NULL AND state = 'sent';
CREATE INDEX deliveries_age_idx ON deliveries (created_at);

CREATE TABLE delivery_firings (
  delivery_id uuid NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  firing_id bigint NOT NULL REFERENCES alert_firings (id) ON DELETE CASCADE,
  PRIMARY KEY (delivery_id, firing_id)
);
CREATE INDEX delivery_firings_firing_idx ON delivery_firings (firing_id);

-- What a member wants mail about, where it is not the default.
CREATE TABLE notification_settings (
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- null: everywhere that has no word of its own.
  organization_id bigint REFERENCES organizations (id) ON DELETE CASCADE,
  project_id bigint REFERENCES projects (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('alerts', 'assigned', 'mentions', 'workflow', 'weekly_report')),
  is_on boolean NOT NULL
);
CREATE UNIQUE INDEX notification_settings_uidx
  ON notification_settings (user_id, kind, organization_id, project_id) NULLS NOT DISTINCT;

-- News of kind 'event' answer to one rule, or with 0 to all of the project that look at events; those of others are for
-- every rule of the project. No foreign key: digest does not fail because somebody deletes a rule.
ALTER TABLE outbox
  ADD COLUMN rule_id bigint,
  -- Counts up when another event takes the place of the one that waits.
  ADD COLUMN version integer NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX outbox_event_uidx ON outbox (rule_id, issue_id) WHERE done_at IS NULL AND rule_id IS NOT NULL;

-- What a preview counts: the turns of closed issues.
CREATE INDEX activities_turns_idx ON activities (at) WHERE type IN ('set_regression', 'set_escalating');

-- What happened to issues that somebody may have to be told of, until it is decided who that is.
CREATE TABLE activity_news (
  activity_id bigint PRIMARY KEY REFERENCES activities (id) ON DELETE CASCADE
);

-- Whoever writes an activity, by whatever statement, leaves the news in the same transaction.
CREATE FUNCTION note_activity_news() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO activity_news (activity_id)
  SELECT id FROM fresh WHERE type IN ('note', 'assigned', 'set_resolved', 'set_resolved_in_release',
    'set_resolved_in_commit', 'set_unresolved', 'set_archived', 'set_regression', 'set_escalating')
  ON CONFLICT DO NOTHING;
  IF FOUND THEN PERFORM pg_notify('errata_activities', ''); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER activities_news AFTER INSERT ON activities
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION note_activity_news();

-- What a mail of the kind 'activity' tells, and why it concerns the reader.
CREATE TABLE delivery_activities (
  delivery_id uuid NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  activity_id bigint NOT NULL REFERENCES activities (id) ON DELETE CASCADE,
  reason text NOT NULL CHECK (reason IN ('assigned', 'mentioned', 'subscribed')),
  PRIMARY KEY (delivery_id, activity_id)
);
CREATE INDEX delivery_activities_activity_idx ON delivery_activities (activity_id);
-- What happens meanwhile joins the mail that has not been sent.
CREATE UNIQUE INDEX deliveries_open_activity_uidx ON deliveries (organization_id, user_id)
  WHERE state = 'open' AND kind = 'activity';
-- A week is reported to a member once.
CREATE UNIQUE INDEX deliveries_report_uidx ON deliveries (organization_id, user_id, (subject ->> 'weekStart'))
  WHERE kind = 'report';
CREATE INDEX alert_firings_week_idx ON alert_firings (organization_id, fired_at);
-- What regressed and what was fixed in a week, of all issues.
CREATE INDEX activities_week_idx ON activities (at)
  WHERE type IN ('set_regression', 'set_resolved', 'set_resolved_in_release', 'set_resolved_in_commit');
