import { continuousHref, profileHref } from '#app/[org]/profile-href.ts';
import type { TraceOutline } from '#product/traces/trace-outline.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedSpan } from '#protocol/telemetry.ts';

/** A profile of something in a trace. */
export type TraceProfile = {
  key: string;
  /** What was profiled. */
  name: string;
  /** Microseconds; null when unknown. */
  durationUs: number | null;
  /** Milliseconds since the epoch. */
  atMs: number;
  /** The span that it is of; null when the trace has none. */
  spanId: string | null;
  href: string;
};

const US_PER_MS = 1_000;

/** The profiles of the transactions of a trace, and those of the trace that no transaction names; oldest first. */
export function placeProfiles(
  { transactions, profiles, projects }: Pick<TraceOutline, 'transactions' | 'profiles' | 'projects'>,
  organizationSlug: string,
): readonly TraceProfile[] {
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
  const ofTransactions = transactions.flatMap((row): TraceProfile[] => {
    const slug = slugs.get(row.projectId);
    const continuous = profilerOf(row.payload);
    if (slug === undefined || (row.profileId === null && continuous === null)) return [];
    const range = { fromMs: row.startedAtUs / US_PER_MS, toMs: row.endedAtUs / US_PER_MS };
    return [
      {
        key: row.eventId,
        name: row.name,
        durationUs: row.endedAtUs - row.startedAtUs,
        atMs: range.fromMs,
        spanId: row.spanId,
        href:
          row.profileId === null && continuous !== null
            ? continuousHref(organizationSlug, slug, { ...continuous, range })
            : `/${organizationSlug}/profiles/${slug}/${row.profileId}`,
      },
    ];
  });
  const named = new Set(transactions.map(({ profileId }) => profileId));
  const others = profiles.flatMap((row): TraceProfile[] => {
    const slug = slugs.get(row.projectId);
    if (slug === undefined || named.has(row.profileId)) return [];
    return [
      {
        key: row.profileId,
        name: row.transactionName ?? row.profileId,
        durationUs: row.durationMs === null ? null : row.durationMs * US_PER_MS,
        atMs: row.occurredAt,
        spanId: null,
        href: profileHref(organizationSlug, slug, row),
      },
    ];
  });
  return [...ofTransactions, ...others].toSorted((a, b) => a.atMs - b.atMs);
}

/** The continuous profile that ran during a span, by what the span says of it; null when it says nothing. */
export function profileOfSpan(
  { attributes, startedAtUs, durationUs }: Pick<DigestedSpan, 'attributes' | 'startedAtUs' | 'durationUs'>,
  organizationSlug: string,
  projectSlug: string,
): string | null {
  const profilerId = PROFILER_ATTRIBUTES.map((name) => idOf(attributes[name])).find((id) => id !== null);
  if (!profilerId || projectSlug === '') return null;
  const range = { fromMs: startedAtUs / US_PER_MS, toMs: (startedAtUs + durationUs) / US_PER_MS };
  return continuousHref(organizationSlug, projectSlug, {
    profilerId,
    range,
    threadId: threadOf(attributes['thread.id']),
  });
}

/** As SDKs call it: in spans of transactions, in spans by themselves, and before. */
const PROFILER_ATTRIBUTES = ['profiler_id', 'sentry.profiler_id', 'profiler.id'] as const;

/** What a transaction says of the profiler that ran during it. */
function profilerOf(
  payload: Readonly<Record<string, unknown>>,
): { profilerId: string; threadId: string | null } | null {
  const contexts = fieldsOf(payload.contexts);
  const data = fieldsOf(fieldsOf(contexts.trace).data);
  const profilerId = idOf(fieldsOf(contexts.profile).profiler_id) ?? idOf(data.profiler_id);
  return profilerId === null ? null : { profilerId, threadId: threadOf(data['thread.id']) };
}

const idOf = (value: unknown): string | null => (typeof value === 'string' ? parseEventId(value) : null);

const threadOf = (value: unknown): string | null =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : null;

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
