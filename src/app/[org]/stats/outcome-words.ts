import type { Category, EXPIRED, Outcome } from '#protocol/outcome.ts';
import { CLIENT_DISCARD_WORDS } from './reason-words/client-discard.ts';
import { FILTERED_WORDS } from './reason-words/filtered.ts';
import { INVALID_ITEM_WORDS } from './reason-words/invalid-item.ts';
import { INVALID_KIND_WORDS } from './reason-words/invalid-kind.ts';
import { INVALID_REQUEST_WORDS } from './reason-words/invalid-request.ts';
import { RATE_LIMITED_WORDS } from './reason-words/rate-limited.ts';
import type { ReasonWords, WordsByReason } from './reason-words/reason-words.ts';
import { ACCEPTED_WORDS, EXPIRED_WORDS } from './reason-words/stored.ts';

/** How an outcome is called and drawn. */
export type OutcomeLook = { label: string; color: string; meaning: string };

export const OUTCOME_LOOKS: Readonly<Record<Outcome, OutcomeLook>> = {
  accepted: {
    label: 'Accepted',
    color: 'var(--color-chart)',
    meaning: 'Stored; an event is counted in its issue.',
  },
  filtered: {
    label: 'Filtered',
    color: 'var(--color-chart-6)',
    meaning: 'Not kept: a filter of the project matches, or the protocol does not know the kind.',
  },
  rate_limited: {
    label: 'Rate limited',
    color: 'var(--color-chart-3)',
    meaning: 'Turned away because a limit of the key, the project or the organization was reached.',
  },
  invalid: {
    label: 'Invalid',
    color: 'var(--color-chart-4)',
    meaning: 'Could not be used as it was sent.',
  },
  client_discard: {
    label: 'Dropped by the client',
    color: 'var(--color-chart-5)',
    meaning: 'The SDK told that it had dropped it before sending.',
  },
};

/** Counted beside the outcomes: what was accepted once and has been dropped since. */
export const EXPIRED_LOOK: OutcomeLook = {
  label: 'Expired',
  color: 'var(--color-border-strong)',
  meaning: 'Accepted once, and dropped since.',
};

export const CATEGORY_LABELS: Readonly<Record<Category, string>> = {
  error: 'Errors',
  default: 'Messages',
  security: 'Security reports',
  transaction: 'Transactions',
  span: 'Spans',
  log_item: 'Logs',
  trace_metric: 'Metrics',
  attachment: 'Attachments',
  session: 'Sessions',
  monitor: 'Check-ins',
  feedback: 'User feedback',
  user_report_v2: 'User reports',
  replay: 'Replays',
  profile: 'Profiles',
  profile_chunk: 'Profile chunks',
  statsd: 'Old metrics',
  unknown: 'Unknown items',
};

const REASONS: Readonly<Record<Outcome | typeof EXPIRED, WordsByReason>> = {
  accepted: ACCEPTED_WORDS,
  filtered: FILTERED_WORDS,
  rate_limited: RATE_LIMITED_WORDS,
  invalid: { ...INVALID_REQUEST_WORDS, ...INVALID_ITEM_WORDS, ...INVALID_KIND_WORDS },
  client_discard: CLIENT_DISCARD_WORDS,
  expired: EXPIRED_WORDS,
};

/** Words for an outcome's reason; null when there are none: SDKs and relays may name any. */
export function knownReasonWords(outcome: string, reason: string): ReasonWords | null {
  const words = Object.hasOwn(REASONS, outcome) ? REASONS[outcome as Outcome] : {};
  return (Object.hasOwn(words, reason) ? words[reason] : null) ?? null;
}

/** Words for an outcome's reason; a reason that is not known here shows as it is. */
export function reasonWords(outcome: string, reason: string): ReasonWords {
  const known = knownReasonWords(outcome, reason);
  if (known) return known;
  const look = OUTCOME_LOOKS[outcome as Outcome] as OutcomeLook | undefined;
  const words = reason.replaceAll('_', ' ').trim();
  return {
    label: words === '' ? (look?.label ?? outcome) : words.charAt(0).toUpperCase() + words.slice(1),
    meaning: look?.meaning ?? 'The server gave this reason.',
    advice: 'An SDK or a relay chose this name: its documentation says more.',
  };
}
