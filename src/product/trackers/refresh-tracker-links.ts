import type { OpenTracker, TrackerAnswer } from '#delivery/ports/tracker-client.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import type { Stores } from '#product/stores.ts';
import { linkTitle } from './link-tracker-issue.ts';

/** A webhook reports at once; whoever has set none up sees the state of issues no older than this. */
const STALE_AFTER_MS = 60 * 60_000;
/** Of one run, and how long it may take: it is due again ten minutes later. */
const LINKS_MAX = 500;
const RUN_MS_MAX = 5 * 60_000;
/** One that answers slowly does not hold up the others. */
const AT_ONCE_MAX = 4;
/** So many in a row, and a tracker is left alone for the rest of the run. */
const FAILURES_MAX = 3;
/** Sent before that, a message is not sent again. */
const HOOKS_KEPT_MS = 7 * 24 * 60 * 60_000;
const HOOKS_FORGOTTEN_MAX = 10_000;

type Parts = { stores: Pick<Stores, 'issueLinks' | 'trackers'>; openTracker: OpenTracker };
type Stale = { organizationId: number; trackerId: number; key: string };
type Run = {
  nowMs: number;
  /** Trackers that are not asked for their other issues any more. */
  silent: Set<number>;
  /** In a row, by tracker. */
  failures: Map<number, number>;
};

/** Asks trackers how their open issues are, those that were asked the longest ago first. Answers how many changed. */
export async function refreshTrackerLinks(
  parts: Parts,
  nowMs: number,
  { runMsMax = RUN_MS_MAX }: { runMsMax?: number } = {},
): Promise<number> {
  const { issueLinks, trackers } = parts.stores;
  const endsAt = performance.now() + runMsMax;
  const run: Run = { nowMs, silent: new Set(), failures: new Map() };
  const refresh = limitConcurrency(
    async (link: Stale) => (performance.now() < endsAt ? await refreshLink(parts, link, run) : 0),
    AT_ONCE_MAX,
  );
  const stale = await issueLinks.listStale(nowMs - STALE_AFTER_MS, LINKS_MAX);
  const changed = await Promise.all(stale.map((link) => refresh(link)));
  await trackers.forgetHooks(nowMs - HOOKS_KEPT_MS, HOOKS_FORGOTTEN_MAX);
  return changed.reduce((sum, count) => sum + count, 0);
}

async function refreshLink(
  { stores: { issueLinks, trackers }, openTracker }: Parts,
  { organizationId, trackerId, key }: Stale,
  run: Run,
): Promise<number> {
  const tracker = run.silent.has(trackerId) ? null : await trackers.find(organizationId, trackerId);
  const reading = tracker && (await trackers.readSecrets(organizationId, trackerId));
  const answer =
    tracker && reading?.kind === 'read'
      ? await openTracker({ ...tracker, token: reading.secrets.token }).getIssue(key)
      : null;
  if (answer) noteAnswer(run, trackerId, answer);
  if (answer?.kind === 'done' && answer.value) {
    const { state, stateName } = answer.value;
    const tracked = { trackerId, key, title: linkTitle(answer.value), state, stateName };
    return await issueLinks.noteTracked(organizationId, tracked, run.nowMs);
  }
  // What failed comes after those that were left out because of it: they have their turn next time.
  const checkedAt = answer?.kind === 'failed' ? run.nowMs + 1 : run.nowMs;
  await issueLinks.noteChecked(organizationId, { trackerId, key }, checkedAt);
  return 0;
}

/** One issue that was moved, or that the token may not see, says nothing of the others. */
function noteAnswer({ silent, failures }: Run, trackerId: number, answer: TrackerAnswer<unknown>): void {
  const inRow = answer.kind === 'failed' ? (failures.get(trackerId) ?? 0) + 1 : 0;
  failures.set(trackerId, inRow);
  if (inRow >= FAILURES_MAX || (answer.kind === 'failed' && answer.concernsAll)) silent.add(trackerId);
}
