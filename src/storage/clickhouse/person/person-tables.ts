import type { PersonKind } from '#storage/ports/person-data.ts';
import { TABLES } from '../telemetry/tables.ts';
import type { NamingColumns } from './person-names.ts';

/** How rows of a kind are told apart, and what of them may name a person. */
export type PersonTable = {
  table: string;
  /** A text that is one row's own, or of all rows that go together, in SQL. */
  rowId: string;
  /** When it arrived, in SQL; null where nothing says so. */
  receivedAt: string | null;
  /** null where rows only belong to a person by other rows. */
  naming: NamingColumns | null;
  /** Other rows that it belongs to the person by: a column here is the id of a noted row of that kind. */
  belongs: readonly { column: string; to: PersonKind; of?: string }[];
  blobKey: boolean;
};

const EVENT_NAMES: NamingColumns = {
  user: 'all',
  texts: [
    'payload',
    'title',
    'culprit',
    'message',
    'metadata',
    'toString(transaction)',
    'toString(logger)',
    'toString(environment)',
    'toString(release)',
  ],
  lists: ['mapValues(tags)', 'mapValues(attributes)', 'error_values'],
};

const attributeNames = (...texts: readonly string[]): NamingColumns => ({
  user: 'none',
  attributes: 'attributes_text',
  texts,
  lists: ['mapValues(attributes_text)'],
});

const RECEIVED = 'received_at';

/** In the order in which they are noted: a kind comes after those that it belongs by. */
export const PERSON_TABLES: Readonly<Record<PersonKind, PersonTable>> = {
  feedback: {
    table: TABLES.feedback.table,
    rowId: 'toString(feedback_id)',
    receivedAt: RECEIVED,
    naming: {
      user: 'none',
      email: 'email',
      texts: ['payload', 'message', 'name', 'email', 'url'],
      lists: [],
    },
    belongs: [],
    blobKey: false,
  },
  events: {
    table: 'events',
    rowId: 'toString(event_id)',
    receivedAt: RECEIVED,
    naming: EVENT_NAMES,
    // Feedback is an event as well.
    belongs: [{ column: 'toString(event_id)', to: 'feedback' }],
    blobKey: false,
  },
  stagedEvents: {
    table: 'reprocessed_events',
    rowId: 'toString(event_id)',
    receivedAt: RECEIVED,
    naming: EVENT_NAMES,
    belongs: [{ column: 'toString(event_id)', to: 'events' }],
    blobKey: false,
  },
  transactions: {
    table: TABLES.transactions.table,
    rowId: 'toString(event_id)',
    receivedAt: RECEIVED,
    naming: { user: 'all', texts: ['payload', 'toString(name)'], lists: ['mapValues(tags)'] },
    belongs: [],
    blobKey: false,
  },
  spans: {
    table: TABLES.spans.table,
    rowId: 'concat(trace_id, span_id)',
    receivedAt: RECEIVED,
    naming: { ...attributeNames('name', 'toString(segment_name)', 'links'), user: 'id' },
    belongs: [{ column: 'transaction_id', to: 'transactions' }],
    blobKey: false,
  },
  logs: {
    table: TABLES.logs.table,
    rowId: 'toString(row_id)',
    receivedAt: RECEIVED,
    naming: attributeNames('body'),
    belongs: [],
    blobKey: false,
  },
  metrics: {
    table: TABLES.metrics.table,
    rowId: 'toString(row_id)',
    receivedAt: RECEIVED,
    naming: attributeNames('toString(name)'),
    belongs: [],
    blobKey: false,
  },
  sessions: {
    table: TABLES.sessions.table,
    rowId: 'toString(row_id)',
    receivedAt: RECEIVED,
    naming: { user: 'none', distinctIdHash: 'distinct_id_hash', texts: ['user_agent'], lists: [] },
    belongs: [],
    blobKey: false,
  },
  replays: {
    table: TABLES.replays.table,
    // All segments of a replay show the same person.
    rowId: 'toString(replay_id)',
    receivedAt: RECEIVED,
    naming: { user: 'all', texts: ['payload'], lists: ['urls'] },
    belongs: [{ column: 'toString(replay_id)', to: 'feedback', of: 'replay_id' }],
    blobKey: false,
  },
  replaySegments: {
    table: TABLES.replaySegments.table,
    rowId: 'toString(replay_id)',
    receivedAt: RECEIVED,
    naming: null,
    belongs: [{ column: 'toString(replay_id)', to: 'replays' }],
    blobKey: true,
  },
  attachments: {
    table: TABLES.attachments.table,
    rowId: 'toString(attachment_id)',
    receivedAt: RECEIVED,
    naming: { user: 'none', texts: ['name'], lists: [] },
    belongs: [
      { column: 'toString(event_id)', to: 'events' },
      { column: 'toString(event_id)', to: 'transactions' },
    ],
    blobKey: true,
  },
  profiles: {
    table: TABLES.profiles.table,
    rowId: 'toString(profile_id)',
    receivedAt: RECEIVED,
    naming: { user: 'none', texts: ['toString(transaction_name)'], lists: [] },
    belongs: [{ column: 'toString(profile_id)', to: 'transactions', of: 'profile_id' }],
    blobKey: true,
  },
  searchValues: {
    table: 'event_values',
    rowId: "concat(hex(sipHash128(field, value)), ':', leftPad(lower(hex(grouping_hash)), 32, '0'))",
    receivedAt: null,
    naming: { user: 'none', texts: ['value'], lists: [] },
    belongs: [],
    blobKey: false,
  },
};

/** The order of `PERSON_TABLES`. */
export const KINDS_IN_ORDER = Object.keys(PERSON_TABLES) as readonly PersonKind[];

/** Feedback about an event of the person is noted once events are. */
export const FEEDBACK_ABOUT_EVENTS = { column: 'associated_event_id', to: 'events' } as const;
