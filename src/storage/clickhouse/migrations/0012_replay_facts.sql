-- What the list of replays shows and searches. Empty, and 0, in rows that are older than this file.
ALTER TABLE replays ADD COLUMN IF NOT EXISTS user_email String CODEC(ZSTD(1));
ALTER TABLE replays ADD COLUMN IF NOT EXISTS user_username String CODEC(ZSTD(1));
ALTER TABLE replays ADD COLUMN IF NOT EXISTS user_ip String CODEC(ZSTD(1));
ALTER TABLE replays ADD COLUMN IF NOT EXISTS browser_name LowCardinality(String);
ALTER TABLE replays ADD COLUMN IF NOT EXISTS browser_version LowCardinality(String);
ALTER TABLE replays ADD COLUMN IF NOT EXISTS os_name LowCardinality(String);
ALTER TABLE replays ADD COLUMN IF NOT EXISTS os_version LowCardinality(String);

-- Clicks of the segment that led to nothing, and those of them that were repeated in anger.
ALTER TABLE replay_segments ADD COLUMN IF NOT EXISTS dead_clicks UInt32 CODEC(ZSTD(1));
ALTER TABLE replay_segments ADD COLUMN IF NOT EXISTS rage_clicks UInt32 CODEC(ZSTD(1));
