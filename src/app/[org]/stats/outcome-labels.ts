import type { Category, EXPIRED, Outcome } from '#protocol/outcome.ts';
import { CLIENT_DISCARD_LABELS } from './reason-labels/client-discard.ts';
import { INVALID_KIND_LABELS } from './reason-labels/invalid-kind.ts';
import { INVALID_ITEM_LABELS, INVALID_REQUEST_LABELS } from './reason-labels/invalid-request.ts';
import {
  ACCEPTED_LABELS,
  EXPIRED_LABELS,
  FILTERED_LABELS,
  type LabelsByReason,
  RATE_LIMITED_LABELS,
  type ReasonLabels,
} from './reason-labels/reason-labels.ts';

/** How an outcome is called and drawn. */
export type OutcomeAppearance = { label: string; color: string; meaning: string };

export const OUTCOME_APPEARANCE: Readonly<Record<Outcome, OutcomeAppearance>> = {
  accepted: {
    label: 'Accepted',
    color: 'var(--color-chart)',
    meaning: 'Stored. Events are counted in their issue.',
  },
  filtered: {
    label: 'Filtered',
    color: 'var(--color-chart-6)',
    meaning: 'Dropped by an inbound filter, or the item type is unknown.',
  },
  rate_limited: {
    label: 'Rate limited',
    color: 'var(--color-chart-3)',
    meaning: 'Rejected because a limit of the key, project, or organization was reached.',
  },
  invalid: {
    label: 'Invalid',
    color: 'var(--color-chart-4)',
    meaning: 'Rejected because the data was not valid.',
  },
  client_discard: {
    label: 'Client discard',
    color: 'var(--color-chart-5)',
    meaning: 'Dropped by the SDK before it was sent.',
  },
};

/** Counted beside the outcomes: what was accepted once and has been dropped since. */
export const EXPIRED_APPEARANCE: OutcomeAppearance = {
  label: 'Expired',
  color: 'var(--color-border-strong)',
  meaning: 'Accepted, then dropped later.',
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
  statsd: 'Legacy metrics',
  unknown: 'Unknown items',
};

const REASONS: Readonly<Record<Outcome | typeof EXPIRED, LabelsByReason>> = {
  accepted: ACCEPTED_LABELS,
  filtered: FILTERED_LABELS,
  rate_limited: RATE_LIMITED_LABELS,
  invalid: { ...INVALID_REQUEST_LABELS, ...INVALID_ITEM_LABELS, ...INVALID_KIND_LABELS },
  client_discard: CLIENT_DISCARD_LABELS,
  expired: EXPIRED_LABELS,
};

/** Labels for an outcome's reason; null for an unknown one: SDKs and relays may report any. */
export function knownReasonLabels(outcome: string, reason: string): ReasonLabels | null {
  const words = Object.hasOwn(REASONS, outcome) ? REASONS[outcome as Outcome] : {};
  return (Object.hasOwn(words, reason) ? words[reason] : null) ?? null;
}

/** Labels for an outcome's reason; a reason that is not known here shows as it is. */
export function reasonLabel(outcome: string, reason: string): ReasonLabels {
  const known = knownReasonLabels(outcome, reason);
  if (known) return known;
  const appearance = OUTCOME_APPEARANCE[outcome as Outcome] as OutcomeAppearance | undefined;
  const words = reason.replaceAll('_', ' ').trim();
  return {
    label: words === '' ? (appearance?.label ?? outcome) : words.charAt(0).toUpperCase() + words.slice(1),
    meaning: appearance?.meaning ?? 'Reason reported by the server.',
    advice: 'Reason reported by an SDK or relay. See its documentation for details.',
  };
}
