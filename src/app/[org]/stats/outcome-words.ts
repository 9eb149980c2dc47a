import type { Category, Outcome } from '#protocol/outcome.ts';

/** How an outcome is called and drawn. */
export type OutcomeLook = { label: string; color: string; meaning: string };

export const OUTCOME_LOOKS: Readonly<Record<Outcome, OutcomeLook>> = {
  accepted: {
    label: 'Accepted',
    color: 'var(--color-chart)',
    meaning: 'Stored, and counted in its issue.',
  },
  filtered: {
    label: 'Filtered',
    color: 'var(--color-chart-6)',
    meaning: 'Not kept: a rule of the project, or a kind of data that is not stored yet.',
  },
  rate_limited: {
    label: 'Rate limited',
    color: 'var(--color-chart-3)',
    meaning: 'Turned away because too much came at once.',
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

/** What a reason means and what can be done about it, in sentences. */
export type ReasonWords = { label: string; meaning: string; advice: string };

const REASONS: Readonly<Record<string, ReasonWords>> = {
  'accepted/': { label: 'Stored', meaning: 'Everything went well.', advice: 'Nothing to do.' },
  'invalid/duplicate': {
    label: 'Duplicate',
    meaning: 'An event with the same id had come within the last 24 hours. It was counted once.',
    advice:
      'Usually an SDK that repeated a request. When there are many: check that events do not share an id.',
  },
  'filtered/unsupported_item': {
    label: 'Not supported yet',
    meaning: 'The SDK sent a kind of data that this version of Errata does not store.',
    advice: 'Turn that feature off in the SDK to save the traffic, or leave it: it does no harm.',
  },
  'invalid/quarantined': {
    label: 'Set aside',
    meaning: 'Reading the item failed three times, so it was put aside whole. Nothing is lost.',
    advice: 'On the server: `npx errata quarantine list`, and `replay` after an upgrade.',
  },
  'invalid/too_large': {
    label: 'Too large',
    meaning: 'The item was larger than its limit: 1 MiB for an event.',
    advice: 'Send less with each event: fewer breadcrumbs, shorter variables and extra data.',
  },
  'invalid/invalid_json': {
    label: 'Not valid JSON',
    meaning: 'The event was no JSON object.',
    advice: 'Update the SDK. If a proxy changes requests on their way, let it pass them as they are.',
  },
  'invalid/invalid_envelope': {
    label: 'Broken envelope',
    meaning: 'The request did not have the shape of an envelope, or ended too early.',
    advice: 'Update the SDK, and check that no proxy cuts or rewrites requests.',
  },
  'invalid/invalid_body': {
    label: 'Unreadable body',
    meaning: 'The body could not be decompressed or read to its end.',
    advice: 'Check for proxies that change the encoding, and for connections that break.',
  },
  'invalid/duplicate_item': {
    label: 'Two events at once',
    meaning: 'An envelope may hold one event, and this one held more.',
    advice: 'Send one envelope for each event.',
  },
  'invalid/invalid_event_id': {
    label: 'Bad event id',
    meaning: 'The id of the event was not 32 hex digits.',
    advice: 'Let the SDK choose the id, or send 32 hex digits.',
  },
  'invalid/project_mismatch': {
    label: 'Wrong project',
    meaning: 'The key of the request belongs to another project than the address.',
    advice: 'Copy the DSN again from the project and use it whole.',
  },
  'invalid/project_deleted': {
    label: 'Project deleted',
    meaning: 'The project was deleted while the event waited to be stored.',
    advice: 'Remove the DSN from programs that still send with it.',
  },
  'invalid/disabled_key': {
    label: 'Disabled key',
    meaning: 'The client key is disabled, so everything sent with it is turned away.',
    advice: "Enable the key in the project's client keys, or give the program another DSN.",
  },
  'invalid/invalid_dsn': {
    label: 'Bad DSN in the envelope',
    meaning: 'The envelope names a DSN that is none.',
    advice: 'Copy the DSN again from the project and use it whole.',
  },
  'invalid/dsn_mismatch': {
    label: 'Two DSNs',
    meaning: 'The envelope names another DSN than the request was sent to.',
    advice: 'A tunnel or proxy forwards to the wrong project: check its target.',
  },
  'invalid/invalid': {
    label: 'Bad request',
    meaning: 'The request could not be understood.',
    advice: "The answer's `detail` says why: look at the SDK's debug output.",
  },
  'client_discard/queue_overflow': {
    label: 'Queue of the SDK full',
    meaning: 'More happened at once than the SDK holds back.',
    advice: 'Look for an error in a loop.',
  },
  'client_discard/ratelimit_backoff': {
    label: 'Waiting after a refusal',
    meaning: 'The SDK had been told to wait, and dropped what came meanwhile.',
    advice: 'See what was rate limited at that time.',
  },
  'client_discard/network_error': {
    label: 'Server not reached',
    meaning: 'The SDK could not send.',
    advice: 'Check the network and firewalls between the program and this server.',
  },
  'client_discard/before_send': {
    label: 'Dropped by beforeSend',
    meaning: "The program's own hook decided not to send it.",
    advice: 'Nothing to do, if that is what the hook is for.',
  },
  'client_discard/event_processor': {
    label: 'Dropped by a filter of the SDK',
    meaning: 'A filter in the program, for example ignoreErrors, decided not to send it.',
    advice: 'Nothing to do, if that is what the filter is for.',
  },
  'client_discard/sample_rate': {
    label: 'Sampled out',
    meaning: 'The SDK sends only a part, as its sample rate says.',
    advice: 'Raise the sample rate to see more.',
  },
};

/** Words for an outcome's reason; a reason that is not known here shows as it is. */
export function reasonWords(outcome: string, reason: string): ReasonWords {
  const known = REASONS[`${outcome}/${reason}`];
  if (known) return known;
  const look = OUTCOME_LOOKS[outcome as Outcome] as OutcomeLook | undefined;
  const words = reason.replaceAll('_', ' ').trim();
  return {
    label: words === '' ? (look?.label ?? outcome) : words.charAt(0).toUpperCase() + words.slice(1),
    meaning: look?.meaning ?? 'The server gave this reason.',
    advice: 'Look for the reason in the documentation of outcomes.',
  };
}
