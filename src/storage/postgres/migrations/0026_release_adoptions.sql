-- Which releases most programs ran at some time: a share of the sessions of a project in an environment, measured each
-- hour. A release that has a row without an end is adopted; one with an end was, and another took its place.
CREATE TABLE release_adoptions (
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  release_id bigint NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- Empty for sessions without one.
  environment text NOT NULL,
  adopted_at timestamptz NOT NULL,
  replaced_at timestamptz,
  PRIMARY KEY (release_id, project_id, environment)
);
CREATE INDEX release_adoptions_current_idx ON release_adoptions (organization_id) WHERE replaced_at IS NULL;
CREATE INDEX release_adoptions_project_idx ON release_adoptions (project_id);
