import { hex } from '../query-params.ts';

/** By the 32 digits of an ID: rows about one event lie on one shard, so that they are joined and deleted there. */
const byText = (column: string): string => `cityHash64(toString(${column}))`;
const byNumber = (column: string): string => `cityHash64(${hex(column)})`;

/**
 * On which shard a row lies, by table. Rows with the same sorting key have the same key here, so that those that come
 * twice meet; so have the tables that statements delete or insert by each other: see docs/decisions/0074-clickhouse-clusters.md.
 */
export const SHARDING_KEYS: Readonly<Record<string, string>> = {
  events: byText('event_id'),
  event_index: byNumber('event_id'),
  regroup_moves: byNumber('event_id'),
  reprocessed_events: byText('event_id'),
  attachments: byText('event_id'),
  // Feedback is an event with the same ID.
  feedback: byText('feedback_id'),
  transactions: byText('event_id'),
  spans: byText('trace_id'),
  logs: byText('row_id'),
  metrics: byText('row_id'),
  sessions: byText('row_id'),
  check_ins: byText('check_in_id'),
  replays: byText('replay_id'),
  replay_segments: byText('replay_id'),
  profiles: byText('profile_id'),
  uptime_checks: byText('check_id'),
  // Values that are noted anew lie where the events do: all shards are asked for them.
  event_values: byNumber('grouping_hash'),
  // Noted on the shard of the row that they are about, and never from outside.
  person_rows: byText('row_id'),
};
