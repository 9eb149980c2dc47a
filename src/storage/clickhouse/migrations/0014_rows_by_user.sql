-- Who events and transactions name, a second time in the order of users: the pages of users read those few rows, and not days.
-- It is part of each part of its table, so it is deleted, merged and dropped with its rows. Parts that were there before get
-- theirs in the background, and are read as before until then.
ALTER TABLE events MODIFY SETTING
  deduplicate_merge_projection_mode = 'rebuild',
  lightweight_mutation_projection_mode = 'rebuild';

ALTER TABLE transactions MODIFY SETTING
  deduplicate_merge_projection_mode = 'rebuild',
  lightweight_mutation_projection_mode = 'rebuild';

ALTER TABLE events ADD PROJECTION IF NOT EXISTS by_user (
  SELECT organization_id, project_id, user_id, user_email, user_username, user_ip, user_hash, occurred_at, grouping_hash, type,
    environment
  ORDER BY project_id, user_id, user_email, user_username, user_ip
);

ALTER TABLE transactions ADD PROJECTION IF NOT EXISTS by_user (
  SELECT organization_id, project_id, user_id, user_email, user_username, user_ip, started_at, environment
  ORDER BY project_id, user_id, user_email, user_username, user_ip
);

ALTER TABLE events MATERIALIZE PROJECTION by_user SETTINGS mutations_sync = 0;

ALTER TABLE transactions MATERIALIZE PROJECTION by_user SETTINGS mutations_sync = 0;
