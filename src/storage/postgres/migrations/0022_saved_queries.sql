-- A question of Explore that somebody gave a name is a saved search of a dataset. `question` has how its rows are shown,
-- and of which projects, environments and time; searches of issues have a sort in its place.
ALTER TABLE saved_searches
  ADD COLUMN dataset text NOT NULL DEFAULT 'issues'
    CHECK (dataset IN ('issues', 'errors', 'spans', 'logs', 'metrics')),
  ADD COLUMN question jsonb,
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
  ALTER COLUMN sort DROP NOT NULL,
  ADD CONSTRAINT saved_searches_kind_check CHECK (
    (dataset = 'issues') = (sort IS NOT NULL) AND (dataset = 'issues') = (question IS NULL)
  );
UPDATE saved_searches SET updated_at = created_at;
-- A name may stand for a search of issues and for a question of Explore.
DROP INDEX saved_searches_own_uidx;
DROP INDEX saved_searches_shared_uidx;
CREATE UNIQUE INDEX saved_searches_own_uidx
  ON saved_searches (organization_id, user_id, (dataset = 'issues'), lower(name)) WHERE NOT is_shared;
CREATE UNIQUE INDEX saved_searches_shared_uidx
  ON saved_searches (organization_id, (dataset = 'issues'), lower(name)) WHERE is_shared;

-- Whose list a search is at the top of.
CREATE TABLE saved_search_stars (
  search_id bigint NOT NULL REFERENCES saved_searches (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (search_id, user_id)
);
CREATE INDEX saved_search_stars_user_idx ON saved_search_stars (user_id);
