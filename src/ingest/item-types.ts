import type { Category } from '#protocol/outcome.ts';

/**
 * Data category of every item type of the protocol. Types that are missing here are unknown to the protocol.
 * Source: relay-server/src/envelope/item.rs and relay-base-schema/src/data_category.rs.
 */
const CATEGORY_OF: Readonly<Record<string, Category>> = {
  event: 'error',
  transaction: 'transaction',
  span: 'span',
  log: 'log_item',
  trace_metric: 'trace_metric',
  attachment: 'attachment',
  session: 'session',
  sessions: 'session',
  check_in: 'monitor',
  feedback: 'feedback',
  user_report: 'user_report_v2',
  replay_event: 'replay',
  replay_recording: 'replay',
  replay_video: 'replay',
  profile: 'profile',
  profile_chunk: 'profile_chunk',
  profile_chunk_ui: 'profile_chunk',
  statsd: 'statsd',
  metric_buckets: 'statsd',
  security: 'security',
  raw_security: 'security',
  nel: 'security',
};

export const categoryOf = (itemType: string): Category => CATEGORY_OF[itemType] ?? 'unknown';
