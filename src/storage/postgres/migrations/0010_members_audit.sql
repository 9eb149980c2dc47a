-- Whether everybody reads every project, or only those of their teams.
ALTER TABLE organizations ADD COLUMN is_open boolean NOT NULL DEFAULT true;

-- Addresses with a former slug lead to the organization until another one takes it.
CREATE TABLE organization_former_slugs (
  slug text PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  changed_at timestamptz NOT NULL
);
CREATE INDEX organization_former_slugs_organization_idx ON organization_former_slugs (organization_id);

-- A member and an invitation have numbers of one series: both are rows of the API's list of members.
CREATE SEQUENCE member_ids;
ALTER TABLE memberships ADD COLUMN id bigint NOT NULL DEFAULT nextval('member_ids') UNIQUE;
ALTER TABLE memberships ADD COLUMN last_seen_at timestamptz;

CREATE TABLE invitations (
  id bigint PRIMARY KEY DEFAULT nextval('member_ids'),
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- In lower case.
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'manager', 'owner')),
  -- Teams that are gone by then are left out.
  team_ids bigint[] NOT NULL,
  -- SHA-256 of the token; the token itself is shown once and never kept.
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  invited_by text REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT invitations_email_uidx UNIQUE (organization_id, email)
);
CREATE INDEX invitations_invited_by_idx ON invitations (invited_by);

CREATE TABLE organization_tokens (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  scopes text[] NOT NULL,
  -- SHA-256 of the token; the token itself is shown once and never kept.
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  last_characters text NOT NULL,
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX organization_tokens_organization_idx ON organization_tokens (organization_id);

-- Who changed what. Nothing refers to users, tokens and targets: an entry outlives them, and says their names.
CREATE TABLE audit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  action text NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'token', 'organization_token', 'system')),
  -- Of the user, or of the owner of the token.
  actor_user_id text,
  actor_name text NOT NULL,
  token_id bigint,
  -- The address that the request came from.
  ip_address text,
  target_kind text NOT NULL,
  target_id text,
  target_name text NOT NULL,
  data jsonb NOT NULL
);
CREATE INDEX audit_entries_newest_idx ON audit_entries (organization_id, id DESC);
CREATE INDEX audit_entries_actor_idx ON audit_entries (organization_id, actor_user_id, id DESC);
CREATE INDEX audit_entries_action_idx ON audit_entries (organization_id, action, id DESC);
CREATE INDEX audit_entries_at_idx ON audit_entries (at);
