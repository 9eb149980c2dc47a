import type { UptimeState } from '#domain/uptime/monitor.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS, SECOND_MS } from '#lib/time.ts';
import type { Services } from '#product/services.ts';
import { readHistories, type UptimeHistory } from './uptime-history.ts';

const SLUG = /^[A-Za-z0-9][A-Za-z0-9-]{1,62}[A-Za-z0-9]$/;
/** A page is read anew after so long, however many people look at it. */
const PAGE_AGE_MS_MAX = 20 * SECOND_MS;
/** Pages that are kept, and addresses that lead nowhere. */
const PAGES_MAX = 200;
const INCIDENTS_DAYS = 30;
const INCIDENTS_MAX = 50;

/**
 * What everybody may see: names, states, availability and times of chosen monitors, and URLs where an owner chose to. Why a
 * check failed, what it answered, and everything else of the organization is never read into it.
 */
export type PublicStatus = {
  title: string;
  monitors: readonly {
    name: string;
    /** null unless URLs are shown. */
    url: string | null;
    /** `paused` monitors are not checked. */
    state: UptimeState | 'paused';
    isInIncident: boolean;
    /** null when the analytic store does not answer. */
    history:
      | (Pick<UptimeHistory, 'fromMs' | 'bucketMs' | 'availability'> & {
          cells: readonly { successes: number; failures: number; unknown: number }[];
        })
      | null;
  }[];
  /** Of the last 30 days, newest first, without expiring certificates; milliseconds since the epoch. */
  incidents: readonly { monitor: string; startedAt: number; endedAt: number | null }[];
  /** Milliseconds since the epoch. */
  readAt: number;
};

type Kept = { at: number; page: Promise<PublicStatus | null> };
const kept = new Map<string, Kept>();

/** The page at the address; null when none is public there. */
export async function openStatusPage(
  services: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  slug: string,
): Promise<PublicStatus | null> {
  if (!SLUG.test(slug)) return null;
  const key = slug.toLowerCase();
  const known = kept.get(key);
  if (known && services.now() - known.at < PAGE_AGE_MS_MAX && services.now() >= known.at) {
    return await known.page;
  }
  const page = readStatusPage(services, key);
  kept.delete(key);
  kept.set(key, { at: services.now(), page });
  if (kept.size > PAGES_MAX) kept.delete(kept.keys().next().value!);
  // What could not be read is read again by the next one.
  page.catch(() => kept.delete(key));
  return await page;
}

/** Whoever changes a page sees the change at once, at least in this process. */
export function forgetStatusPages(): void {
  kept.clear();
}

async function readStatusPage(
  { stores, now }: Pick<Services, 'stores' | 'now'>,
  slug: string,
): Promise<PublicStatus | null> {
  const page = await stores.statusPages.open(slug);
  if (!page) return null;
  const { organizationId, monitorIds, showsUrls } = page;
  const found = await Promise.all(monitorIds.map((id) => stores.uptimeMonitors.find(organizationId, id)));
  const monitors = found.filter((monitor) => monitor !== null);
  const [histories, incidents] = await Promise.all([
    orUnavailable(readHistories({ stores, organizationId, now }, monitors, '90d')),
    stores.uptimeIncidents.list(organizationId, {
      monitorIds,
      sinceMs: now() - INCIDENTS_DAYS * DAY_MS,
      limit: INCIDENTS_MAX,
    }),
  ]);
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  const downtimes = incidents.filter(({ kind }) => kind === 'downtime');
  return {
    title: page.title,
    monitors: monitors.map(({ id, name, url, state, isEnabled }) => {
      const history = histories.ok ? histories.value.get(id) : undefined;
      return {
        name,
        url: showsUrls ? url : null,
        state: isEnabled ? state : 'paused',
        isInIncident: downtimes.some(({ monitorId, endedAt }) => monitorId === id && endedAt === null),
        history: history
          ? {
              fromMs: history.fromMs,
              bucketMs: history.bucketMs,
              availability: history.availability,
              cells: history.cells.map(({ successes, failures, unknown }) => ({
                successes,
                failures,
                unknown,
              })),
            }
          : null,
      };
    }),
    incidents: downtimes.map(({ monitorId, startedAt, endedAt }) => ({
      monitor: names.get(monitorId) ?? '',
      startedAt,
      endedAt,
    })),
    readAt: now(),
  };
}
