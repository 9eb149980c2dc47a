-- On which days the events of a grouping hash had which values: a search for issues asks here, and not in five million
-- events, which hashes it is about. What is here may be of events that are gone, but no stored event is missing.
CREATE TABLE IF NOT EXISTS event_values (
  organization_id UInt64,
  project_id UInt64,
  -- What the value is of: a column, a list, `tag:` or `attribute:` with its key. Empty for every event, `!` for events
  -- that were taken away.
  field LowCardinality(String),
  value String CODEC(ZSTD(1)),
  -- As in the index of events.
  grouping_hash UInt128,
  -- The first day of the month, and which of its days, by the time of the events.
  month Date,
  days SimpleAggregateFunction(groupBitOr, UInt32)
)
ENGINE = AggregatingMergeTree
PARTITION BY month
ORDER BY (organization_id, project_id, field, value, grouping_hash, month)
SETTINGS
  index_granularity = 2048,
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1;

-- What was stored before. Rows that say the same become one, so that this may run again; groups that need too much memory
-- go to disk.
INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)
SELECT organization_id, project_id, item.1 AS field, item.2 AS value,
  reinterpretAsUInt128(reverse(unhex(grouping_hash))) AS hash, toStartOfMonth(day) AS month,
  toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1)) AS days
FROM (
  SELECT organization_id, project_id, grouping_hash, day, arrayJoin(list) AS item FROM (
    SELECT organization_id, project_id, grouping_hash, toDate(occurred_at) AS day, [
      ('', ''),
      ('type', toString(type)),
      ('level', toString(level)),
      ('platform', toString(platform)),
      ('logger', toString(logger)),
      ('title', if(match(title, '[0-9]{6}|[0-9a-fA-F]{16}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-'), char(1), title)),
      ('culprit', if(match(culprit, '[0-9]{6}|[0-9a-fA-F]{16}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-'), char(1), culprit)),
      ('release', toString(release)),
      ('dist', toString(dist)),
      ('environment', toString(environment)),
      ('transaction', if(match(toString(transaction), '[0-9]{6}|[0-9a-fA-F]{16}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-'), char(1), toString(transaction))),
      ('sdk.name', toString(sdk_name)),
      ('sdk.version', toString(sdk_version)),
      ('error.handled', if(is_unhandled, 'false', 'true')),
      ('stack.in_app', if(is_in_app, 'true', 'false'))
    ] AS list
    FROM events GROUP BY ALL
  )
)
WHERE value != '' OR field = ''
GROUP BY ALL
SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 200000;
INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)
SELECT organization_id, project_id, 'error.type' AS field, item AS value,
  reinterpretAsUInt128(reverse(unhex(grouping_hash))) AS hash, toStartOfMonth(day) AS month,
  toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1)) AS days
FROM (
  SELECT organization_id, project_id, grouping_hash, day, arrayJoin(list) AS item FROM (
    SELECT organization_id, project_id, grouping_hash, toDate(occurred_at) AS day, error_types AS list
    FROM events GROUP BY ALL
  )
)
WHERE value != '' OR field = ''
GROUP BY ALL
SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 200000;
INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)
SELECT organization_id, project_id, 'error.value' AS field,
  if(match(item, '[0-9]{6}|[0-9a-fA-F]{16}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-'), char(1), item) AS value,
  reinterpretAsUInt128(reverse(unhex(grouping_hash))) AS hash, toStartOfMonth(day) AS month,
  toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1)) AS days
FROM (
  SELECT organization_id, project_id, grouping_hash, day, arrayJoin(list) AS item FROM (
    SELECT organization_id, project_id, grouping_hash, toDate(occurred_at) AS day, error_values AS list
    FROM events GROUP BY ALL
  )
)
WHERE value != '' OR field = ''
GROUP BY ALL
SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 200000;
INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)
SELECT organization_id, project_id, 'error.mechanism' AS field, item AS value,
  reinterpretAsUInt128(reverse(unhex(grouping_hash))) AS hash, toStartOfMonth(day) AS month,
  toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1)) AS days
FROM (
  SELECT organization_id, project_id, grouping_hash, day, arrayJoin(list) AS item FROM (
    SELECT organization_id, project_id, grouping_hash, toDate(occurred_at) AS day, error_mechanisms AS list
    FROM events GROUP BY ALL
  )
)
WHERE value != '' OR field = ''
GROUP BY ALL
SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 200000;
INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)
SELECT organization_id, project_id, 'stack.filename' AS field, item AS value,
  reinterpretAsUInt128(reverse(unhex(grouping_hash))) AS hash, toStartOfMonth(day) AS month,
  toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1)) AS days
FROM (
  SELECT organization_id, project_id, grouping_hash, day, arrayJoin(list) AS item FROM (
    SELECT organization_id, project_id, grouping_hash, toDate(occurred_at) AS day, stack_filenames AS list
    FROM events GROUP BY ALL
  )
)
WHERE value != '' OR field = ''
GROUP BY ALL
SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 200000;
INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)
SELECT organization_id, project_id, 'stack.abs_path' AS field, item AS value,
  reinterpretAsUInt128(reverse(unhex(grouping_hash))) AS hash, toStartOfMonth(day) AS month,
  toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1)) AS days
FROM (
  SELECT organization_id, project_id, grouping_hash, day, arrayJoin(list) AS item FROM (
    SELECT organization_id, project_id, grouping_hash, toDate(occurred_at) AS day, stack_abs_paths AS list
    FROM events GROUP BY ALL
  )
)
WHERE value != '' OR field = ''
GROUP BY ALL
SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 200000;
INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)
SELECT organization_id, project_id, 'stack.function' AS field, item AS value,
  reinterpretAsUInt128(reverse(unhex(grouping_hash))) AS hash, toStartOfMonth(day) AS month,
  toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1)) AS days
FROM (
  SELECT organization_id, project_id, grouping_hash, day, arrayJoin(list) AS item FROM (
    SELECT organization_id, project_id, grouping_hash, toDate(occurred_at) AS day, stack_functions AS list
    FROM events GROUP BY ALL
  )
)
WHERE value != '' OR field = ''
GROUP BY ALL
SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 200000;
INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)
SELECT organization_id, project_id, 'stack.module' AS field, item AS value,
  reinterpretAsUInt128(reverse(unhex(grouping_hash))) AS hash, toStartOfMonth(day) AS month,
  toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1)) AS days
FROM (
  SELECT organization_id, project_id, grouping_hash, day, arrayJoin(list) AS item FROM (
    SELECT organization_id, project_id, grouping_hash, toDate(occurred_at) AS day, stack_modules AS list
    FROM events GROUP BY ALL
  )
)
WHERE value != '' OR field = ''
GROUP BY ALL
SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 200000;
INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)
SELECT organization_id, project_id, 'stack.package' AS field, item AS value,
  reinterpretAsUInt128(reverse(unhex(grouping_hash))) AS hash, toStartOfMonth(day) AS month,
  toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1)) AS days
FROM (
  SELECT organization_id, project_id, grouping_hash, day, arrayJoin(list) AS item FROM (
    SELECT organization_id, project_id, grouping_hash, toDate(occurred_at) AS day, stack_packages AS list
    FROM events GROUP BY ALL
  )
)
WHERE value != '' OR field = ''
GROUP BY ALL
SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 200000;
INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)
SELECT organization_id, project_id, concat('tag:', item.1) AS field,
  if(match(item.2, '[0-9]{6}|[0-9a-fA-F]{16}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-'), char(1), item.2) AS value,
  reinterpretAsUInt128(reverse(unhex(grouping_hash))) AS hash, toStartOfMonth(day) AS month,
  toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1)) AS days
FROM (
  SELECT organization_id, project_id, grouping_hash, day, arrayJoin(list) AS item FROM (
    SELECT organization_id, project_id, grouping_hash, toDate(occurred_at) AS day, CAST(tags AS Array(Tuple(String, String))) AS list
    FROM events
  )
)
WHERE value != '' OR field = ''
GROUP BY ALL
SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 200000;
INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)
SELECT organization_id, project_id, concat('attribute:', item.1) AS field,
  if(match(item.2, '[0-9]{6}|[0-9a-fA-F]{16}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-'), char(1), item.2) AS value,
  reinterpretAsUInt128(reverse(unhex(grouping_hash))) AS hash, toStartOfMonth(day) AS month,
  toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1)) AS days
FROM (
  SELECT organization_id, project_id, grouping_hash, day, arrayJoin(list) AS item FROM (
    SELECT organization_id, project_id, grouping_hash, toDate(occurred_at) AS day, CAST(attributes AS Array(Tuple(String, String))) AS list
    FROM events
  )
)
WHERE value != '' OR field = ''
GROUP BY ALL
SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 200000;
