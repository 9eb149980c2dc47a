import { join } from 'node:path';
import type { Config } from '#config.ts';
import { createSecretBox } from '#lib/secret-box.ts';
import { createAlertEventStore } from '#storage/clickhouse/alerts/alert-event-store.ts';
import { type ClickhouseDatabase, openClickhouse } from '#storage/clickhouse/client.ts';
import { createDeletedEventStore } from '#storage/clickhouse/deleted-events.ts';
import { createDeletedProjectData } from '#storage/clickhouse/deleted-projects.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { createEventExploreStore } from '#storage/clickhouse/explore/explore-store.ts';
import { createIssueTagStore } from '#storage/clickhouse/issue-tags.ts';
import { createRegroupEvents } from '#storage/clickhouse/regroup/regroup-events.ts';
import { createReprocessEvents } from '#storage/clickhouse/reprocess/reprocess-events.ts';
import { createStoredDays } from '#storage/clickhouse/stored-days.ts';
import { createTelemetryStore } from '#storage/clickhouse/telemetry-store.ts';
import { openDiskArtifactFileStore } from '#storage/disk/artifact-file-store.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { createDiskMeter } from '#storage/disk/disk-meter.ts';
import type { HeldStores, Stores, Transactional } from '#storage/ports/stores.ts';
import { createAccountStore } from '#storage/postgres/account-store.ts';
import { createActivityOutboxStore } from '#storage/postgres/activity-outbox-store.ts';
import { createAlertOutboxStore } from '#storage/postgres/alert-outbox-store.ts';
import { createAlertRuleStore } from '#storage/postgres/alert-rule-store.ts';
import { createArtifactStore } from '#storage/postgres/artifact-store.ts';
import { createAuditStore } from '#storage/postgres/audit-store.ts';
import { createCodeMappingStore } from '#storage/postgres/code-mapping-store.ts';
import { createCommentStore } from '#storage/postgres/comment-store.ts';
import { createCommitStore } from '#storage/postgres/commit-store.ts';
import { openPostgres, type PostgresDatabase } from '#storage/postgres/database.ts';
import { createDeliveryStore } from '#storage/postgres/delivery-store.ts';
import { createDeployStore } from '#storage/postgres/deploy-store.ts';
import { createDestinationStore } from '#storage/postgres/destination-store.ts';
import { createRegroupStore } from '#storage/postgres/grouping/regroup-store.ts';
import { createReprocessStore } from '#storage/postgres/grouping/reprocess-store.ts';
import { createGroupingRulesStore } from '#storage/postgres/grouping/rules-store.ts';
import { createIngestSettingsStore } from '#storage/postgres/ingest-settings-store.ts';
import { createInvitationStore } from '#storage/postgres/invitation-store.ts';
import { createIssueDeletionStore } from '#storage/postgres/issue-deletion-store.ts';
import { createIssueLinkStore } from '#storage/postgres/issue-link-store.ts';
import { createIssueShareStore } from '#storage/postgres/issue-share-store.ts';
import { createIssueStore } from '#storage/postgres/issue-store.ts';
import { createIssueUserStateStore } from '#storage/postgres/issue-user-state-store.ts';
import { createMemberStore } from '#storage/postgres/member-store.ts';
import { createNotificationStore } from '#storage/postgres/notification-store.ts';
import { createOauthStore } from '#storage/postgres/oauth-store.ts';
import { createOrganizationStore } from '#storage/postgres/organization-store.ts';
import { createOrganizationTokenStore } from '#storage/postgres/organization-token-store.ts';
import { createOutcomeStore } from '#storage/postgres/outcome-store.ts';
import { createOverviewStore } from '#storage/postgres/overview-store.ts';
import { createOwnershipStore } from '#storage/postgres/ownership-store.ts';
import { createProjectDeletionStore } from '#storage/postgres/project-deletion-store.ts';
import { createProjectStore } from '#storage/postgres/project-store.ts';
import { createProjectSummaryStore } from '#storage/postgres/project-summary-store.ts';
import { createQuarantineStore } from '#storage/postgres/quarantine-store.ts';
import { createReleaseStore } from '#storage/postgres/release-store.ts';
import { createReportStore } from '#storage/postgres/report-store.ts';
import { createRepositoryStore } from '#storage/postgres/repository-store.ts';
import { createRetentionStore } from '#storage/postgres/retention-store.ts';
import { createSavedSearchStore } from '#storage/postgres/search/saved-search-store.ts';
import { createSearchNameStore } from '#storage/postgres/search/search-name-store.ts';
import { createTeamStore } from '#storage/postgres/team-store.ts';
import { createTrackerStore } from '#storage/postgres/tracker-store.ts';
import { type Connections, transactional } from '#storage/postgres/transaction.ts';

/** The stores behind two addresses and a folder, and how to let go of them. */
type OpenStores = StoresOver & { postgres: PostgresDatabase; close(): Promise<void> };

export function openStores(
  { databaseUrl, clickhouseUrl, secret }: { databaseUrl: string; clickhouseUrl: string; secret: string },
  config: Pick<Config, 'dataDir' | 'diskBytesMax' | 'retentionDays'>,
  options: { poolMax: number },
): OpenStores {
  const postgres = openPostgres(databaseUrl, options);
  const clickhouse = openClickhouse(clickhouseUrl);
  return {
    ...storesOver(postgres, clickhouse, { ...config, secret }),
    postgres,
    async close() {
      await Promise.all([postgres.close(), clickhouse.close()]);
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
  config: Pick<Config, 'dataDir' | 'diskBytesMax' | 'retentionDays'> & { secret: string },
): StoresOver {
  const destinationsBox = createSecretBox(config.secret, DESTINATIONS_PURPOSE);
  const trackersBox = createSecretBox(config.secret, TRACKERS_PURPOSE);
  const elsewhere = {
    alertEvents: createAlertEventStore(clickhouse),
    artifactFiles: openDiskArtifactFileStore(join(config.dataDir, 'artifacts')),
    events: createEventStore(clickhouse),
    eventExplore: createEventExploreStore(clickhouse),
    regroupEvents: createRegroupEvents(clickhouse),
    reprocessEvents: createReprocessEvents(clickhouse),
    issueTags: createIssueTagStore(clickhouse),
    deletedEvents: createDeletedEventStore(clickhouse),
    deletedProjectData: createDeletedProjectData(clickhouse),
    telemetry: createTelemetryStore(clickhouse),
    blobs: openDiskBlobStore(join(config.dataDir, 'blobs')),
    storedDays: createStoredDays(clickhouse),
    disk: createDiskMeter(config.dataDir, config.diskBytesMax),
  };
  const over = ({ db, pool }: Connections): HeldStores => ({
    ...elsewhere,
    accounts: createAccountStore(pool),
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
    issueUserState: createIssueUserStateStore(db),
    issueLinks: createIssueLinkStore(db),
    issueShares: createIssueShareStore(db),
    issueDeletions: createIssueDeletionStore(db),
    projectDeletions: createProjectDeletionStore(db),
    projectSummaries: createProjectSummaryStore(db),
    destinations: createDestinationStore(db, destinationsBox),
    deliveries: createDeliveryStore(db),
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
    trackers: createTrackerStore(db, trackersBox),
    ingestSettings: createIngestSettingsStore(db),
    retention: createRetentionStore(db, config.retentionDays),
    savedSearches: createSavedSearchStore(db),
    searchNames: createSearchNameStore(db),
  });
  return {
    stores: transactional(connections, over),
    storesWith: (more) => transactional(connections, (within) => ({ ...over(within), ...more(within) })),
  };
}

/** Each decides a key of its own: with another word nothing that was made before could be read any more. */
const DESTINATIONS_PURPOSE = 'destinations';
const TRACKERS_PURPOSE = 'trackers';
export const UNSUBSCRIBE_PURPOSE = 'unsubscribe';
