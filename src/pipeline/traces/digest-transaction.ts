import type { ProcessingError } from '#protocol/event.ts';
import type { Outcome } from '#protocol/outcome.ts';
import { type DigestItem, discarded, type ItemResult } from '../item.ts';
import { correctClock } from '../normalize/clock.ts';
import { FieldReader, type Source } from '../normalize/field-reader.ts';
import { PROBLEMS_MAX } from '../normalize/limits.ts';
import { renameLegacyKeys } from '../normalize/normalize-event.ts';
import { parseJson } from '../parse-json.ts';
import { OutcomeTally } from '../telemetry/container.ts';
import { normalizeTransaction, validateTransaction } from './transaction-payload.ts';
import { transactionRow } from './transaction-row.ts';
import { childSpans, countSpans, type SpansContext, segmentSpan } from './transaction-spans.ts';

/**
 * Understands a transaction: validated, normalized as an event, filtered and scrubbed; a row of its own, one for each
 * of its spans, and one for its root span. Counts as one transaction and as all of these spans, also when it is
 * refused, as in the reference.
 */
export const digestTransaction: DigestItem = (item, context) => {
  const parsed = parseJson(item.payload);
  if (parsed.kind === 'unparseable') return discarded('transaction', 'invalid_json');
  const sent = renameLegacyKeys(parsed.value);
  const core = validateTransaction(sent);
  if (core === null) return refused(sent, 'invalid', 'invalid_transaction');

  const payload = normalizeTransaction(sent, core, item.payload, parsed.unsafeText, context);
  const filter = context.rules.filters.filterTransaction(
    {
      name: payload.transaction,
      userAgent: payload.request?.headers?.find(([name]) => name === 'User-Agent')?.[1] ?? null,
      release: payload.release ?? null,
      url: payload.request?.url ?? null,
      headers: payload.request?.headers ?? null,
      ipAddress: payload.user?.ip_address ?? null,
    },
    context,
  );
  if (filter !== null) return refused(sent, 'filtered', filter);

  const tally = new OutcomeTally('span');
  const reader = new FieldReader(parsed.unsafeText);
  const { shiftSeconds } = correctClock(new FieldReader(false), sent, context);
  const spansContext: SpansContext = {
    core,
    shiftUs: Math.round(shiftSeconds * 1_000_000),
    reader,
    tally,
    context,
  };
  const scrubbed = context.rules.scrubber.scrubRecord('transaction', payload);
  const draft = transactionRow(payload, scrubbed, core, 0, context);
  const inherited = {
    release: draft.release,
    environment: draft.environment,
    platform: draft.platform,
    sdkName: draft.sdk.name,
    userId: draft.user.id,
    segmentName: draft.name,
  };
  const root = segmentSpan(draft, payload, inherited, spansContext);
  const children = childSpans(sent, draft, inherited, spansContext);
  return {
    events: [],
    blobs: [],
    rows: {
      transactions: [
        { ...draft, spanCount: children.length, payload: withProblems(scrubbed, reader.problems) },
      ],
      spans: root === null ? children : [root, ...children],
    },
    outcomes: [{ category: 'transaction', outcome: 'accepted', reason: '', quantity: 1 }, ...tally.outcomes],
  };
};

const refused = (sent: Source, outcome: Outcome, reason: string): ItemResult => ({
  events: [],
  rows: {},
  blobs: [],
  outcomes: [
    { category: 'transaction', outcome, reason, quantity: 1 },
    { category: 'span', outcome, reason, quantity: countSpans(sent) + 1 },
  ],
});

function withProblems(payload: Source, problems: readonly ProcessingError[]): Source {
  if (problems.length === 0) return payload;
  const errors: readonly unknown[] = Array.isArray(payload.errors) ? payload.errors : [];
  return { ...payload, errors: [...errors, ...problems].slice(0, PROBLEMS_MAX) };
}
