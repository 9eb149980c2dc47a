import { WIDGET } from '#domain/dashboards/dashboard.ts';
import { getSecondFactorPolicy } from '#product/accounts/second-factor-policy.ts';
import { explainSourceMaps } from '#product/artifacts/explain-source-maps.ts';
import { listAssignees } from '#product/assignment/assignees.ts';
import {
  getEventAttachment,
  listEventAttachments,
  listIssueAttachments,
} from '#product/attachments/attachments.ts';
import { exportAuditEntries, listAuditActors, listAuditEntries } from '#product/audit/audit-log.ts';
import { findOverdueBackup, getBackupOverview } from '#product/backups/backup-settings.ts';
import { getLoadShedding } from '#product/capacity/get-load-shedding.ts';
import { listCodeMappings } from '#product/code-mappings/code-mappings.ts';
import { findSourceLink, linkFrames } from '#product/code-mappings/link-frames.ts';
import { findNewestActivity, listActivities } from '#product/comments/list-activities.ts';
import { getDashboard, listDashboards } from '#product/dashboards/dashboards.ts';
import { listVariableValues } from '#product/dashboards/list-variable-values.ts';
import { readWidget } from '#product/dashboards/read-widget.ts';
import { describeEvent } from '#product/event-description/describe-event.ts';
import { getEvent, getEventOrTransaction } from '#product/events/get-event.ts';
import { listProjectEvents } from '#product/events/list-project-events.ts';
import { listFacets } from '#product/explore/list-facets.ts';
import { listTraces } from '#product/explore/list-traces.ts';
import { contrastRows } from '#product/explore/rows/contrast-rows.ts';
import { explainSelection } from '#product/explore/rows/explain-selection.ts';
import { chartRows, groupRows, listRows, tailRows } from '#product/explore/rows/explored-rows.ts';
import { exportRowGroups, exportRows } from '#product/explore/rows/export-rows.ts';
import { listRowFields, listRowValues } from '#product/explore/rows/row-fields.ts';
import { suggestRowSearch } from '#product/explore/rows/suggest-row-search.ts';
import { findFeedbackIssues, listEventFeedback, listIssueFeedback } from '#product/feedback/feedback.ts';
import { getFeedbackForm } from '#product/feedback/feedback-form.ts';
import { findComparedEvent } from '#product/grouping/compare-groupings.ts';
import { explainGrouping } from '#product/grouping/explain-grouping.ts';
import { listIssueChanges } from '#product/grouping/grouping-changes.ts';
import { getGroupingRules } from '#product/grouping/grouping-rules.ts';
import { listSimilarIssues } from '#product/grouping/list-similar-issues.ts';
import { listIssueHashes, previewMerge } from '#product/grouping/merge-issues.ts';
import { previewGroupingRules } from '#product/grouping/preview-grouping-rules.ts';
import { countFiltered, getInboundFilters } from '#product/inbound-filters/inbound-filters.ts';
import { getInvitation, listInvitations } from '#product/invitations/invitations.ts';
import { listDiscardedIssues } from '#product/issue-deletion/delete-issues.ts';
import { listLinks } from '#product/issue-links/issue-links.ts';
import { findPeopleViews, getIssuePeople } from '#product/issue-user-state/user-state.ts';
import { countIssueViews } from '#product/issue-views/count-issue-views.ts';
import { countFoundIssues } from '#product/issues/count-found-issues.ts';
import { countIssueTabs } from '#product/issues/count-issue-tabs.ts';
import { findIssuesByWords, findMatchingIssues } from '#product/issues/find-issues.ts';
import { getIssue, listIssueActivity } from '#product/issues/get-issue.ts';
import { countIssues } from '#product/issues/issue-counts.ts';
import {
  findEventNeighbors,
  findIssueEvent,
  getEventBeside,
  getIssueTrend,
  listIssueEvents,
} from '#product/issues/issue-events.ts';
import { listIssueTags, listTagValues } from '#product/issues/issue-tags.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { findShownEvent } from '#product/issues/shown-event.ts';
import { listLogsAround } from '#product/logs/list-logs-around.ts';
import { getMember, listMembers } from '#product/members/members.ts';
import { getMonitor, listCheckIns, listMonitors } from '#product/monitors/monitors.ts';
import { getOwnership } from '#product/ownership/ownership.ts';
import { suggestOwners } from '#product/ownership/suggest-owners.ts';
import { getTransactionSummary } from '#product/performance/get-transaction-summary.ts';
import { getWebVitals } from '#product/performance/get-web-vitals.ts';
import { listModule, listTransactions } from '#product/performance/list-performance.ts';
import { getDetectionBudget } from '#product/performance-issues/detection-budget.ts';
import { getDetectionSettings } from '#product/performance-issues/detection-settings.ts';
import { previewPrivacyRules } from '#product/privacy/preview-privacy-rules.ts';
import { getOrganizationPrivacy, getProjectPrivacy } from '#product/privacy/privacy-settings.ts';
import { compareProfiles } from '#product/profiles/compare-profiles.ts';
import { exportSpeedscope } from '#product/profiles/export-speedscope.ts';
import { findEventProfile } from '#product/profiles/find-event-profile.ts';
import { listProfiles } from '#product/profiles/list-profiles.ts';
import { listProfiledReleases, openMergedProfile } from '#product/profiles/open-merged-profile.ts';
import { openContinuousProfile, openProfile } from '#product/profiles/open-profile.ts';
import { getChunkSamples, getProfileSamples } from '#product/profiles/profile-samples.ts';
import { listKeyUse, listProjectKeys } from '#product/projects/client-keys.ts';
import { listEnvironments, listProjectSummaries } from '#product/projects/list-project-summaries.ts';
import { getOrganizationLimits, getProjectLimits } from '#product/quotas/limits.ts';
import { getSpikeProtection } from '#product/quotas/spike-protection.ts';
import { countSessions } from '#product/releases/count-sessions.ts';
import { listDeploys } from '#product/releases/deploys.ts';
import { getRelease, getReleaseActivity } from '#product/releases/get-release.ts';
import { getReleaseHealth } from '#product/releases/get-release-health.ts';
import { getReleasePerformance } from '#product/releases/get-release-performance.ts';
import { getReleaseSessions } from '#product/releases/get-release-sessions.ts';
import {
  listReleaseCommits,
  listReleaseFilesChanged,
  listRepositoryCommits,
} from '#product/releases/list-commits.ts';
import {
  listIssueReleases,
  listProjectReleases,
  listReleaseIssues,
  listReleases,
} from '#product/releases/list-releases.ts';
import {
  findPreviousWithCommits,
  getReleaseDescription,
  getReleaseMeta,
  listReleaseDescriptions,
} from '#product/releases/release-descriptions.ts';
import { getReleaseVerdict } from '#product/releases/verdict/get-release-verdict.ts';
import {
  findReplayProject,
  getReplay,
  getReplaySegment,
  listReplayErrors,
  listReplaySegments,
  listReplays,
} from '#product/replays/replays.ts';
import { streamRecording } from '#product/replays/stream-recording.ts';
import { getRepository, listAllRepositories, listRepositories } from '#product/repositories/repositories.ts';
import { getStorageOverview } from '#product/retention/get-storage-overview.ts';
import { getSavedQuery, listSavedQueries } from '#product/saved-searches/saved-queries.ts';
import { listSavedSearches } from '#product/saved-searches/saved-searches.ts';
import { explainNothing } from '#product/search/explain-nothing.ts';
import { suggestSearch } from '#product/search/suggest/suggest-search.ts';
import {
  getDashboardSharing,
  listSharedDashboards,
  shareDashboard,
} from '#product/sharing/dashboard-sharing.ts';
import { getOrganizationSharing, getSharing } from '#product/sharing/sharing.ts';
import { getOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import { findSuspectCommits } from '#product/suspect-commits/find-suspect-commits.ts';
import { listReprocesses } from '#product/symbolication/reprocesses.ts';
import { getTeam, listTeams } from '#product/teams/teams.ts';
import { getTelemetry, listTelemetry, openBlob } from '#product/telemetry/telemetry.ts';
import { getOrganizationToken, listOrganizationTokens } from '#product/tokens/organization-tokens.ts';
import { listTraceRoots, listTraceTransactions } from '#product/traces/list-trace-transactions.ts';
import { getTraceOutline, getTraceSpan } from '#product/traces/trace-outline.ts';
import { getTrace, getTransaction } from '#product/traces/traces.ts';
import { exportOrganization } from '#product/transfer/export/export-organization.ts';
import { TRANSFER_KINDS } from '#product/transfer/records.ts';
import { getUser } from '#product/users/get-user.ts';
import { listUsers, suggestUsers } from '#product/users/list-users.ts';
import { getProject, listProjects } from '#product/visible-projects.ts';
import { blobKey } from '#protocol/blob-key.ts';
import { HOUR_MS, NOON_MS } from '../../contract/sample-events.ts';
import { ids } from '../fill-telemetry.ts';
import { symbolsOf } from '../product-services.ts';
import { ALERT_READS } from './alert-rows.ts';
import { ARTIFACT_READS } from './artifact-verbs.ts';
import { DATA_REQUEST_READS } from './data-request-rows.ts';
import { DESTINATION_READS } from './destination-rows.ts';
import { MONITOR_READS } from './monitor-rows.ts';
import { reads, type VerbRow } from './rows.ts';
import type { MatrixScene } from './scene.ts';
import { TRACKER_READS } from './tracker-rows.ts';
import { UPTIME_READS } from './uptime-rows.ts';

const ALL: readonly string[] = [];
const PAGE = { cursor: null, limit: 10 } as const;
const WEB = { projectSlug: 'web' } as const;
const MERGED = { ...WEB, transaction: null, environments: ALL };

const question = ({ range }: MatrixScene) => ({
  query: '',
  projectSlugs: ALL,
  environments: ALL,
  range,
});

const released = ({ version }: MatrixScene) => ({ version, projectSlugs: ALL });

async function rowsOf<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const read: Row[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

const TOP_GROUPS = { sort: null, limit: 10, offset: 0 };
const BY_PROJECT = { groupBy: ['project'], functions: ['count()'], sort: null };

/** Verbs that change nothing, by name. */
export const READING_VERBS: Readonly<Record<string, VerbRow>> = {
  ...ARTIFACT_READS,
  ...ALERT_READS,
  ...DESTINATION_READS,
  ...MONITOR_READS,
  ...UPTIME_READS,
  ...TRACKER_READS,
  getSecondFactorPolicy: reads('viewer', (ctx) => getSecondFactorPolicy(ctx)),
  listAssignees: reads('viewer', (ctx) => listAssignees(ctx)),
  getEventAttachment: reads('viewer', (ctx, s) =>
    getEventAttachment(ctx, { ...WEB, eventId: s.error.eventId, attachmentId: ids.attachment }),
  ),
  listIssueAttachments: reads('viewer', (ctx, s) =>
    listIssueAttachments(ctx, s.issue, { range: null, ...PAGE }),
  ),
  listEventAttachments: reads('viewer', (ctx, s) =>
    listEventAttachments(ctx, { ...WEB, eventId: s.error.eventId }),
  ),
  ...DATA_REQUEST_READS,
  getLoadShedding: reads('viewer', async (ctx, s) => {
    await s.product.pool.query(
      `INSERT INTO outcomes_hourly (organization_id, project_id, key_id, hour, category, outcome, reason, quantity)
       VALUES ($1, $2, 0, $3, 'error', 'rate_limited', 'key_quota', 1) ON CONFLICT DO NOTHING`,
      [s.mine.id, s.web.id, new Date(Math.floor(ctx.now() / HOUR_MS) * HOUR_MS)],
    );
    return getLoadShedding(ctx);
  }),
  exportAuditEntries: reads('owner', (ctx) => exportAuditEntries(ctx, {}).next()),
  listAuditEntries: reads('manager', (ctx) => listAuditEntries(ctx, {})),
  listAuditActors: reads('manager', (ctx) => listAuditActors(ctx)),
  listActivities: reads('viewer', (ctx, s) => listActivities(ctx, s.issue, { only: null, ...PAGE })),
  findNewestActivity: reads('viewer', (ctx, s) => findNewestActivity(ctx, s.issue)),
  describeEvent: reads('viewer', async (ctx, s) => describeEvent(ctx, s.issue, await s.storedEvent())),
  getEvent: reads('viewer', (ctx, s) => getEvent(ctx, { ...WEB, eventId: s.error.eventId })),
  getEventOrTransaction: reads('viewer', (ctx) =>
    getEventOrTransaction(ctx, { ...WEB, eventId: ids.transaction }),
  ),
  listProjectEvents: reads('viewer', (ctx) => listProjectEvents(ctx, { ...WEB, ...PAGE })),
  groupRows: reads('viewer', (ctx, s) =>
    groupRows(ctx, { ...question(s), dataset: 'spans' }, { ...BY_PROJECT, limit: 10, offset: 0 }),
  ),
  chartRows: reads('viewer', (ctx, s) =>
    chartRows(ctx, { ...question(s), dataset: 'spans' }, { ...BY_PROJECT, top: 5 }),
  ),
  listRows: reads('viewer', (ctx, s) =>
    listRows(ctx, { ...question(s), dataset: 'logs' }, { fields: ['message'], sort: '-timestamp', ...PAGE }),
  ),
  contrastRows: reads('viewer', (ctx, s) =>
    contrastRows(ctx, { ...question(s), dataset: 'spans' }, 'span.duration:>1s'),
  ),
  explainSelection: reads('viewer', (ctx, s) =>
    explainSelection(ctx, { ...question(s), dataset: 'spans' }, question(s).range),
  ),
  listTransactions: reads('viewer', (ctx, s) => listTransactions(ctx, question(s), TOP_GROUPS)),
  listModule: reads('viewer', (ctx, s) => listModule(ctx, question(s), 'queries', TOP_GROUPS)),
  getWebVitals: reads('viewer', (ctx, s) => getWebVitals(ctx, question(s), TOP_GROUPS)),
  getTransactionSummary: reads('viewer', (ctx, s) => {
    const { projectSlugs, ...asked } = question(s);
    return getTransactionSummary(ctx, { ...asked, projectSlug: 'web', transaction: 'GET /cart' });
  }),
  tailRows: reads('viewer', async (ctx, s) => {
    const { range, ...asked } = question(s);
    return (
      await tailRows(ctx, { ...asked, dataset: 'logs' }, { fields: ['message'], sinceMs: range.fromMs })
    ).rows;
  }),
  exportRows: reads('viewer', async (ctx, s) =>
    rowsOf(
      (
        await exportRows(
          ctx,
          { ...question(s), dataset: 'logs' },
          { fields: ['message'], sort: '-timestamp' },
        )
      ).rows,
    ),
  ),
  exportRowGroups: reads('viewer', async (ctx, s) =>
    rowsOf(
      (await exportRowGroups(ctx, { ...question(s), dataset: 'spans' }, { ...BY_PROJECT, sort: '-count()' }))
        .rows,
    ),
  ),
  suggestRowSearch: reads('viewer', (ctx, s) =>
    suggestRowSearch(ctx, {
      dataset: 'spans',
      query: 'span.op:',
      caret: 8,
      projectSlugs: ALL,
      range: s.range,
    }),
  ),
  listRowFields: reads('viewer', (ctx, s) =>
    listRowFields(ctx, { dataset: 'spans', projectSlugs: ALL, range: s.range }),
  ),
  listRowValues: reads('viewer', (ctx, s) =>
    listRowValues(ctx, { dataset: 'spans', projectSlugs: ALL, range: s.range, field: 'span.op', part: '' }),
  ),
  findFeedbackIssues: reads('viewer', (ctx) => findFeedbackIssues(ctx, [])),
  listEventFeedback: reads('viewer', (ctx, s) =>
    listEventFeedback(ctx, { projectId: s.web.id, eventId: s.error.eventId }),
  ),
  listIssueFeedback: reads('viewer', (ctx, s) => listIssueFeedback(ctx, s.issue, { range: null, ...PAGE })),
  explainGrouping: reads('viewer', async (ctx, s) => explainGrouping(ctx, await s.storedEvent())),
  findComparedEvent: reads('viewer', (ctx, s) => findComparedEvent(ctx, s.error.eventId)),
  getGroupingRules: reads('viewer', (ctx) => getGroupingRules(ctx, 'web')),
  listReprocesses: reads('viewer', (ctx, s) =>
    listReprocesses(ctx, { projectSlug: 'web', scope: { kind: 'release', version: s.version }, limit: 10 }),
  ),
  listIssueChanges: reads('viewer', (ctx, s) => listIssueChanges(ctx, s.issue)),
  listIssueHashes: reads('viewer', (ctx, s) =>
    listIssueHashes(ctx, s.issue, { limit: 10, withEvents: true }),
  ),
  listSimilarIssues: reads('viewer', (ctx, s) => listSimilarIssues(ctx, s.issue)),
  previewMerge: reads('member', async (ctx, s) =>
    previewMerge(ctx, { issueIds: [(await s.newIssue()).id, (await s.newIssue()).id] }),
  ),
  // Two run at once in the whole instance, and each reads thousands of events.
  previewGroupingRules: reads('admin', (ctx, s) =>
    previewGroupingRules(ctx, {
      ...WEB,
      texts: { fingerprint: '', stackTrace: '' },
      range: s.range,
    }),
  ),
  countFiltered: reads('viewer', (ctx) => countFiltered(ctx, 'web')),
  getInboundFilters: reads('viewer', (ctx) => getInboundFilters(ctx, 'web')),
  getInvitation: reads('viewer', async (ctx, s) => getInvitation(ctx, (await s.newInvitation()).id)),
  listInvitations: reads('viewer', (ctx) => listInvitations(ctx)),
  listDiscardedIssues: reads('viewer', (ctx) => listDiscardedIssues(ctx, 'web')),
  listLinks: reads('viewer', (ctx, s) => listLinks(ctx, s.issue)),
  findPeopleViews: reads('viewer', (ctx, s) => findPeopleViews(ctx, [s.issue.id])),
  getIssuePeople: reads('viewer', (ctx, s) => getIssuePeople(ctx, s.issue)),
  countIssues: reads('viewer', (ctx, s) =>
    countIssues(ctx, [s.issue], {
      query: '',
      projectSlugs: ALL,
      environments: [],
      range: s.range,
      chart: null,
      withLifetime: true,
    }),
  ),
  countFoundIssues: reads('viewer', (ctx, s) =>
    countFoundIssues(ctx, { queries: [''], projectSlugs: ALL, environments: [], range: s.range }),
  ),
  countIssueTabs: reads('viewer', (ctx, s) => countIssueTabs(ctx, { projectSlugs: ALL, range: s.range })),
  countIssueViews: reads('viewer', (ctx, s) => countIssueViews(ctx, s.issue, { range: s.range })),
  findEventNeighbors: reads('viewer', (ctx, s) => findEventNeighbors(ctx, s.issue, s.error)),
  findIssuesByWords: reads('viewer', (ctx) => findIssuesByWords(ctx, 'undefined')),
  findMatchingIssues: reads('viewer', (ctx) => findMatchingIssues(ctx, { query: '', projectSlugs: ALL })),
  getIssue: reads('viewer', (ctx, s) => getIssue(ctx, s.issue.shortId)),
  findIssueEvent: reads('viewer', (ctx, s) => findIssueEvent(ctx, s.issue, 'latest')),
  getEventBeside: reads('viewer', (ctx, s) => getEventBeside(ctx, s.issue, 'latest')),
  findShownEvent: reads('viewer', (ctx, s) =>
    findShownEvent(ctx, s.issue, 'latest', { range: null }, Promise.resolve(null)),
  ),
  getIssueTrend: reads('viewer', (ctx, s) =>
    getIssueTrend(ctx, s.issue, { range: s.range, bucketMs: HOUR_MS }),
  ),
  listIssueActivity: reads('viewer', (ctx, s) => listIssueActivity(ctx, s.issue)),
  listIssueEvents: reads('viewer', (ctx, s) => listIssueEvents(ctx, s.issue, { ...PAGE, range: null })),
  listIssueTags: reads('viewer', (ctx, s) => listIssueTags(ctx, s.issue, { range: s.range })),
  listIssues: reads('viewer', (ctx) =>
    listIssues(ctx, { query: '', projectSlugs: ALL, sort: 'date', range: null, ...PAGE }),
  ),
  listTagValues: reads('viewer', (ctx, s) =>
    listTagValues(ctx, s.issue, { key: 'level', range: s.range, limit: 10 }),
  ),
  explainSourceMaps: reads('viewer', (ctx, s) =>
    explainSourceMaps(ctx, { ...WEB, eventId: s.error.eventId }),
  ),
  getMember: reads('viewer', (ctx) => getMember(ctx, 'me')),
  listMembers: reads('viewer', (ctx) => listMembers(ctx)),
  getMonitor: reads('viewer', async (ctx, s) =>
    getMonitor(ctx, { projectSlugs: ALL, slug: await s.monitorSlug() }),
  ),
  listCheckIns: reads('viewer', (ctx) => listCheckIns(ctx, { ...WEB, monitorSlug: null, ...PAGE })),
  listMonitors: reads('viewer', (ctx) => listMonitors(ctx, { projectSlugs: ALL, ...PAGE })),
  getOwnership: reads('viewer', (ctx) => getOwnership(ctx, 'web')),
  suggestOwners: reads('viewer', (ctx, s) => suggestOwners(ctx, s.web.id, s.error)),
  getOrganizationPrivacy: reads('viewer', (ctx) => getOrganizationPrivacy(ctx)),
  getProjectPrivacy: reads('viewer', (ctx) => getProjectPrivacy(ctx, 'web')),
  previewPrivacyRules: reads('admin', async (ctx) =>
    previewPrivacyRules(ctx, {
      ...WEB,
      privacy: (await getProjectPrivacy(ctx, 'web')).project,
      eventId: null,
    }),
  ),
  getProject: reads('viewer', (ctx) => getProject(ctx, 'web')),
  listEnvironments: reads('viewer', (ctx) => listEnvironments(ctx, ALL)),
  listKeyUse: reads('viewer', (ctx) => listKeyUse(ctx, 'web')),
  listProjectKeys: reads('viewer', (ctx) => listProjectKeys(ctx, 'web')),
  listProjectSummaries: reads('viewer', (ctx, s) => listProjectSummaries(ctx, { range: s.range })),
  listProjects: reads('viewer', (ctx) => listProjects(ctx)),
  getOrganizationLimits: reads('viewer', (ctx) => getOrganizationLimits(ctx)),
  getProjectLimits: reads('viewer', (ctx) => getProjectLimits(ctx, 'web')),
  getSpikeProtection: reads('viewer', (ctx) => getSpikeProtection(ctx, 'web')),
  getFeedbackForm: reads('viewer', (ctx) => getFeedbackForm(ctx, 'web')),
  getDetectionSettings: reads('viewer', (ctx) => getDetectionSettings(ctx, 'web')),
  getDetectionBudget: reads('viewer', (ctx) => getDetectionBudget(ctx, 'web')),
  getReleaseDescription: reads('viewer', (ctx, s) => getReleaseDescription(ctx, released(s))),
  listReleaseDescriptions: reads('viewer', (ctx) =>
    listReleaseDescriptions(ctx, { search: '', projectSlugs: ALL, status: null, sort: 'date', ...PAGE }),
  ),
  findPreviousWithCommits: reads('viewer', (ctx, s) => findPreviousWithCommits(ctx, released(s))),
  getReleaseMeta: reads('viewer', (ctx, s) => getReleaseMeta(ctx, released(s))),
  listDeploys: reads('viewer', (ctx, s) => listDeploys(ctx, { ...released(s), ...PAGE })),
  listReleaseCommits: reads('viewer', (ctx, s) => listReleaseCommits(ctx, { ...released(s), ...PAGE })),
  listReleaseFilesChanged: reads('viewer', (ctx, s) =>
    listReleaseFilesChanged(ctx, { ...released(s), ...PAGE }),
  ),
  listRepositoryCommits: reads('viewer', async (ctx, s) =>
    listRepositoryCommits(ctx, { repositoryId: (await s.newRepository()).id, ...PAGE }),
  ),
  listAllRepositories: reads('viewer', (ctx) => listAllRepositories(ctx)),
  listRepositories: reads('viewer', (ctx) => listRepositories(ctx, { search: '', ...PAGE })),
  getRepository: reads('viewer', async (ctx, s) => getRepository(ctx, (await s.newRepository()).id)),
  listCodeMappings: reads('viewer', (ctx) => listCodeMappings(ctx, ALL)),
  linkFrames: reads('viewer', (ctx, s) =>
    linkFrames(ctx, { projectId: s.web.id, release: s.version, frames: [{ filename: 'src/a.ts' }] }),
  ),
  findSourceLink: reads('viewer', (ctx) =>
    findSourceLink(ctx, { ...WEB, frame: { filename: 'src/a.ts' }, release: null, commit: null }),
  ),
  findSuspectCommits: reads('viewer', async (ctx, s) =>
    findSuspectCommits(ctx, s.issue, await s.storedEvent()),
  ),
  getRelease: reads('viewer', (ctx, s) =>
    getRelease(ctx, { version: s.version, projectSlugs: ALL, environments: ALL, range: s.range }),
  ),
  getReleaseVerdict: reads('viewer', (ctx, s) =>
    getReleaseVerdict(ctx, { version: s.version, projectSlugs: ALL, environments: ALL }),
  ),
  getReleaseActivity: reads('viewer', (ctx, s) =>
    getReleaseActivity(ctx, { version: s.version, projectSlugs: ALL, environments: ALL, range: s.range }),
  ),
  listIssueReleases: reads('viewer', (ctx, s) => listIssueReleases(ctx, s.issue)),
  listProjectReleases: reads('viewer', (ctx, s) => listProjectReleases(ctx, [{ projectId: s.web.id }], '')),
  listReleaseIssues: reads('viewer', (ctx, s) =>
    listReleaseIssues(ctx, { version: s.version, projectSlugs: ALL }),
  ),
  listReleases: reads('viewer', (ctx, s) =>
    listReleases(ctx, {
      search: '',
      projectSlugs: ALL,
      environments: ALL,
      range: s.range,
      sort: 'date',
      ...PAGE,
    }),
  ),
  getReplay: reads('viewer', (ctx) => getReplay(ctx, { projectSlugs: ALL, replayId: ids.replay })),
  getReplaySegment: reads('viewer', (ctx) =>
    getReplaySegment(ctx, { ...WEB, replayId: ids.replay, segmentId: 3 }),
  ),
  listReplaySegments: reads('viewer', (ctx) => listReplaySegments(ctx, { ...WEB, replayId: ids.replay })),
  findReplayProject: reads('viewer', (ctx) => findReplayProject(ctx, ids.replay)),
  listReplayErrors: reads('viewer', (ctx, s) => listReplayErrors(ctx, { errorIds: [s.error.eventId] })),
  streamRecording: reads('viewer', async (ctx) => {
    (await streamRecording(ctx, { ...WEB, replayId: ids.replay })).destroy();
  }),
  listReplays: reads('viewer', (ctx) => listReplays(ctx, { projectSlugs: ALL, ...PAGE })),
  findOverdueBackup: reads('viewer', (ctx) => findOverdueBackup(ctx)),
  getBackupOverview: reads('instance_owner', (ctx) => getBackupOverview(ctx)),
  getStorageOverview: reads('instance_owner', (ctx) => getStorageOverview(ctx)),
  listSavedSearches: reads('viewer', (ctx) => listSavedSearches(ctx)),
  listDashboards: reads('viewer', (ctx) => listDashboards(ctx)),
  getDashboard: reads('viewer', async (ctx, s) => getDashboard(ctx, await s.newDashboard())),
  getDashboardSharing: reads('viewer', async (ctx, s) => getDashboardSharing(ctx, await s.newDashboard())),
  listSharedDashboards: reads('viewer', async (ctx, s) => {
    await shareDashboard(s.owner, await s.newDashboard({ projects: ['web'] }), { days: 7 });
    return listSharedDashboards(ctx);
  }),
  listVariableValues: reads('viewer', (ctx) => listVariableValues(ctx, ['release'], ALL)),
  readWidget: reads('viewer', (ctx, s) =>
    readWidget(ctx, WIDGET.parse({ id: 'w', title: 'Errors', display: 'number', functions: ['count()'] }), {
      projectSlugs: ALL,
      environments: ALL,
      range: s.range,
      terms: [],
    }),
  ),
  listSavedQueries: reads('viewer', (ctx) => listSavedQueries(ctx)),
  getSavedQuery: reads('viewer', async (ctx, s) => getSavedQuery(ctx, await s.newQuery(ctx.userId))),
  explainNothing: reads('viewer', (ctx) => explainNothing(ctx, { query: 'plan:free', projectSlugs: ALL })),
  suggestSearch: reads('viewer', (ctx) =>
    suggestSearch(ctx, { query: 'release:', caret: 8, projectSlugs: ALL }),
  ),
  getReleaseHealth: reads('viewer', (ctx, s) =>
    getReleaseHealth(ctx, { projectSlugs: ALL, range: s.range, environments: ALL }),
  ),
  getReleaseSessions: reads('viewer', (ctx, s) =>
    getReleaseSessions(ctx, {
      version: s.version,
      comparedWith: null,
      projectSlugs: ALL,
      environments: ALL,
      range: s.range,
    }),
  ),
  getReleasePerformance: reads('viewer', (ctx, s) =>
    getReleasePerformance(ctx, {
      // The spans of the scene have no release.
      versions: ['', s.version],
      projectSlugs: ALL,
      environments: ALL,
      range: s.range,
    }),
  ),
  getUser: reads('viewer', (ctx, s) =>
    getUser(ctx, {
      key: { kind: 'id', value: 'u-1' },
      projectSlugs: ALL,
      environments: ALL,
      range: s.range,
    }),
  ),
  listUsers: reads('viewer', (ctx, s) =>
    listUsers(ctx, { search: '', projectSlugs: ALL, environments: ALL, range: s.range }),
  ),
  suggestUsers: reads('viewer', (ctx, s) =>
    suggestUsers(ctx, { search: '', projectSlugs: ALL, environments: ALL, range: s.range }),
  ),
  countSessions: reads('viewer', (ctx, s) =>
    countSessions(ctx, {
      query: '',
      projectSlugs: ALL,
      environments: ALL,
      range: s.range,
      groupBy: ['release'],
      bucketMs: null,
      sortBy: null,
      isDescending: true,
      limit: 10,
    }),
  ),
  listFacets: reads('viewer', (ctx, s) =>
    listFacets(
      ctx,
      { query: '', projectSlugs: ALL, environments: ALL, range: s.range },
      { limit: 10, offset: 0 },
    ),
  ),
  listTraces: reads('viewer', (ctx, s) =>
    listTraces(
      ctx,
      { query: '', projectSlugs: ALL, environments: ALL, range: s.range },
      { isOldestFirst: false, limit: 10, offset: 0 },
    ),
  ),
  getSharing: reads('viewer', (ctx, s) => getSharing(ctx, s.issue)),
  getOrganizationSharing: reads('viewer', (ctx) => getOrganizationSharing(ctx)),
  getOutcomeSeries: reads('viewer', (ctx, s) =>
    getOutcomeSeries(ctx, { projectSlugs: ALL, range: s.range, bucketMs: HOUR_MS }),
  ),
  getTeam: reads('viewer', async (ctx, s) => getTeam(ctx, (await s.newTeam()).slug)),
  listTeams: reads('viewer', (ctx) => listTeams(ctx)),
  getTelemetry: reads('viewer', (ctx) => getTelemetry(ctx, 'profiles', { ...WEB, id: ids.profile })),
  listProfiles: reads('viewer', (ctx, s) =>
    listProfiles(ctx, { projectSlugs: ALL, environments: [], range: s.range, text: '', ...PAGE }),
  ),
  openProfile: reads('viewer', (ctx) =>
    openProfile(ctx, symbolsOf(ctx.stores), { ...WEB, profileId: ids.profile }),
  ),
  openContinuousProfile: reads('viewer', (ctx) =>
    openContinuousProfile(ctx, symbolsOf(ctx.stores), { ...WEB, profilerId: ids.profiler, range: null }),
  ),
  getProfileSamples: reads('viewer', (ctx) =>
    getProfileSamples(ctx, symbolsOf(ctx.stores), { ...WEB, profileId: ids.sampled }),
  ),
  getChunkSamples: reads('viewer', (ctx) =>
    getChunkSamples(ctx, symbolsOf(ctx.stores), { ...WEB, profilerId: ids.profiler, range: null }),
  ),
  openMergedProfile: reads('viewer', (ctx, s) =>
    openMergedProfile(ctx, symbolsOf(ctx.stores), { ...MERGED, release: null, range: s.range }),
  ),
  listProfiledReleases: reads('viewer', (ctx, s) => listProfiledReleases(ctx, { ...MERGED, range: s.range })),
  compareProfiles: reads('viewer', (ctx, s) => {
    const side = { release: null, range: s.range };
    return compareProfiles(ctx, symbolsOf(ctx.stores), { ...MERGED, before: side, after: side });
  }),
  exportSpeedscope: reads('viewer', (ctx) =>
    exportSpeedscope(ctx, symbolsOf(ctx.stores), { ...WEB, profileId: ids.sampled }),
  ),
  listLogsAround: reads('viewer', (ctx) => listLogsAround(ctx, { traceId: ids.trace, atMs: NOON_MS })),
  findEventProfile: reads('viewer', (ctx) =>
    findEventProfile(ctx, { projectSlug: WEB.projectSlug, traceId: ids.trace, atMs: NOON_MS }),
  ),
  listTraceTransactions: reads('viewer', (ctx, s) =>
    listTraceTransactions(ctx, { traceId: ids.trace, range: s.range }),
  ),
  listTraceRoots: reads('viewer', (ctx, s) => listTraceRoots(ctx, { traceId: ids.trace, range: s.range })),
  exportOrganization: reads('owner', async (ctx) => {
    const records = exportOrganization(ctx, {
      fromMs: 0,
      toMs: Number.MAX_SAFE_INTEGER,
      kinds: new Set(TRANSFER_KINDS),
      progress: () => {},
      signal: new AbortController().signal,
    });
    for await (const _record of records);
  }),
  listTelemetry: reads('viewer', (ctx) => listTelemetry(ctx, 'logs', { ...WEB, ...PAGE })),
  openBlob: reads('viewer', async (ctx, s) => {
    const { content } = await openBlob(ctx, { blobKey: blobKey(NOON_MS, s.web.id, 'attachment') });
    content.destroy();
  }),
  getOrganizationToken: reads('viewer', async (ctx, s) =>
    getOrganizationToken(ctx, (await s.newOrganizationToken()).id),
  ),
  listOrganizationTokens: reads('viewer', (ctx) => listOrganizationTokens(ctx)),
  getTrace: reads('viewer', (ctx) => getTrace(ctx, ids.trace)),
  getTraceOutline: reads('viewer', (ctx) => getTraceOutline(ctx, ids.trace)),
  getTraceSpan: reads('viewer', (ctx) => getTraceSpan(ctx, { traceId: ids.trace, spanId: ids.root })),
  getTransaction: reads('viewer', (ctx) => getTransaction(ctx, { ...WEB, eventId: ids.transaction })),
};
