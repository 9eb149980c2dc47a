import type { Category } from '#protocol/outcome.ts';

/** What people limit: categories that belong together, by a name that stays. */
export type LimitKind =
  | 'all'
  | 'errors'
  | 'transactions'
  | 'spans'
  | 'logs'
  | 'metrics'
  | 'attachments'
  | 'sessions'
  | 'check_ins'
  | 'feedback'
  | 'replays'
  | 'profiles';

export type LimitKindFacts = {
  kind: LimitKind;
  label: string;
  about: string;
  /** Sorted; none means all of them. */
  categories: readonly Category[];
};

/** In the order in which they are shown. */
export const LIMIT_KINDS: readonly LimitKindFacts[] = [
  {
    kind: 'all',
    label: 'All data',
    about: 'All categories combined.',
    categories: [],
  },
  {
    kind: 'errors',
    label: 'Errors',
    about: 'Error events, messages, crash dumps, and security reports.',
    categories: ['default', 'error', 'security'],
  },
  {
    kind: 'transactions',
    label: 'Transactions',
    about: 'Each transaction includes its spans.',
    categories: ['transaction'],
  },
  {
    kind: 'spans',
    label: 'Spans',
    about: 'Standalone spans, not part of a transaction.',
    categories: ['span'],
  },
  { kind: 'logs', label: 'Logs', about: 'Log lines, not requests.', categories: ['log_item'] },
  {
    kind: 'metrics',
    label: 'Metrics',
    about: 'Metric values, not requests.',
    categories: ['statsd', 'trace_metric'],
  },
  {
    kind: 'attachments',
    label: 'Attachments',
    about: 'Files attached to events. A crash dump that creates an event is always kept with it.',
    categories: ['attachment'],
  },
  { kind: 'sessions', label: 'Sessions', about: 'Release health updates.', categories: ['session'] },
  { kind: 'check_ins', label: 'Check-ins', about: 'Check-ins from scheduled jobs.', categories: ['monitor'] },
  {
    kind: 'feedback',
    label: 'User feedback',
    about: 'Messages from your users.',
    categories: ['feedback', 'user_report_v2'],
  },
  { kind: 'replays', label: 'Replays', about: 'Recording segments.', categories: ['replay'] },
  {
    kind: 'profiles',
    label: 'Profiles',
    about: 'Transaction profiles and continuous profile chunks.',
    categories: ['profile', 'profile_chunk'],
  },
];

/** What a client key's rate limit counts, as in the reference. */
export const KEY_LIMIT_KIND: LimitKind = 'errors';

export const factsOfKind = (kind: LimitKind): LimitKindFacts =>
  LIMIT_KINDS.find((facts) => facts.kind === kind)!;

/** null for a combination that no kind has. */
export function kindOfCategories(categories: readonly Category[]): LimitKind | null {
  const name = [...categories].sort().join();
  return LIMIT_KINDS.find((facts) => facts.categories.join() === name)?.kind ?? null;
}
