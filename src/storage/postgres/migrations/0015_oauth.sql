-- Programs that registered themselves to act for people, as agents do. Anybody may register one, so a name proves nothing.
CREATE TABLE oauth_clients (
  id text PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX oauth_clients_created_idx ON oauth_clients (created_at);

-- What a person allowed a program to do in one organization.
CREATE TABLE oauth_grants (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id text NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  scopes text[] NOT NULL,
  -- What the program exchanges once for its first tokens: SHA-256, and what the exchange must fit.
  code_hash bytea NOT NULL UNIQUE CHECK (octet_length(code_hash) = 32),
  code_challenge text NOT NULL,
  redirect_uri text NOT NULL,
  code_expires_at timestamptz NOT NULL,
  code_used_at timestamptz,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  -- Of its newest refresh token; before the exchange of the code, of the code.
  expires_at timestamptz NOT NULL
);
CREATE INDEX oauth_grants_user_idx ON oauth_grants (user_id);
CREATE INDEX oauth_grants_client_idx ON oauth_grants (client_id);
CREATE INDEX oauth_grants_organization_idx ON oauth_grants (organization_id);
CREATE INDEX oauth_grants_expires_idx ON oauth_grants (expires_at);

CREATE TABLE oauth_tokens (
  -- SHA-256: the tokens themselves are given once and never kept.
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  grant_id bigint NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('access', 'refresh')),
  expires_at timestamptz NOT NULL,
  -- When a refresh token was exchanged for the next one.
  used_at timestamptz
);
CREATE INDEX oauth_tokens_grant_idx ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_expires_idx ON oauth_tokens (expires_at);
