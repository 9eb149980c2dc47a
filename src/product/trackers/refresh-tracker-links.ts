import type { OpenTracker } from '#delivery/ports/tracker-client.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import type { Stores } from '#storage/ports/stores.ts';
import { linkTitle } from './link-tracker-issue.ts';

/** A webhook tells at once; whoever has set none up sees the state of issues no older than this. */
const STALE_AFTER_MS = 60 * 60_000;
/** Of one run, and how long it may take: it is due again ten minutes later. */
const LINKS_MAX = 500;
const RUN_MS_MAX = 5 * 60_000;
/** One that answers slowly does not hold up the others. */
const AT_ONCE_MAX = 4;
/** Sent before that, a message is not sent again. */
const HOOKS_KEPT_MS = 7 * 24 * 60 * 60_000;
const HOOKS_FORGOTTEN_MAX = 10_000;

type Parts = { stores: Pick<Stores, 'issueLinks' | 'trackers'>; openTracker: OpenTracker };
type Stale = { organizationId: number; trackerId: number; key: string };

/** Asks trackers how their open issues are, those that were asked the longest ago first. Answers how many changed. */
export async function refreshTrackerLinks(
  parts: Parts,
  nowMs: number,
  { runMsMax = RUN_MS_MAX }: { runMsMax?: number } = {},
): Promise<number> {
  const { issueLinks, trackers } = parts.stores;
  const endsAt = performance.now() + runMsMax;
  const silent = new Set<number>();
  const refresh = limitConcurrency(
    async (link: Stale) => (performance.now() < endsAt ? await refreshLink(parts, link, silent, nowMs) : 0),
    AT_ONCE_MAX,
  );
  const stale = await issueLinks.listStale(nowMs - STALE_AFTER_MS, LINKS_MAX);
  const changed = await Promise.all(stale.map((link) => refresh(link)));
  await trackers.forgetHooks(nowMs - HOOKS_KEPT_MS, HOOKS_FORGOTTEN_MAX);
  return changed.reduce((sum, count) => sum + count, 0);
}

/** `silent`: trackers that did not answer are not asked for each of their issues. */
async function refreshLink(
  { stores: { issueLinks, trackers }, openTracker }: Parts,
  { organizationId, trackerId, key }: Stale,
  silent: Set<number>,
  nowMs: number,
): Promise<number> {
  const tracker = silent.has(trackerId) ? null : await trackers.find(organizationId, trackerId);
  const reading = tracker && (await trackers.readSecrets(organizationId, trackerId));
  const answer =
    tracker && reading?.kind === 'read'
      ? await openTracker({ ...tracker, token: reading.secrets.token }).getIssue(key)
      : null;
  if (answer?.kind === 'done' && answer.value) {
    const { state, stateName } = answer.value;
    const tracked = { trackerId, key, title: linkTitle(answer.value), state, stateName };
    return await issueLinks.noteTracked(organizationId, tracked, nowMs);
  }
  if (answer?.kind === 'failed') silent.add(trackerId);
  await issueLinks.noteChecked(organizationId, { trackerId, key }, nowMs);
  return 0;
}
