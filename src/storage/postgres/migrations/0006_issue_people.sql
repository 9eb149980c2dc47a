CREATE TABLE teams (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  slug text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT teams_slug_uidx UNIQUE (organization_id, slug)
);

CREATE TABLE team_members (
  team_id bigint NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (team_id, user_id)
);
CREATE INDEX team_members_user_idx ON team_members (user_id);

CREATE TABLE project_teams (
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  team_id bigint NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  PRIMARY KEY (project_id, team_id)
);
CREATE INDEX project_teams_team_idx ON project_teams (team_id);

-- An issue belongs to a person, to a team, or to nobody.
ALTER TABLE issues ADD COLUMN assignee_team_id bigint REFERENCES teams (id) ON DELETE SET NULL;
ALTER TABLE issues ADD CONSTRAINT issues_assignee_check CHECK (num_nonnulls(assignee_user_id, assignee_team_id) <= 1);
CREATE INDEX issues_assignee_team_idx ON issues (assignee_team_id) WHERE assignee_team_id IS NOT NULL;

CREATE TABLE issue_bookmarks (
  issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issue_id, user_id)
);
CREATE INDEX issue_bookmarks_user_idx ON issue_bookmarks (user_id);

-- A row with is_subscribed = false is somebody who does not want to hear of it: nothing subscribes them again.
CREATE TABLE issue_subscriptions (
  issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  is_subscribed boolean NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issue_id, user_id)
);
CREATE INDEX issue_subscriptions_user_idx ON issue_subscriptions (user_id);

CREATE TABLE issue_seen (
  issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (issue_id, user_id)
);
CREATE INDEX issue_seen_user_idx ON issue_seen (user_id);

CREATE TABLE issue_links (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  url text NOT NULL,
  title text NOT NULL,
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT issue_links_url_uidx UNIQUE (issue_id, url)
);

CREATE TABLE issue_shares (
  issue_id bigint PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  -- SHA-256 of the token; the token itself is shown once and never kept.
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
ALTER TABLE organizations ADD COLUMN allows_sharing boolean NOT NULL DEFAULT true;

CREATE TABLE ownership_rules (
  project_id bigint PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  rules text NOT NULL DEFAULT '',
  codeowners text NOT NULL DEFAULT '',
  -- What paths of stack traces begin with, and what stands there in the repository instead.
  stack_root text NOT NULL DEFAULT '',
  source_root text NOT NULL DEFAULT '',
  auto_assign boolean NOT NULL DEFAULT false,
  -- Counts every change: whoever saves says which version was edited.
  version bigint NOT NULL DEFAULT 1,
  updated_by text REFERENCES users (id) ON DELETE SET NULL,
  updated_at timestamptz NOT NULL
);

-- What was deleted together with its future: events with one of the hashes are dropped.
CREATE TABLE discarded_issues (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  short_id text NOT NULL,
  title text NOT NULL,
  culprit text NOT NULL,
  level text NOT NULL,
  discarded_by text REFERENCES users (id) ON DELETE SET NULL,
  discarded_at timestamptz NOT NULL
);
CREATE INDEX discarded_issues_project_idx ON discarded_issues (project_id, id DESC);

CREATE TABLE discarded_hashes (
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  hash text NOT NULL,
  discarded_issue_id bigint NOT NULL REFERENCES discarded_issues (id) ON DELETE CASCADE,
  PRIMARY KEY (project_id, hash)
);
CREATE INDEX discarded_hashes_issue_idx ON discarded_hashes (discarded_issue_id);

-- Events of deleted issues that have to go from the analytic store. No foreign keys: they go even when the project does.
CREATE TABLE issue_deletions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL,
  project_id bigint NOT NULL,
  hashes text[] NOT NULL,
  requested_by text,
  -- Events that arrived later are of another issue.
  requested_at timestamptz NOT NULL,
  done_at timestamptz
);
CREATE INDEX issue_deletions_waiting_idx ON issue_deletions (id) WHERE done_at IS NULL;
