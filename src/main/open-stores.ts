import type { Config } from '#config.ts';
import { createKeyedHash } from '#lib/keyed-hash.ts';
import { createSecretBox } from '#lib/secret-box.ts';
import { createAccountStore } from '#product/accounts/store/account-store.ts';
import { createAlertOutboxStore } from '#product/alerts/store/alert-outbox-store.ts';
import { createAlertRuleStore } from '#product/alerts/store/alert-rule-store.ts';
import { createArtifactStore } from '#product/artifacts/store/artifact-store.ts';
import { createAuditStore } from '#product/audit/audit-store.ts';
import { createBackupStore } from '#product/backups/backup-store.ts';
import { createCodeMappingStore } from '#product/code-mappings/code-mapping-store.ts';
import { createCommentStore } from '#product/comments/comment-store.ts';
import { createCommitStore } from '#product/commits/store/commit-store.ts';
import { createDashboardStore } from '#product/dashboards/dashboard-store.ts';
import { createDataRequestStore } from '#product/data-requests/store/data-request-store.ts';
import { createPersonTextStore } from '#product/data-requests/store/person-text-store.ts';
import { createDeliveryStore } from '#product/deliveries/store/delivery-store.ts';
import { createDestinationStore } from '#product/destinations/destination-store.ts';
import { createFeedbackFormStore } from '#product/feedback/feedback-form-store.ts';
import { createFeedbackReplyStore } from '#product/feedback/feedback-reply-store.ts';
import { createRegroupStore } from '#product/grouping/store/regroup-store.ts';
import { createGroupingRulesStore } from '#product/grouping/store/rules-store.ts';
import { createIngestSettingsStore } from '#product/ingest-settings/ingest-settings-store.ts';
import { createInvitationStore } from '#product/invitations/invitation-store.ts';
import { createIssueDeletionStore } from '#product/issue-deletion/issue-deletion-store.ts';
import { createIssueLinkStore } from '#product/issue-links/issue-link-store.ts';
import { createIssueUserStateStore } from '#product/issue-user-state/issue-user-state-store.ts';
import { createIssueStore } from '#product/issues/store/issue-store.ts';
import { createRoleProcessStore } from '#product/machines/role-process-store.ts';
import { createSharedCountStore } from '#product/machines/shared-count-store.ts';
import { createMemberStore } from '#product/members/member-store.ts';
import { createIngestMarkStore } from '#product/monitors/store/ingest-mark-store.ts';
import { createMonitorStore } from '#product/monitors/store/monitor-store.ts';
import { createMonitorWatchStore } from '#product/monitors/store/watch-store.ts';
import { createActivityOutboxStore } from '#product/notifications/activity-outbox-store.ts';
import { createNotificationStore, createReportStore } from '#product/notifications/notification-store.ts';
import { createOauthStore } from '#product/oauth/oauth-store.ts';
import { createOrganizationStore } from '#product/organizations/organization-store.ts';
import { createOverviewStore } from '#product/overview/overview-store.ts';
import { createOwnershipStore } from '#product/ownership/ownership-store.ts';
import { createProjectDeletionStore } from '#product/project-deletion/project-deletion-store.ts';
import { createProjectStore } from '#product/projects/store/project-store.ts';
import { createProjectSummaryStore } from '#product/projects/store/project-summary-store.ts';
import { createDeployStore } from '#product/releases/deploy-store.ts';
import { createReleaseStore } from '#product/releases/store/release-store.ts';
import { createRepositoryStore } from '#product/repositories/repository-store.ts';
import { createRetentionStore } from '#product/retention/store/retention-store.ts';
import { createSavedQueryStore, createSavedSearchStore } from '#product/saved-searches/saved-search-store.ts';
import { createSearchNameStore } from '#product/search/search-name-store.ts';
import { createDashboardShareStore } from '#product/sharing/dashboard-share-store.ts';
import { createIssueShareStore } from '#product/sharing/issue-share-store.ts';
import { createSpoolPartitionStore } from '#product/spool/spool-partition-store.ts';
import { createOutcomeStore } from '#product/stats/outcome-store.ts';
import type { HeldStores, Stores } from '#product/stores.ts';
import { createReprocessStore } from '#product/symbolication/reprocess-store.ts';
import { createTeamStore } from '#product/teams/team-store.ts';
import { createOrganizationTokenStore } from '#product/tokens/organization-token-store.ts';
import { createTrackerStore } from '#product/trackers/tracker-store.ts';
import { createExportStore } from '#product/transfer/store/export-store.ts';
import { createIssueImportStore } from '#product/transfer/store/issue-import-store.ts';
import { createTransferStore } from '#product/transfer/store/transfer-store.ts';
import { createStatusPageStore } from '#product/uptime/store/status-page-store.ts';
import { createUptimeIncidentStore } from '#product/uptime/store/uptime-incident-store.ts';
import { createUptimeLeaseStore } from '#product/uptime/store/uptime-lease-store.ts';
import { createUptimeMonitorStore } from '#product/uptime/store/uptime-monitor-store.ts';
import { createAlertEventStore } from '#storage/clickhouse/alerts/alert-event-store.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { createDeletedEventStore, createDeletedProjectData } from '#storage/clickhouse/deleted-data.ts';
import { createDeletedRows } from '#storage/clickhouse/deleted-rows.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { createRowExploreStore } from '#storage/clickhouse/explore/row-explore-store.ts';
import { createIssueTagStore } from '#storage/clickhouse/issue-tags.ts';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { createPersonRows } from '#storage/clickhouse/person/person-rows.ts';
import { createRegroupEvents } from '#storage/clickhouse/regroup/regroup-events.ts';
import { createReprocessEvents } from '#storage/clickhouse/reprocess/reprocess-events.ts';
import { createStoredDays } from '#storage/clickhouse/stored-days.ts';
import { StoredKinds } from '#storage/clickhouse/telemetry/stored-kinds.ts';
import { createTelemetryStore } from '#storage/clickhouse/telemetry-store.ts';
import { createUptimeCheckStore } from '#storage/clickhouse/uptime-check-store.ts';
import { createUserActivityStore } from '#storage/clickhouse/users/user-activity-store.ts';
import { createDiskMeter } from '#storage/disk/disk-meter.ts';
import { NO_RENEWAL } from '#storage/ports/spool-renewal.ts';
import { openPostgres, type PostgresDatabase } from '#storage/postgres/database.ts';
import { createQuarantineStore } from '#storage/postgres/quarantine-store.ts';
import { createRelationalPurge } from '#storage/postgres/relational-purge.ts';
import { transactional } from '#storage/postgres/transaction.ts';
import { openSpoolRenewal } from '#storage/spool-files/renewal.ts';
import type { Connections, Transactional } from '#storage/sql/connections.ts';
import type { RoleInit } from './messages.ts';
import { openMonitorFailures } from './monitor-failures.ts';
import { type BlobSettings, type FileStores, openFileStores } from './open-blob-store.ts';
import { openInbox, type SpoolInbox, type SpoolSettings } from './open-inbox.ts';
import { spoolFolder } from './spool-paths.ts';

/** The stores behind two addresses and a folder, and how to let go of them. */
type OpenStores = StoresOver & {
  postgres: PostgresDatabase;
  clickhouse: ClickhouseDatabase;
  inbox: SpoolInbox;
  close(): Promise<void>;
};

export type StoreAddresses = Pick<RoleInit, 'databaseUrl' | 'databaseDirectUrl' | 'clickhouseUrl' | 'secret'>;

/** Of the relational store, for what needs a session: notifications, locks that outlive a transaction, migrations. */
export const sessionUrl = (addresses: Pick<RoleInit, 'databaseUrl' | 'databaseDirectUrl'>): string =>
  addresses.databaseDirectUrl ?? addresses.databaseUrl;

export async function openStores(
  { databaseUrl, databaseDirectUrl, clickhouseUrl, secret }: StoreAddresses,
  config: Pick<Config, 'dataDir' | 'diskBytesMax' | 'retentionDays' | 'memory'> &
    BlobSettings &
    SpoolSettings,
  options: { poolMax: number },
): Promise<OpenStores> {
  const poolMax = Math.max(CONNECTIONS_MIN, Math.ceil(options.poolMax * config.memory.connectionShare));
  const files = await openFileStores(config);
  const inbox = openInbox(config, files.blobs);
  const postgres = openPostgres(databaseUrl, { poolMax, isPooled: databaseDirectUrl !== null });
  const clickhouse = openClickhouse(clickhouseUrl);
  return {
    ...storesOver(
      postgres,
      clickhouse,
      { ...files, inbox },
      { ...config, secret, sessionUrl: sessionUrl({ databaseUrl, databaseDirectUrl }) },
    ),
    postgres,
    clickhouse,
    inbox,
    async close() {
      await Promise.all([postgres.close(), clickhouse.close(), inbox.close()]);
    },
  };
}

type StoresOver = {
  stores: Stores;
  /** The stores with what else a role has; `more` is made anew over the connections of every transaction. */
  storesWith<More>(more: (connections: Connections) => More): Transactional<HeldStores & More>;
};

/** Every store that the product has, over open databases and a folder. */
export function storesOver(
  connections: Connections,
  clickhouse: ClickhouseDatabase,
  { inbox, ...files }: FileStores & { inbox: SpoolInbox },
  config: Pick<Config, 'dataDir' | 'diskBytesMax' | 'retentionDays'> & { secret: string; sessionUrl: string },
): StoresOver {
  const destinationsBox = createSecretBox(config.secret, DESTINATIONS_PURPOSE);
  const trackersBox = createSecretBox(config.secret, TRACKERS_PURPOSE);
  const requestsBox = createSecretBox(config.secret, DATA_REQUESTS_PURPOSE);
  const requestsHash = createKeyedHash(config.secret, DATA_REQUESTS_PURPOSE);
  const uptimeBox = createSecretBox(config.secret, UPTIME_PURPOSE);
  const kinds = new StoredKinds(clickhouse);
  const elsewhere = {
    alertEvents: createAlertEventStore(clickhouse),
    events: createEventStore(clickhouse),
    rowExplore: createRowExploreStore(clickhouse, kinds),
    regroupEvents: createRegroupEvents(clickhouse),
    reprocessEvents: createReprocessEvents(clickhouse),
    issueTags: createIssueTagStore(clickhouse),
    deletedEvents: createDeletedEventStore(clickhouse),
    deletedProjectData: createDeletedProjectData(clickhouse),
    personRows: createPersonRows(clickhouse),
    deletedRows: createDeletedRows(clickhouse),
    relationalPurge: createRelationalPurge(connections.pool, config.sessionUrl),
    spoolRenewal: inbox.isShared ? NO_RENEWAL : openSpoolRenewal(spoolFolder(config.dataDir)),
    telemetry: createTelemetryStore(clickhouse, kinds),
    userActivity: createUserActivityStore(clickhouse),
    uptimeChecks: createUptimeCheckStore(clickhouse),
    ...files,
    storedDays: createStoredDays(clickhouse),
    monitorFailures: openMonitorFailures(inbox, Date.now),
    disk: createDiskMeter(config.dataDir, config.diskBytesMax),
  };
  const over = ({ db, pool }: Connections): HeldStores => ({
    ...elsewhere,
    accounts: createAccountStore({ db, pool }),
    alertRules: createAlertRuleStore(db),
    alertOutbox: createAlertOutboxStore(db),
    artifacts: createArtifactStore(db),
    members: createMemberStore(db),
    invitations: createInvitationStore(db),
    organizations: createOrganizationStore(db),
    organizationTokens: createOrganizationTokenStore(db),
    oauth: createOauthStore(db),
    audit: createAuditStore(db),
    issues: createIssueStore(db),
    groupingRules: createGroupingRulesStore(db),
    regroups: createRegroupStore(db),
    reprocesses: createReprocessStore(db),
    comments: createCommentStore(db),
    feedbackForms: createFeedbackFormStore(db),
    feedbackReplies: createFeedbackReplyStore(db),
    issueUserState: createIssueUserStateStore(db),
    issueLinks: createIssueLinkStore(db),
    issueShares: createIssueShareStore(db),
    dashboardShares: createDashboardShareStore(db),
    issueDeletions: createIssueDeletionStore(db),
    projectDeletions: createProjectDeletionStore(db),
    dataRequests: createDataRequestStore(db, requestsBox, requestsHash),
    personTexts: createPersonTextStore(db),
    projectSummaries: createProjectSummaryStore(db),
    destinations: createDestinationStore(db, destinationsBox),
    dashboards: createDashboardStore(db),
    deliveries: createDeliveryStore(db),
    ingestMarks: createIngestMarkStore(db),
    spoolPartitions: createSpoolPartitionStore(db),
    roleProcesses: createRoleProcessStore(db),
    sharedCounts: createSharedCountStore(db),
    monitors: createMonitorStore(db),
    monitorWatch: createMonitorWatchStore(db),
    notifications: createNotificationStore(db),
    activityOutbox: createActivityOutboxStore(db),
    reports: createReportStore(db),
    overviews: createOverviewStore(db),
    ownership: createOwnershipStore(db),
    teams: createTeamStore(db),
    projects: createProjectStore(db),
    outcomes: createOutcomeStore(db),
    quarantine: createQuarantineStore(db),
    releases: createReleaseStore(db),
    commits: createCommitStore(db),
    deploys: createDeployStore(db),
    repositories: createRepositoryStore(db),
    codeMappings: createCodeMappingStore(db),
    transfers: createTransferStore(db),
    issueImports: createIssueImportStore(db),
    exports: createExportStore(db),
    trackers: createTrackerStore(db, trackersBox),
    ingestSettings: createIngestSettingsStore(db),
    backups: createBackupStore(db),
    retention: createRetentionStore(db, config.retentionDays),
    uptimeMonitors: createUptimeMonitorStore(db, uptimeBox),
    uptimeLeases: createUptimeLeaseStore(db, uptimeBox),
    uptimeIncidents: createUptimeIncidentStore(db),
    statusPages: createStatusPageStore(db),
    savedSearches: createSavedSearchStore(db),
    savedQueries: createSavedQueryStore(db),
    searchNames: createSearchNameStore(db),
  });
  return {
    stores: transactional(connections, over),
    storesWith: (more) => transactional(connections, (within) => ({ ...over(within), ...more(within) })),
  };
}

/** One for a transaction, and one for what is read meanwhile. */
const CONNECTIONS_MIN = 2;

/** Each decides a key of its own: with another word nothing that was made before could be read any more. */
const DESTINATIONS_PURPOSE = 'destinations';
const TRACKERS_PURPOSE = 'trackers';
const UPTIME_PURPOSE = 'uptime';
const DATA_REQUESTS_PURPOSE = 'data requests';
export const UNSUBSCRIBE_PURPOSE = 'unsubscribe';
