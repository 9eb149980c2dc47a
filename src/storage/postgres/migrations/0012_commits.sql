ALTER TABLE releases
  ADD COLUMN started_at timestamptz,
  ADD COLUMN created_at timestamptz,
  ADD COLUMN url text,
  ADD COLUMN ref text,
  ADD COLUMN status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'archived'));

CREATE TABLE repositories (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- `owner/name`, as commits and uploads name it.
  name text NOT NULL,
  provider text NOT NULL DEFAULT 'unknown' CHECK (provider IN ('unknown', 'github', 'gitlab', 'bitbucket', 'gitea', 'other')),
  -- Of its pages, without a trailing slash; null when nobody told.
  url text,
  -- Of a file at a line, for `other`: with {commit}, {path} and {line}.
  link_template text,
  created_at timestamptz NOT NULL,
  CONSTRAINT repositories_name_uidx UNIQUE (organization_id, name)
);

CREATE TABLE commits (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  repository_id bigint NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  -- As the version control names it: a hash, mostly.
  key text NOT NULL,
  message text NOT NULL,
  author_name text,
  -- In lower case.
  author_email text,
  committed_at timestamptz NOT NULL,
  CONSTRAINT commits_key_uidx UNIQUE (repository_id, key)
);
-- An issue is resolved in a commit by the beginning of its key, in any case.
CREATE INDEX commits_key_start_idx ON commits (repository_id, lower(key) COLLATE "C");
CREATE INDEX commits_organization_idx ON commits (organization_id, committed_at DESC);

-- What each commit changed.
CREATE TABLE commit_files (
  commit_id bigint NOT NULL REFERENCES commits (id) ON DELETE CASCADE,
  path text NOT NULL,
  change text NOT NULL CHECK (change IN ('A', 'M', 'D')),
  PRIMARY KEY (commit_id, path)
);

CREATE TABLE release_commits (
  release_id bigint NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  commit_id bigint NOT NULL REFERENCES commits (id) ON DELETE CASCADE,
  -- 0 is the newest.
  position integer NOT NULL,
  PRIMARY KEY (release_id, commit_id)
);
CREATE INDEX release_commits_commit_idx ON release_commits (commit_id);

-- The commit that a release ends with, of each repository.
CREATE TABLE release_heads (
  release_id bigint NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  repository_id bigint NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  commit_key text NOT NULL,
  previous_key text,
  PRIMARY KEY (release_id, repository_id)
);

CREATE TABLE deploys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  release_id bigint NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  environment text NOT NULL,
  name text,
  url text,
  started_at timestamptz,
  finished_at timestamptz NOT NULL
);
CREATE INDEX deploys_release_idx ON deploys (release_id, finished_at DESC);

-- Where a path of a stack trace is in a repository: the longest root that fits counts.
CREATE TABLE code_mappings (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  repository_id bigint NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  stack_root text NOT NULL,
  source_root text NOT NULL,
  default_branch text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT code_mappings_root_uidx UNIQUE (project_id, stack_root)
);

-- Issues that wait for a release with the commit that fixes them.
CREATE INDEX issues_in_commit_idx ON issues (project_id)
  WHERE status = 'resolved' AND resolution ->> 'kind' = 'commit';
