import type { ClickHouseSettings } from '@clickhouse/client';

/** Of statements over all shards. */
export const ACROSS_SHARDS: ClickHouseSettings = {
  // Answered when every shard has its rows on disk, and not when they wait to be sent.
  distributed_foreground_insert: 1,
  // A list that comes from another table is made once, of all shards.
  distributed_product_mode: 'global',
  // Of servers with the same rows always the same one, so that what was just written is read.
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  skip_unavailable_shards: 0,
};

/** The database of a cluster whose tables hold rows, beside the one in which all rows are seen. */
export const storedBeside = (name: string): string => `${name}_local`;
