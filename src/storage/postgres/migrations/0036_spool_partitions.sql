-- Who digests which part of a spool that several machines share, and how far it is. Positions are in spool_positions.
CREATE TABLE spool_workers (
  topic_id text NOT NULL,
  worker_id text NOT NULL,
  name text NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (topic_id, worker_id)
);

CREATE TABLE spool_partitions (
  topic_id text NOT NULL,
  partition integer NOT NULL,
  -- Who has it, or had it last.
  worker_id text,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  position bigint NOT NULL DEFAULT 0,
  end_position bigint NOT NULL DEFAULT 0,
  oldest_received_at timestamptz,
  records_per_second double precision NOT NULL DEFAULT 0,
  lost_records bigint NOT NULL DEFAULT 0,
  trouble text,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (topic_id, partition)
) WITH (fillfactor = 50);
