-- How an issue was resolved or archived. Both are JSON of a shape that `storage/ports/issue-states.ts` tells.
ALTER TABLE issues
  ADD COLUMN resolution jsonb,
  ADD COLUMN archive jsonb,
  -- When an archived issue comes back by itself; null without such a condition.
  ADD COLUMN archived_until timestamptz,
  -- The count of events with which an archived issue escalates: for good, or (a forecast) before that moment.
  ADD COLUMN escalates_at_times_seen bigint,
  ADD COLUMN escalates_before timestamptz,
  -- Since when it has its substatus; null for what it had from its first event, and for what was decided before.
  ADD COLUMN substatus_at timestamptz,
  -- Since when its priority is a person's choice; null while it follows level and substatus.
  ADD COLUMN priority_locked_at timestamptz;

UPDATE issues SET resolution = '{"kind": "now"}' WHERE status = 'resolved';
UPDATE issues SET archive = jsonb_build_object(
  'condition', jsonb_build_object('kind', CASE substatus WHEN 'archived_forever' THEN 'forever' ELSE 'escalating' END),
  'archivedAt', 0, 'timesSeen', times_seen, 'userId', NULL)
WHERE status = 'archived';
-- They count as urgent from now on for as long as those of later do.
UPDATE issues SET substatus_at = now() WHERE substatus IN ('regressed', 'escalating');

ALTER TABLE issues
  ADD CHECK ((status = 'resolved') = (resolution IS NOT NULL)),
  ADD CHECK ((status = 'archived') = (archive IS NOT NULL));

CREATE INDEX issues_next_release_idx ON issues (project_id)
  WHERE status = 'resolved' AND resolution ->> 'kind' = 'next_release';
CREATE INDEX issues_archived_until_idx ON issues (archived_until) WHERE archived_until IS NOT NULL;
-- Of archived issues, those that go on happening are looked at each minute.
CREATE INDEX issues_archive_watch_idx ON issues (last_seen)
  WHERE status = 'archived' AND substatus IN ('archived_until_escalating', 'archived_until_condition_met');
CREATE INDEX issues_settling_idx ON issues (substatus_at)
  WHERE status = 'unresolved' AND substatus IN ('regressed', 'escalating');

-- The parts of `package@version`, as far as it is a semantic version. `version_order` sorts as the versions do.
ALTER TABLE releases
  ADD COLUMN released_at timestamptz,
  ADD COLUMN package text,
  ADD COLUMN prerelease text,
  ADD COLUMN build text,
  ADD COLUMN version_order text COLLATE "C",
  ADD COLUMN is_parsed boolean NOT NULL DEFAULT false;
CREATE INDEX releases_unparsed_idx ON releases (id) WHERE NOT is_parsed;
CREATE INDEX releases_order_idx ON releases (organization_id, package, version_order) WHERE version_order IS NOT NULL;
