-- A search that somebody gave a name. Shared ones are seen by the whole organization.
CREATE TABLE saved_searches (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name text NOT NULL,
  query text NOT NULL,
  sort text NOT NULL CHECK (sort IN ('date', 'new', 'freq')),
  is_shared boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- Among what one person sees under "mine", and what all see, a name stands for one search.
CREATE UNIQUE INDEX saved_searches_own_uidx ON saved_searches (organization_id, user_id, lower(name)) WHERE NOT is_shared;
CREATE UNIQUE INDEX saved_searches_shared_uidx ON saved_searches (organization_id, lower(name)) WHERE is_shared;
