import type { ProcessingError } from '#protocol/event.ts';
import { attachmentRow } from '../attachments/digest-attachment.ts';
import { digestUserReport } from '../feedback/digest-feedback.ts';
import { accepted, type ItemContext, type ItemResult, NOTHING, type RawItem } from '../item.ts';
import { isSource, listOf, objectOf, pairsOf } from '../normalize/field-reader.ts';
import { rowIdOf } from '../telemetry/row-identity.ts';
import type { CrashFacts } from './crash-facts.ts';

type Sent = Readonly<Record<string, unknown>>;

/**
 * The event as if the SDK had sent what the dump says; what the SDK did send stays, besides exceptions and threads: of
 * those the dump knows better. Sources: `write_native_placeholder` in relay-server/src/utils/native.rs;
 * `merge_symbolicator_minidump_response` in sentry, src/sentry/lang/native/processing.py.
 */
export function applyCrash(event: Sent, facts: CrashFacts): Sent {
  if (facts.kind === 'unreadable') {
    return {
      ...event,
      platform: event.platform ?? 'native',
      level: event.level ?? 'fatal',
      exception: { values: [UNREADABLE] },
    };
  }
  const { images, threads, timestamp } = facts;
  const said = facts.event;
  const merged: Record<string, unknown> = { ...said, ...withoutNulls(event) };
  merged.platform = event.platform ?? said.platform ?? 'native';
  merged.level = event.level ?? said.level ?? 'fatal';
  merged.timestamp = event.timestamp ?? timestamp ?? undefined;
  merged.exception = { values: [facts.exception] };
  if (threads.length > 0) merged.threads = { values: threads };
  if (images.length > 0) merged.debug_meta = { ...objectOf(event.debug_meta), images };
  merged.contexts = mergeContexts(facts.contexts, objectOf(event.contexts));
  for (const name of ['user', 'extra'] as const) {
    if (isSource(said[name]) || isSource(event[name])) {
      merged[name] = { ...objectOf(said[name]), ...withoutNulls(objectOf(event[name])) };
    }
  }
  // Of equal keys the last one counts.
  merged.tags = [...pairsOf(said.tags), ...pairsOf(event.tags)];
  merged.breadcrumbs = [...listOf(event.breadcrumbs), ...listOf(said.breadcrumbs)];
  return merged;
}

/** Stands for a dump that could not be read, as in the reference. */
const UNREADABLE = {
  type: 'Minidump',
  value: 'Invalid Minidump',
  mechanism: { type: 'minidump', handled: false, synthetic: true },
};

/** Says on the event's page why a dump could not be read; null when it could. */
export const problemOfCrash = (facts: CrashFacts): ProcessingError | null =>
  facts.kind === 'unreadable' ? { type: 'invalid_minidump', name: 'minidump', reason: facts.reason } : null;

/** Field by field: the SDK knows more of the device than the dump. */
function mergeContexts(dump: Readonly<Record<string, Sent>>, sent: Sent): Record<string, unknown> {
  const contexts: Record<string, unknown> = { ...sent };
  for (const [name, context] of Object.entries(dump)) {
    contexts[name] = { ...context, ...withoutNulls(objectOf(sent[name])) };
  }
  return contexts;
}

const withoutNulls = (value: Sent): Sent =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null && each !== undefined));

/** The files of a crash report as attachments of its event, and what the user wrote as feedback; null without either. */
export function digestCrashFiles(item: RawItem, context: ItemContext): ItemResult | null {
  if (item.crash?.kind !== 'crash') return null;
  const { files, userReport } = item.crash;
  if (files.length === 0 && !userReport) return null;
  const attachments = files.map((file, index) =>
    attachmentRow({ ...file, attachmentId: rowIdOf(item.itemId, index) }, context),
  );
  const report = userReport ? reportOf(userReport, item, context) : NOTHING;
  return {
    ...NOTHING,
    rows: { ...report.rows, ...(attachments.length > 0 && { attachments }) },
    outcomes: [
      ...(attachments.length > 0 ? accepted('attachment', {}, attachments.length).outcomes : []),
      ...report.outcomes,
    ],
  };
}

function reportOf(
  { name, comments }: { name: string | null; comments: string },
  item: RawItem,
  context: ItemContext,
): ItemResult {
  const payload = Buffer.from(JSON.stringify({ event_id: context.envelopeEventId, name, comments }));
  return digestUserReport(
    { ...item, type: 'user_report', payload, blob: null, crash: null, itemId: rowIdOf(item.itemId, -1) },
    context,
  );
}
