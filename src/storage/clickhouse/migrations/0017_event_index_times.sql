-- A third smaller (15.0 instead of 21.7 MB for five million events), and quicker to read. Parts that are there change as they
-- are merged.
ALTER TABLE event_index MODIFY COLUMN occurred_at DateTime64(3, 'UTC') CODEC(T64, LZ4);
