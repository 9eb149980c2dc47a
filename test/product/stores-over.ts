import { join } from 'node:path';
import { createSecretBox } from '#lib/secret-box.ts';
import { createAlertEventStore } from '#storage/clickhouse/alerts/alert-event-store.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
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
import type { PostgresDatabase } from '#storage/postgres/database.ts';
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

export const RETENTION_DAYS = 90;

/** Every store that the product has, over open databases and a folder. */
export const storesOver = (
  { db, pool, transact }: Pick<PostgresDatabase, 'db' | 'pool' | 'transact'>,
  clickhouse: ClickhouseDatabase,
  folder: string,
  budgetBytes: number | null = null,
): Stores => ({
  accounts: createAccountStore(pool),
  alertRules: createAlertRuleStore(db),
  alertNews: createAlertNewsStore(db),
  alertEvents: createAlertEventStore(clickhouse),
  artifacts: createArtifactStore(db),
  artifactFiles: openDiskArtifactFileStore(join(folder, 'artifacts')),
  members: createMemberStore(db),
  invitations: createInvitationStore(db),
  organizations: createOrganizationStore(db),
  organizationTokens: createOrganizationTokenStore(db),
  oauth: createOauthStore(db),
  audit: createAuditStore(db, transact),
  blobs: openDiskBlobStore(folder),
  disk: createDiskMeter(folder, budgetBytes),
  events: createEventStore(clickhouse),
  eventExplore: createEventExploreStore(clickhouse),
  ingestSettings: createIngestSettingsStore(db),
  issues: createIssueStore(db),
  groupingRules: createGroupingRulesStore(db),
  regroups: createRegroupStore(db),
  regroupEvents: createRegroupEvents(clickhouse),
  reprocesses: createReprocessStore(db),
  reprocessEvents: createReprocessEvents(clickhouse),
  comments: createCommentStore(db),
  issueMarks: createIssueMarkStore(db),
  issueLinks: createIssueLinkStore(db),
  issueShares: createIssueShareStore(db),
  issueTags: createIssueTagStore(clickhouse),
  issueDeletions: createIssueDeletionStore(db),
  deletedEvents: createDeletedEventStore(clickhouse),
  projectDeletions: createProjectDeletionStore(db),
  projectSummaries: createProjectSummaryStore(db),
  deletedProjectData: createDeletedProjectData(clickhouse),
  destinations: createDestinationStore(
    db,
    createSecretBox('a secret of the tests, not of anybody', 'destinations'),
  ),
  deliveries: createDeliveryStore(db),
  notifications: createNotificationStore(db),
  activityNews: createActivityNewsStore(db),
  reports: createReportStore(db),
  overviews: createOverviewStore(db),
  ownership: createOwnershipStore(db),
  teams: createTeamStore(db),
  outcomes: createOutcomeStore(db),
  projects: createProjectStore(db),
  quarantine: createQuarantineStore(db),
  releases: createReleaseStore(db),
  commits: createCommitStore(db),
  deploys: createDeployStore(db),
  repositories: createRepositoryStore(db),
  codeMappings: createCodeMappingStore(db),
  retention: createRetentionStore(db, RETENTION_DAYS),
  savedSearches: createSavedSearchStore(db),
  searchNames: createSearchNameStore(db),
  storedDays: createStoredDays(clickhouse),
  telemetry: createTelemetryStore(clickhouse),
  trackers: createTrackerStore(db, createSecretBox('a secret of the tests, not of anybody', 'trackers')),
});
