-- Second factor, passkeys, sessions that tell when they were used, e-mail addresses that change, and the policy of an
-- organization. The tables two_factors and passkeys have the shape that better-auth expects (see auth-options.ts).

ALTER TABLE users ADD COLUMN two_factor_enabled boolean NOT NULL DEFAULT false;
-- True also for an address that the operator named. One that a user or an inviter wrote needs a proof, since single
-- sign-on finds accounts by it.
UPDATE users SET email_verified = true;

CREATE TABLE two_factors (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Both are encrypted with the secret of the instance.
  secret text NOT NULL,
  backup_codes text NOT NULL,
  -- False until the first code of the app was right.
  verified boolean DEFAULT true,
  failed_verification_count integer DEFAULT 0,
  locked_until timestamptz
);
CREATE INDEX two_factors_user_id_idx ON two_factors (user_id);

CREATE TABLE passkeys (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name text,
  public_key text NOT NULL,
  credential_id text NOT NULL UNIQUE,
  counter integer NOT NULL,
  device_type text NOT NULL,
  backed_up boolean NOT NULL,
  transports text,
  aaguid text,
  created_at timestamptz DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_user_id_idx ON passkeys (user_id);

ALTER TABLE sessions ADD COLUMN last_used_at timestamptz NOT NULL DEFAULT now();

-- One wish of a user at a time; the address changes when its link is opened.
CREATE TABLE email_changes (
  user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  email text NOT NULL,
  -- Whether the link went to the new address, so that opening it proves who reads mail there.
  is_mailed boolean NOT NULL,
  -- SHA-256 of the secret in the link.
  secret_hash bytea NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
  expires_at timestamptz NOT NULL
);

-- Members without a second factor set one up before pages of the organization open.
ALTER TABLE organizations ADD COLUMN requires_two_factor boolean NOT NULL DEFAULT false;
