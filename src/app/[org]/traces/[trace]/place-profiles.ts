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
  /** The profiler that ran for longer than that; null for a profile of its own. */
  continuous: Profiler | null;
};

type Profiler = { profilerId: string; threadId: string | null };

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
        continuous: row.profileId === null ? continuous : null,
      },
    ];
  });
  const placed = new Set(ofTransactions.map(({ spanId }) => spanId));
  const ofRoots = roots.flatMap(({ spanId, projectSlug, ...root }): TraceProfile[] => {
    if (root.profilerId === null || placed.has(spanId)) return [];
    const range = { fromMs: root.startedAtUs / US_PER_MS, toMs: root.endedAtUs / US_PER_MS };
    const continuous = { profilerId: root.profilerId, threadId: root.threadId };
    return [
      {
        key: spanId,
        name: root.name,
        project: projectSlug,
        durationUs: root.endedAtUs - root.startedAtUs,
        atMs: range.fromMs,
        spanId,
        href: continuousHref(organizationSlug, projectSlug, { ...continuous, range }),
        continuous,
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
        continuous: null,
      },
    ];
  });
  return [...ofTransactions, ...ofRoots, ...others].toSorted((a, b) => a.atMs - b.atMs);
}

/** The profile of the transaction that a span is, or is part of; null when it has none. */
export function enclosingProfile(span: EnclosedSpan, profiles: readonly TraceProfile[]): TraceProfile | null {
  const { project } = span;
  for (let at: EnclosedSpan | null = span; at?.project === project; at = at.parent) {
    const { spanId } = at;
    const own = profiles.find((profile) => profile.spanId === spanId);
    if (own || at.isSegment) return own ?? null;
  }
  return null;
}

type EnclosedSpan = { spanId: string; project: string; isSegment: boolean; parent: EnclosedSpan | null };

/**
 * What a continuous profiler saw during a span, by what the span says of it, else its transaction (SDKs for JavaScript name
 * the profiler only there); null when neither says anything.
 */
export function profileOfSpan(
  { attributes, startedAtUs, durationUs }: Pick<DigestedSpan, 'attributes' | 'startedAtUs' | 'durationUs'>,
  organizationSlug: string,
  projectSlug: string,
  ofTransaction: Profiler | null = null,
): string | null {
  const named = PROFILER_ATTRIBUTES.map((name) => idOf(attributes[name])).find((id) => id !== null);
  const profilerId = named ?? ofTransaction?.profilerId;
  if (!profilerId || projectSlug === '') return null;
  const range = { fromMs: startedAtUs / US_PER_MS, toMs: (startedAtUs + durationUs) / US_PER_MS };
  return continuousHref(organizationSlug, projectSlug, {
    profilerId,
    range,
    threadId: threadOf(attributes[THREAD_ATTRIBUTE]) ?? ofTransaction?.threadId ?? null,
  });
}

/** What a transaction says of the profiler that ran during it. */
function profilerOf(payload: Readonly<Record<string, unknown>>): Profiler | null {
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
