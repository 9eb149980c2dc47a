import { findIssueEvent } from '#product/issues/issue-events.ts';
import { shareDashboard } from '#product/sharing/dashboard-sharing.ts';
import { ids as traceIds } from '../fill-telemetry.ts';
import { type ActionRow, BEFORE, below, form, placeOf, row, sharedPlace } from './action-row.ts';
import { newRule } from './alert-rows.ts';
import type { ClosedScene } from './closed-scene.ts';
import { newHeardMonitor, newMonitor } from './monitor-rows.ts';
import { SETTINGS_ACTION_ROWS } from './settings-action-rows.ts';
import { newTracker } from './tracker-rows.ts';
import { UPTIME_ACTIONS } from './uptime-rows.ts';

const place = (s: ClosedScene) => placeOf(s, s.issue);
const newPlace = async (s: ClosedScene) => placeOf(s, await s.newIssue());
const ids = async (s: ClosedScene, count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await s.newIssue()).id));
const rule = async (s: ClosedScene) => [s.mine.slug, await newRule(s)] as const;

const MONITOR = {
  scheduleType: 'crontab',
  schedule: '0 3 * * *',
  intervalUnit: 'minute',
  timeZone: 'UTC',
  checkinMargin: '1',
  maxRuntime: '30',
  failureIssueThreshold: '1',
  recoveryThreshold: '1',
  owner: 'none',
};

/** Every server action of an organization, by file and name. */
export const ACTION_ROWS: Readonly<Record<string, ActionRow>> = {
  ...SETTINGS_ACTION_ROWS,
  ...UPTIME_ACTIONS,
  'app/shell/palette/find-dsn-action.ts findDsn': row('listProjectKeys', (s) => [
    { organizationSlug: s.mine.slug, projectSlug: 'web' },
  ]),
  'app/[org]/projects/new/create-project-action.ts createProjectAction': row('createProject', (s) => [
    s.mine.slug,
    BEFORE,
    form({ slug: `new-${s.unique()}` }),
  ]),
  'app/[org]/issues/actions.ts triageIssues': row('updateIssues', async (s) => [
    {
      organizationSlug: s.mine.slug,
      action: { verb: 'prioritize', priority: 'low' },
      issueIds: await ids(s, 1),
    },
  ]),
  'app/[org]/issues/actions.ts undoTriage': row('restoreIssues', async (s) => {
    const entries = [{ issueId: (await s.newIssue()).id, priority: 'low', priorityLockedAt: null }];
    return [{ organizationSlug: s.mine.slug, restoration: { part: 'priority', entries } }];
  }),
  'app/[org]/replays/[replay]/actions.ts deleteReplayAction': row('deleteReplay', async (s) => [
    { organizationSlug: s.mine.slug, projectSlug: 'web', replayId: await s.newReplay() },
  ]),
  'app/[org]/issues/actions.ts findReleases': row('listProjectReleases', (s) => [
    { organizationSlug: s.mine.slug, scopes: [{ projectId: s.web.id, package: 'web' }], search: '' },
  ]),
  ...below('app/[org]/issues/[issue]/comments/comment-actions.ts', {
    addCommentAction: row('addComment', (s) => [place(s), 'Seen']),
    editCommentAction: row('editComment', async (s, { userId }) => [
      place(s),
      await s.newComment(userId),
      'Changed',
    ]),
    deleteCommentAction: row('deleteComment', async (s, { userId }) => [
      place(s),
      await s.newComment(userId),
    ]),
  }),
  'app/[org]/issues/[issue]/event/reply-actions.ts replyToFeedbackAction': row(
    'replyToFeedback',
    async (s) => {
      const feedback = await s.newFeedback();
      const event = await findIssueEvent(s.owner, feedback, 'latest');
      return [placeOf(s, feedback), event!.eventId, 'Fixed'];
    },
  ),
  'app/[org]/issues/[issue]/event/reply-actions.ts resendReplyAction': row('resendReply', async (s) => {
    const { issue, replyId } = await s.newFailedReply();
    return [placeOf(s, issue), replyId];
  }),
  ...below('app/[org]/issues/[issue]/people/actions.ts', {
    listTrackerProjectsAction: row('listTrackerProjects', async (s) => [place(s), await newTracker(s), '']),
    draftTrackerIssueAction: row('draftTrackerIssue', (s) => [place(s), 'github']),
    findTrackerIssuesAction: row('findTrackerIssues', async (s) => [
      place(s),
      { trackerId: await newTracker(s), projectId: 'acme/web', text: '' },
    ]),
    createTrackerIssueAction: row('createTrackerIssue', async (s) => [
      await newPlace(s),
      { trackerId: await newTracker(s), projectId: 'acme/web', title: 'Cart', body: '' },
    ]),
    linkTrackerIssueAction: row('linkTrackerIssue', async (s) => [
      await newPlace(s),
      { trackerId: await newTracker(s), reference: 'acme/web#1' },
    ]),
  }),
  ...below('app/[org]/issues/[issue]/people/actions.ts', {
    assignAction: row('updateIssues', async (s) => [await newPlace(s), null]),
    setUserStateAction: row('setUserState', async (s) => [await newPlace(s), { isBookmarked: true }]),
    addLinkAction: row('addLink', (s) => [
      place(s),
      { url: `https://tracker.example.com/${s.unique()}`, title: '' },
    ]),
    removeLinkAction: row('removeLink', async (s) => [place(s), await s.newLink()]),
    shareAction: row('shareIssue', (s) => [place(s), 7]),
    stopSharingAction: row('stopSharing', async (s) => [await sharedPlace(s)]),
    deleteIssueAction: row('deleteIssues', async (s) => [await newPlace(s), false]),
  }),
  'app/[org]/issues/actions.ts saveSearch': row('createSavedSearch', (s) => [
    {
      organizationSlug: s.mine.slug,
      name: s.unique(),
      query: 'is:unresolved',
      sort: 'date',
      isShared: false,
    },
  ]),
  'app/[org]/issues/actions.ts deleteSearch': row('deleteSavedSearch', async (s, { userId }) => [
    { organizationSlug: s.mine.slug, searchId: await s.newSearch(userId) },
  ]),
  'app/[org]/issues/grouping-changes/grouping-actions.ts previewMergeAction': row(
    'previewMerge',
    async (s) => [{ organizationSlug: s.mine.slug, issueIds: await ids(s, 2) }],
  ),
  'app/[org]/issues/grouping-changes/grouping-actions.ts mergeAction': row('mergeIssues', async (s) => [
    { organizationSlug: s.mine.slug, issueIds: await ids(s, 2) },
  ]),
  'app/[org]/issues/grouping-changes/grouping-actions.ts unmergeAction': row('unmergeHashes', async (s) => {
    const { target, hashes } = await s.newMerge();
    return [{ ...placeOf(s, target), hashes: hashes.slice(0, 1) }];
  }),
  'app/[org]/issues/grouping-changes/grouping-actions.ts undoChangeAction': row(
    'undoGroupingChange',
    async (s) => [{ organizationSlug: s.mine.slug, changeId: (await s.newMerge()).id }],
  ),
  'app/[org]/releases/actions.ts setReleaseStatusAction': row('updateRelease', async (s) => [
    s.mine.slug,
    { version: await s.newRelease(), status: 'archived' },
  ]),
  ...below('app/[org]/dashboards/dashboard-actions.ts', {
    createDashboardAction: row('createDashboard', (s) => [
      s.mine.slug,
      null,
      BEFORE,
      form({ title: s.unique(), template: 'web', json: '' }),
    ]),
    saveDashboardAction: row('updateDashboard', async (s) => [
      s.mine.slug,
      { id: await s.newDashboard(), version: 1 },
      BEFORE,
      form({ title: s.unique(), description: '', variables: 'release' }),
    ]),
    deleteDashboardAction: row('deleteDashboard', async (s) => [s.mine.slug, await s.newDashboard()]),
    duplicateDashboardAction: row('createDashboard', async (s) => [s.mine.slug, await s.newDashboard()]),
    starDashboardAction: row('starDashboard', async (s) => [
      s.mine.slug,
      { id: await s.newDashboard(), isStarred: true },
    ]),
    shareDashboardAction: row('shareDashboard', async (s) => [
      s.mine.slug,
      { id: await s.newDashboard({ projects: ['web'] }), days: 7 },
    ]),
    stopSharingDashboardAction: row('stopSharingDashboard', async (s) => {
      const id = await s.newDashboard({ projects: ['web'] });
      await shareDashboard(s.owner, id, { days: 7 });
      return [s.mine.slug, id];
    }),
    saveFiltersAction: row('updateDashboard', async (s) => [
      s.mine.slug,
      { id: await s.newDashboard(), version: 1, projects: ['web'], environments: [], period: '7d' },
    ]),
    arrangeWidgetsAction: row('updateDashboard', async (s) => [
      s.mine.slug,
      { id: await s.newDashboard(), version: 1, widgets: [] },
    ]),
    saveWidgetAction: row('updateDashboard', async (s) => [
      s.mine.slug,
      {
        id: await s.newDashboard(),
        version: 1,
        widget: { id: 'w1', title: 'Errors', display: 'number', functions: ['count()'] },
      },
    ]),
  }),
  ...below('app/[org]/explore/rows/add-to-dashboard-actions.ts', {
    listDashboardNamesAction: row('listDashboards', (s) => [s.mine.slug, null]),
    addToDashboardAction: row('createDashboard', (s) => [
      s.mine.slug,
      {
        page: 'traces',
        search: '?view=groups',
        title: 'Spans',
        display: 'line',
        target: { title: s.unique() },
      },
    ]),
  }),
  'app/[org]/explore/rows/saved-query-actions.ts saveQuery': row('createSavedQuery', (s) => [
    {
      organizationSlug: s.mine.slug,
      name: s.unique(),
      isShared: false,
      isStarred: false,
      page: 'traces',
      search: '?view=groups',
    },
  ]),
  'app/[org]/explore/rows/saved-query-actions.ts changeQuery': row(
    'updateSavedQuery',
    async (s, { userId }) => [
      {
        organizationSlug: s.mine.slug,
        queryId: await s.newQuery(userId),
        name: s.unique(),
        isShared: false,
      },
    ],
  ),
  'app/[org]/explore/rows/saved-query-actions.ts starQuery': row('starSavedQuery', async (s, { userId }) => [
    { organizationSlug: s.mine.slug, queryId: await s.newQuery(userId), isStarred: true },
  ]),
  'app/[org]/explore/rows/saved-query-actions.ts deleteQuery': row(
    'deleteSavedQuery',
    async (s, { userId }) => [{ organizationSlug: s.mine.slug, queryId: await s.newQuery(userId) }],
  ),
  'app/[org]/explore/logs/actions.ts followLogsAction': row('tailRows', (s) => [
    {
      organizationSlug: s.mine.slug,
      query: '',
      projectSlugs: [],
      environments: [],
      columns: [],
      sinceMs: s.range.fromMs,
    },
  ]),
  'app/[org]/explore/logs/actions.ts loadLogAction': row('getTelemetry', (s) => [
    { organizationSlug: s.mine.slug, projectSlug: 'web', id: traceIds.log },
  ]),
  'app/[org]/traces/[trace]/actions.ts loadSpanAction': row('getTraceSpan', (s) => [
    { organizationSlug: s.mine.slug, traceId: traceIds.trace, spanId: traceIds.root },
  ]),
  'app/[org]/search-box/suggest-action.ts suggest': row('suggestSearch', (s) => [
    { organizationSlug: s.mine.slug, subject: 'issues', query: 'release:', caret: 8, filters: {} },
  ]),
  'app/[org]/apply-uploads/actions.ts applyUploadsAction': row('startReprocess', async (s) => [
    s.mine.slug,
    {
      projectSlug: (await s.newProject()).slug,
      scope: { kind: 'release', version: s.version },
    },
  ]),
  'app/[org]/apply-uploads/actions.ts cancelApplyAction': row('cancelReprocess', async (s) => [
    s.mine.slug,
    await s.newReprocess(),
  ]),
  'app/[org]/alerts/actions.ts saveRuleAction': row('updateAlertRule', async (s) => [
    {
      orgSlug: s.mine.slug,
      projectSlug: 'web',
      ruleId: await newRule(s),
      input: {
        name: s.unique(),
        environment: null,
        owner: null,
        definition: {
          kind: 'issue',
          triggers: ['first_seen'],
          filters: [],
          filterMatch: 'all',
          frequencyMinutes: 30,
          receivers: [{ kind: 'destination', destinationId: s.destinationId }],
        },
      },
    },
  ]),
  'app/[org]/alerts/actions.ts enableRuleAction': row('setAlertRuleEnabled', async (s) => [
    s.mine.slug,
    { ruleId: await newRule(s), isEnabled: false },
  ]),
  'app/[org]/alerts/actions.ts snoozeRuleAction': row('snoozeAlertRule', async (s) => [
    s.mine.slug,
    { ruleId: await newRule(s), minutes: 60 },
  ]),
  'app/[org]/alerts/actions.ts testRoutesAction': row('testRoutes', (s) => [
    s.mine.slug,
    [{ kind: 'destination', destinationId: s.destinationId }],
  ]),
  'app/[org]/alerts/actions.ts deleteRuleAction': row('deleteAlertRule', rule),
  ...below('app/[org]/monitors/crons/actions.ts', {
    createMonitorAction: row('createMonitor', (s) => [
      s.mine.slug,
      {},
      BEFORE,
      form({ ...MONITOR, project: 'web', name: `Job ${s.unique()}` }),
    ]),
    updateMonitorAction: row('updateMonitor', async (s) => [
      s.mine.slug,
      { monitorId: (await newMonitor(s)).id },
      BEFORE,
      form({ ...MONITOR, name: s.unique() }),
    ]),
    switchMonitorAction: row('updateMonitor', async (s) => [
      s.mine.slug,
      { monitorId: (await newMonitor(s)).id, isMuted: true },
    ]),
    switchMonitorEnvironmentAction: row('updateMonitorEnvironment', async (s) => [
      s.mine.slug,
      { monitorId: (await newHeardMonitor(s)).id, environment: 'production', isMuted: true },
    ]),
    deleteMonitorEnvironmentAction: row('deleteMonitorEnvironment', async (s) => [
      s.mine.slug,
      { monitorId: (await newHeardMonitor(s)).id, environment: 'production' },
    ]),
    deleteMonitorAction: row('deleteMonitor', async (s) => [s.mine.slug, (await newMonitor(s)).id]),
  }),
};
