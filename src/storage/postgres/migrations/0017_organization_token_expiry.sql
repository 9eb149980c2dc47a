-- Tokens of an organization may expire. Those from before do not: null.
ALTER TABLE organization_tokens ADD COLUMN expires_at timestamptz;
