import type { Level } from './event.ts';

export const TEXT_MATCHES = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'not_starts_with',
  'ends_with',
  'not_ends_with',
  'is_set',
  'is_not_set',
  'is_one_of',
  'is_not_one_of',
] as const;
export type TextMatch = (typeof TEXT_MATCHES)[number];

export const ALERT_ATTRIBUTES = [
  'message',
  'platform',
  'environment',
  'type',
  'error.handled',
  'error.unhandled',
  'exception.type',
  'exception.value',
  'user.id',
  'user.email',
  'user.username',
  'user.ip_address',
  'http.method',
  'http.url',
  'http.status_code',
  'sdk.name',
  'stacktrace.code',
  'stacktrace.module',
  'stacktrace.filename',
  'stacktrace.abs_path',
  'stacktrace.package',
  'device.screen_width_pixels',
  'device.screen_height_pixels',
  'device.screen_dpi',
  'device.screen_density',
  'app.in_foreground',
  'os.distribution_name',
  'os.distribution_version',
] as const;
export type AlertAttribute = (typeof ALERT_ATTRIBUTES)[number];

/**
 * What an alert asks of one event. Texts are compared in either case; of a tag or an attribute with several values one
 * is enough, and for a negated match none may fit. `is_one_of` lists its values with commas between them.
 */
export type EventFilter =
  | { kind: 'level'; match: 'equals' | 'at_least' | 'at_most'; level: Level }
  | { kind: 'tag'; key: string; match: TextMatch; value: string }
  | { kind: 'attribute'; attribute: AlertAttribute; match: TextMatch; value: string };
