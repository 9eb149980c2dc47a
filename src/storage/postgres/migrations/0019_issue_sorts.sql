-- The sorts that the stream got: by users, by growth, and by priority.
ALTER TABLE saved_searches DROP CONSTRAINT IF EXISTS saved_searches_sort_check;
ALTER TABLE saved_searches ADD CONSTRAINT saved_searches_sort_check
  CHECK (sort IN ('date', 'new', 'trends', 'freq', 'user', 'priority'));
