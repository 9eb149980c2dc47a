-- Parts of uploads that wait to be put together; the bytes are in the store of uploaded files. Gone after a day.
CREATE TABLE upload_chunks (
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- SHA-1 of the bytes: what clients name them by.
  checksum bytea NOT NULL CHECK (octet_length(checksum) = 20),
  bytes bigint NOT NULL,
  uploaded_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, checksum)
);
CREATE INDEX upload_chunks_uploaded_idx ON upload_chunks (uploaded_at);

-- An archive of scripts, maps and sources, or one file that was uploaded by itself to a release.
CREATE TABLE artifact_bundles (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('bundle', 'release_file')),
  -- SHA-1 of the whole.
  checksum bytea NOT NULL CHECK (octet_length(checksum) = 20),
  bytes bigint NOT NULL,
  uploaded_at timestamptz NOT NULL,
  -- Of the newest event that a file of it served; renewed at most once an hour.
  used_at timestamptz NOT NULL
);
-- The same archive again is the same bundle; the same file may stand under several names.
CREATE UNIQUE INDEX artifact_bundles_checksum_uidx ON artifact_bundles (organization_id, checksum)
  WHERE kind = 'bundle';
CREATE INDEX artifact_bundles_uploaded_idx ON artifact_bundles (organization_id, uploaded_at DESC, id DESC);
CREATE INDEX artifact_bundles_used_idx ON artifact_bundles (used_at);

CREATE TABLE artifact_bundle_projects (
  bundle_id bigint NOT NULL REFERENCES artifact_bundles (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  PRIMARY KEY (bundle_id, project_id)
);
CREATE INDEX artifact_bundle_projects_project_idx ON artifact_bundle_projects (project_id);

CREATE TABLE artifact_bundle_releases (
  bundle_id bigint NOT NULL REFERENCES artifact_bundles (id) ON DELETE CASCADE,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- Need not be a release that exists yet.
  version text NOT NULL,
  -- Empty for none.
  dist text NOT NULL DEFAULT '',
  PRIMARY KEY (bundle_id, version, dist)
);
CREATE INDEX artifact_bundle_releases_version_idx ON artifact_bundle_releases (organization_id, version, dist);

CREATE TABLE artifact_files (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  bundle_id bigint NOT NULL REFERENCES artifact_bundles (id) ON DELETE CASCADE,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('minified_source', 'source_map', 'source', 'other')),
  -- As the script was named at the upload: `~/assets/app.js`. Empty when only the debug id names it.
  url text NOT NULL,
  debug_id uuid,
  -- Name within the archive; null for a file that was uploaded by itself.
  path text,
  -- Of the bytes that stand for the file: within the archive unpacked.
  bytes bigint NOT NULL,
  -- What the script says of its map: relative to `url`, or whole; null when nothing is said.
  source_map text,
  -- Names of headers in lower case.
  headers jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX artifact_files_debug_id_idx ON artifact_files (organization_id, debug_id) WHERE debug_id IS NOT NULL;
CREATE INDEX artifact_files_bundle_idx ON artifact_files (bundle_id, url);

-- What ProGuard and R8 say of the names that they changed.
CREATE TABLE deobfuscation_files (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  debug_id uuid NOT NULL,
  checksum bytea NOT NULL CHECK (octet_length(checksum) = 20),
  name text NOT NULL,
  bytes bigint NOT NULL,
  uploaded_at timestamptz NOT NULL,
  used_at timestamptz NOT NULL,
  UNIQUE (project_id, debug_id, checksum)
);
