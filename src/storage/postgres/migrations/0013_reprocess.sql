-- Uploads that are applied to stored events: changes of the grouping, whose events also get other bodies.
ALTER TABLE grouping_changes DROP CONSTRAINT grouping_changes_kind_check;
ALTER TABLE grouping_changes ADD CONSTRAINT grouping_changes_kind_check
  CHECK (kind IN ('merge', 'unmerge', 'regroup', 'reprocess'));

-- Which events a change of that kind is about.
CREATE TABLE reprocess_scopes (
  change_id bigint PRIMARY KEY REFERENCES grouping_changes (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('release', 'issue', 'bundle')),
  -- A version, or the number of an issue or a bundle, which may be gone since.
  name text NOT NULL
);
CREATE INDEX reprocess_scopes_name_idx ON reprocess_scopes (kind, name);
