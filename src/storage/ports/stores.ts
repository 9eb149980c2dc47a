import type { AccountStore } from './accounts.ts';
import type { AlertEventStore, AlertOutboxStore, AlertRuleStore } from './alerts.ts';
import type { ArtifactFileStore } from './artifact-files.ts';
import type { ArtifactStore } from './artifacts.ts';
import type { AuditStore } from './audit.ts';
import type { Authenticator } from './authenticator.ts';
import type { BlobStore } from './blobs.ts';
import type { CodeMappingStore } from './code-mappings.ts';
import type { CommentStore } from './comments.ts';
import type { CommitStore } from './commits.ts';
import type { DeliveryStore } from './deliveries.ts';
import type { DeployStore } from './deploys.ts';
import type { DestinationStore } from './destinations.ts';
import type { ChangeFeed, DigestStore, OutcomeStore, QuarantineStore } from './digest.ts';
import type { EventExploreStore } from './event-explore.ts';
import type { EventStore } from './events.ts';
import type { GroupingRulesStore } from './grouping-rules.ts';
import type { IngestSettingsStore } from './ingest-settings.ts';
import type { InvitationStore } from './invitations.ts';
import type { DeletedEventStore, IssueDeletionStore } from './issue-deletions.ts';
import type { IssueLinkStore } from './issue-links.ts';
import type { IssueShareStore } from './issue-shares.ts';
import type { IssueTagStore } from './issue-tags.ts';
import type { IssueUserStateStore } from './issue-user-state.ts';
import type { IssueStore } from './issues.ts';
import type { MemberStore } from './members.ts';
import type { ActivityOutboxStore, NotificationStore, ReportStore } from './notifications.ts';
import type { OauthStore } from './oauth.ts';
import type { OrganizationTokenStore } from './organization-tokens.ts';
import type { OrganizationStore } from './organizations.ts';
import type { OverviewStore } from './overviews.ts';
import type { OwnershipStore } from './ownership.ts';
import type { DeletedProjectData, ProjectDeletionStore } from './project-deletions.ts';
import type { ProjectSummaryStore } from './project-summaries.ts';
import type { ProjectStore } from './projects.ts';
import type { RegroupStore } from './regroup.ts';
import type { RegroupEvents } from './regroup-events.ts';
import type { ReleaseStore } from './releases.ts';
import type { RepositoryStore } from './repositories.ts';
import type { ReprocessEvents, ReprocessStore } from './reprocess.ts';
import type { DiskMeter, RetentionStore, StoredDays } from './retention.ts';
import type { SavedSearchStore } from './saved-searches.ts';
import type { SearchNameStore } from './search.ts';
import type { TeamStore } from './teams.ts';
import type { TelemetryStore } from './telemetry.ts';
import type { TrackerStore } from './trackers.ts';

/**
 * What the work changes through the stores handed to it happens together, or not at all when it throws. Within a
 * transaction the work joins it.
 */
export type InTransaction<Held> = <Result>(work: (stores: Held) => Promise<Result>) => Promise<Result>;

/** Stores that can be made anew over a transaction. */
export type Transactional<Held> = Held & { inTransaction: InTransaction<Transactional<Held>> };

/** All that the product reads and writes; the composition root fills it. */
export type Stores = Transactional<HeldStores>;

export type HeldStores = {
  accounts: AccountStore;
  alertRules: AlertRuleStore;
  alertOutbox: AlertOutboxStore;
  alertEvents: AlertEventStore;
  artifacts: ArtifactStore;
  artifactFiles: ArtifactFileStore;
  members: MemberStore;
  invitations: InvitationStore;
  organizations: OrganizationStore;
  organizationTokens: OrganizationTokenStore;
  oauth: OauthStore;
  audit: AuditStore;
  events: EventStore;
  eventExplore: EventExploreStore;
  issues: IssueStore;
  groupingRules: GroupingRulesStore;
  regroups: RegroupStore;
  regroupEvents: RegroupEvents;
  reprocesses: ReprocessStore;
  reprocessEvents: ReprocessEvents;
  comments: CommentStore;
  issueUserState: IssueUserStateStore;
  issueLinks: IssueLinkStore;
  issueShares: IssueShareStore;
  issueTags: IssueTagStore;
  issueDeletions: IssueDeletionStore;
  deletedEvents: DeletedEventStore;
  projectDeletions: ProjectDeletionStore;
  projectSummaries: ProjectSummaryStore;
  deletedProjectData: DeletedProjectData;
  destinations: DestinationStore;
  deliveries: DeliveryStore;
  notifications: NotificationStore;
  activityOutbox: ActivityOutboxStore;
  reports: ReportStore;
  overviews: OverviewStore;
  ownership: OwnershipStore;
  teams: TeamStore;
  projects: ProjectStore;
  releases: ReleaseStore;
  commits: CommitStore;
  deploys: DeployStore;
  repositories: RepositoryStore;
  codeMappings: CodeMappingStore;
  outcomes: OutcomeStore;
  quarantine: QuarantineStore;
  telemetry: TelemetryStore;
  trackers: TrackerStore;
  blobs: BlobStore;
  ingestSettings: IngestSettingsStore;
  retention: RetentionStore;
  savedSearches: SavedSearchStore;
  searchNames: SearchNameStore;
  storedDays: StoredDays;
  disk: DiskMeter;
};

/** What the web role has besides the stores. */
export type WebServices = Transactional<HeldStores & { authenticator: Authenticator; changes: ChangeFeed }>;

/** What the digest role has. */
export type DigestServices = Pick<Stores, 'events' | 'quarantine'> & { digest: DigestStore };
