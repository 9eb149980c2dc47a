import { continuousHref, profileHref } from '#app/[org]/profile-href.ts';
import { PROFILER_ATTRIBUTES, THREAD_ATTRIBUTE } from '#domain/traces/profiler-attributes.ts';
import type { TraceOutline } from '#product/traces/trace-outline.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedSpan } from '#protocol/telemetry.ts';

/** A profile of something in a trace. */
export type TraceProfile = {
  key: string;
  /** What was profiled. */
  name: string;
  /** Slug. */
  project: string;
  /** Microseconds; null when unknown. */
  durationUs: number | null;
  /** Milliseconds since the epoch. */
  atMs: number;
  /** The span that it is of; null when the trace has none. */
  spanId: string | null;
  href: string;
};

const US_PER_MS = 1_000;

/**
 * The profiles of the transactions of a trace, whether they came as transactions or span by span, and those of the trace
 * that none of them names; oldest first.
 */
export function placeProfiles(
  {
    transactions,
    roots,
    profiles,
    projects,
  }: Pick<TraceOutline, 'transactions' | 'roots' | 'profiles' | 'projects'>,
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
        project: slug,
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
  const placed = new Set(ofTransactions.map(({ spanId }) => spanId));
  const ofRoots = roots.flatMap(({ spanId, projectSlug, ...root }): TraceProfile[] => {
    if (root.profilerId === null || placed.has(spanId)) return [];
    const range = { fromMs: root.startedAtUs / US_PER_MS, toMs: root.endedAtUs / US_PER_MS };
    return [
      {
        key: spanId,
        name: root.name,
        project: projectSlug,
        durationUs: root.endedAtUs - root.startedAtUs,
        atMs: range.fromMs,
        spanId,
        href: continuousHref(organizationSlug, projectSlug, {
          profilerId: root.profilerId,
          threadId: root.threadId,
          range,
        }),
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
        project: slug,
        durationUs: row.durationMs === null ? null : row.durationMs * US_PER_MS,
        atMs: row.occurredAt,
        spanId: null,
        href: profileHref(organizationSlug, slug, row),
      },
    ];
  });
  return [...ofTransactions, ...ofRoots, ...others].toSorted((a, b) => a.atMs - b.atMs);
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
    threadId: threadOf(attributes[THREAD_ATTRIBUTE]),
  });
}

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
