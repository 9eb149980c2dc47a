import { join } from 'node:path';
import { createSecretBox } from '#lib/secret-box.ts';
import { createAlertEventStore } from '#storage/clickhouse/alerts/alert-event-store.ts';
import { openClickhouse } from '#storage/clickhouse/client.ts';
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
import type { Stores } from '#storage/ports/stores.ts';
import { createAccountStore } from '#storage/postgres/account-store.ts';
import { createActivityNewsStore } from '#storage/postgres/activity-news-store.ts';
import { createAlertNewsStore } from '#storage/postgres/alert-news-store.ts';
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
import { createIssueMarkStore } from '#storage/postgres/issue-mark-store.ts';
import { createIssueShareStore } from '#storage/postgres/issue-share-store.ts';
import { createIssueStore } from '#storage/postgres/issue-store.ts';
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
import type { Config } from '../config.ts';
import { DESTINATIONS_PURPOSE, TRACKERS_PURPOSE } from './secret-purposes.ts';

/** The stores behind two addresses and a folder, and how to let go of them. */
export type OpenStores = { stores: Stores; postgres: PostgresDatabase; close(): Promise<void> };

export function openStores(
  { databaseUrl, clickhouseUrl, secret }: { databaseUrl: string; clickhouseUrl: string; secret: string },
  config: Pick<Config, 'dataDir' | 'diskBytesMax' | 'retentionDays'>,
  options: { poolMax: number },
): OpenStores {
  const postgres = openPostgres(databaseUrl, options);
  const clickhouse = openClickhouse(clickhouseUrl);
  return {
    postgres,
    stores: {
      accounts: createAccountStore(postgres.pool),
      alertRules: createAlertRuleStore(postgres.db),
      alertNews: createAlertNewsStore(postgres.db),
      alertEvents: createAlertEventStore(clickhouse),
      artifacts: createArtifactStore(postgres.db),
      artifactFiles: openDiskArtifactFileStore(join(config.dataDir, 'artifacts')),
      members: createMemberStore(postgres.db),
      invitations: createInvitationStore(postgres.db),
      organizations: createOrganizationStore(postgres.db),
      organizationTokens: createOrganizationTokenStore(postgres.db),
      oauth: createOauthStore(postgres.db),
      audit: createAuditStore(postgres.db, postgres.transact),
      events: createEventStore(clickhouse),
      eventExplore: createEventExploreStore(clickhouse),
      issues: createIssueStore(postgres.db),
      groupingRules: createGroupingRulesStore(postgres.db),
      regroups: createRegroupStore(postgres.db),
      regroupEvents: createRegroupEvents(clickhouse),
      reprocesses: createReprocessStore(postgres.db),
      reprocessEvents: createReprocessEvents(clickhouse),
      comments: createCommentStore(postgres.db),
      issueMarks: createIssueMarkStore(postgres.db),
      issueLinks: createIssueLinkStore(postgres.db),
      issueShares: createIssueShareStore(postgres.db),
      issueTags: createIssueTagStore(clickhouse),
      issueDeletions: createIssueDeletionStore(postgres.db),
      deletedEvents: createDeletedEventStore(clickhouse),
      projectDeletions: createProjectDeletionStore(postgres.db),
      projectSummaries: createProjectSummaryStore(postgres.db),
      deletedProjectData: createDeletedProjectData(clickhouse),
      destinations: createDestinationStore(postgres.db, createSecretBox(secret, DESTINATIONS_PURPOSE)),
      deliveries: createDeliveryStore(postgres.db),
      notifications: createNotificationStore(postgres.db),
      activityNews: createActivityNewsStore(postgres.db),
      reports: createReportStore(postgres.db),
      overviews: createOverviewStore(postgres.db),
      ownership: createOwnershipStore(postgres.db),
      teams: createTeamStore(postgres.db),
      projects: createProjectStore(postgres.db),
      outcomes: createOutcomeStore(postgres.db),
      quarantine: createQuarantineStore(postgres.db),
      releases: createReleaseStore(postgres.db),
      commits: createCommitStore(postgres.db),
      deploys: createDeployStore(postgres.db),
      repositories: createRepositoryStore(postgres.db),
      codeMappings: createCodeMappingStore(postgres.db),
      telemetry: createTelemetryStore(clickhouse),
      trackers: createTrackerStore(postgres.db, createSecretBox(secret, TRACKERS_PURPOSE)),
      blobs: openDiskBlobStore(join(config.dataDir, 'blobs')),
      ingestSettings: createIngestSettingsStore(postgres.db),
      retention: createRetentionStore(postgres.db, config.retentionDays),
      savedSearches: createSavedSearchStore(postgres.db),
      searchNames: createSearchNameStore(postgres.db),
      storedDays: createStoredDays(clickhouse),
      disk: createDiskMeter(config.dataDir, config.diskBytesMax),
    },
    async close() {
      await Promise.all([postgres.close(), clickhouse.close()]);
    },
  };
}
