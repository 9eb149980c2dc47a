import { filterEntries, type PageFilters, type QueryEntries, withQuery } from '#app/url-state.ts';
import type { EventProfile } from '#product/profiles/find-event-profile.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';

/** The page of a profile; of a chunk the page of its profiler, at the time of the chunk. */
export function profileHref(
  organizationSlug: string,
  projectSlug: string,
  profile: Pick<DigestedProfile, 'profileId' | 'profilerId' | 'occurredAt' | 'durationMs'>,
): string {
  const { profileId, profilerId, occurredAt, durationMs } = profile;
  if (profilerId === null) return `/${organizationSlug}/profiles/${projectSlug}/${profileId}`;
  const range = { fromMs: occurredAt, toMs: occurredAt + Math.max(1, Math.ceil(durationMs ?? 0)) };
  return continuousHref(organizationSlug, projectSlug, { profilerId, range, threadId: null });
}

/** The page of what was profiled while an event happened. */
export const eventProfileHref = (
  organizationSlug: string,
  projectSlug: string,
  profile: EventProfile,
): string =>
  profile.kind === 'continuous'
    ? continuousHref(organizationSlug, projectSlug, profile)
    : `/${organizationSlug}/profiles/${projectSlug}/${profile.profileId}`;

/** What a profiler saw in a range (milliseconds since the epoch), of one thread if it is named. */
export const continuousHref = (
  organizationSlug: string,
  projectSlug: string,
  of: { profilerId: string; range: { fromMs: number; toMs: number }; threadId: string | null },
): string =>
  withQuery(`/${organizationSlug}/profiles/${projectSlug}/continuous/${of.profilerId}`, {
    from: new Date(Math.floor(of.range.fromMs)).toISOString(),
    to: new Date(Math.ceil(of.range.toMs)).toISOString(),
    thread: of.threadId,
  });

/** The range of an address; null when it has none that can be read. */
export function parseRange(from: string | null, to: string | null): { fromMs: number; toMs: number } | null {
  const [fromMs, toMs] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
  return fromMs >= 0 && toMs > fromMs ? { fromMs, toMs } : null;
}

/** Which profiles a page merges; `transaction` null for all of the project. */
export type MergedPlace = {
  organizationSlug: string;
  projectSlug: string;
  transaction: string | null;
  /** The projects in it are not looked at. */
  filters: PageFilters;
};

/** The page of many profiles as one flame graph. */
export const mergedHref = (place: MergedPlace, release: string | null = null): string =>
  ofMany(place, 'merged', { release });

/** The page that compares functions on two sides, each a release; without them it chooses. */
export const comparedHref = (
  place: MergedPlace,
  sides: { before: string | null; after: string | null } = { before: null, after: null },
): string => ofMany(place, 'compare', sides);

const ofMany = (
  { organizationSlug, projectSlug, transaction, filters }: MergedPlace,
  page: 'merged' | 'compare',
  entries: QueryEntries,
): string =>
  withQuery(`/${organizationSlug}/profiles/${encodeURIComponent(projectSlug)}/${page}`, {
    transaction,
    ...filterEntries({ ...filters, projects: [] }),
    ...entries,
  });
