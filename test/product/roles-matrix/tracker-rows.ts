import type { OpenTracker, TrackerIssue } from '#delivery/ports/tracker-client.ts';
import { getWeekOverview } from '#product/overview/get-week-overview.ts';
import { getWeekWatch } from '#product/overview/get-week-watch.ts';
import { findPlaces } from '#product/places/find-places.ts';
import {
  createTrackerIssue,
  draftTrackerIssue,
  findTrackerIssues,
  linkTrackerIssue,
  listTrackerProjects,
} from '#product/trackers/link-tracker-issue.ts';
import {
  connectTracker,
  disconnectTracker,
  listTrackers,
  setHookSecret,
  updateTracker,
} from '#product/trackers/trackers.ts';
import { NOON_MS } from '../../contract/sample-events.ts';
import { reads, settings, type VerbRow, works } from './rows.ts';
import type { MatrixScene } from './scene.ts';

const ISSUE: TrackerIssue = {
  key: 'acme/web#1',
  url: 'https://github.com/acme/web/issues/1',
  title: 'Cart',
  state: 'open',
  stateName: 'Open',
};
const done = async <Value>(value: Value) => ({ kind: 'done' as const, value });

/** Nothing leaves the house. */
export const openTracker: OpenTracker = () => ({
  whoAmI: () => done({ name: 'ana' }),
  listProjects: () => done([]),
  createIssue: () => done(ISSUE),
  findIssues: () => done([]),
  getIssue: () => done(ISSUE),
});

export const newTracker = async (s: MatrixScene): Promise<number> => {
  const draft = {
    kind: 'github' as const,
    name: s.unique(),
    url: 'https://github.com',
    login: null,
    account: 'ana',
  };
  return (
    await s.product.stores.trackers.add(s.mine.id, draft, { token: 't', hookSecret: 's' }, null, NOON_MS)
  ).id;
};

const input = (s: MatrixScene) => ({ name: s.unique(), url: null, login: null, token: 'token' });
const projectId = 'acme/web';

export const TRACKER_CHANGES: Readonly<Record<string, VerbRow>> = {
  connectTracker: settings('manager', 'integration.add', (ctx, s) =>
    connectTracker(ctx, openTracker, { ...input(s), kind: 'github' }),
  ),
  updateTracker: settings('manager', 'integration.edit', async (ctx, s) =>
    updateTracker(ctx, openTracker, { ...input(s), trackerId: await newTracker(s) }),
  ),
  setHookSecret: settings('manager', 'integration.edit', async (ctx, s) =>
    setHookSecret(ctx, { trackerId: await newTracker(s), given: null }),
  ),
  disconnectTracker: settings('manager', 'integration.remove', async (ctx, s) =>
    disconnectTracker(ctx, await newTracker(s)),
  ),
  createTrackerIssue: works('member', async (ctx, s) =>
    createTrackerIssue(ctx, openTracker, await s.newIssue(), {
      trackerId: await newTracker(s),
      projectId,
      title: 'Cart',
      body: '',
    }),
  ),
  linkTrackerIssue: works('member', async (ctx, s) =>
    linkTrackerIssue(ctx, openTracker, await s.newIssue(), {
      trackerId: await newTracker(s),
      reference: ISSUE.key,
    }),
  ),
};

export const TRACKER_READS: Readonly<Record<string, VerbRow>> = {
  getWeekOverview: reads('viewer', (ctx) => getWeekOverview(ctx)),
  findPlaces: reads('viewer', (ctx) => findPlaces(ctx, 'web')),
  getWeekWatch: reads('viewer', (ctx) => getWeekWatch(ctx)),
  listTrackers: reads('viewer', (ctx) => listTrackers(ctx)),
  draftTrackerIssue: reads('viewer', (ctx, s) => draftTrackerIssue(ctx, s.issue, 'github')),
  listTrackerProjects: reads('member', async (ctx, s) =>
    listTrackerProjects(ctx, openTracker, { trackerId: await newTracker(s), text: '' }),
  ),
  findTrackerIssues: reads('member', async (ctx, s) =>
    findTrackerIssues(ctx, openTracker, { trackerId: await newTracker(s), projectId, text: '' }),
  ),
};

/** Mails are composed for a reader, and webhooks are known by their signature. */
export const TRACKER_PARTS: readonly string[] = [
  'composeActivity',
  'composeReport',
  'findFixedIssues',
  'findIssueIds',
  'applyHookEvent',
  'hookUrlOf',
  'trackerNotFound',
  'reachTracker',
];
