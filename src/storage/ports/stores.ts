import type { AccountStore } from './accounts.ts';
import type { AuditStore } from './audit.ts';
import type { Authenticator } from './authenticator.ts';
import type { BlobStore } from './blobs.ts';
import type { CommentStore } from './comments.ts';
import type { ChangeFeed, DigestStore, OutcomeStore, QuarantineStore } from './digest.ts';
import type { EventExploreStore } from './event-explore.ts';
import type { EventStore } from './events.ts';
import type { GroupingRulesStore } from './grouping-rules.ts';
import type { IngestSettingsStore } from './ingest-settings.ts';
import type { InvitationStore } from './invitations.ts';
import type { DeletedEventStore, IssueDeletionStore } from './issue-deletions.ts';
import type { IssueLinkStore } from './issue-links.ts';
import type { IssueMarkStore } from './issue-marks.ts';
import type { IssueShareStore } from './issue-shares.ts';
import type { IssueTagStore } from './issue-tags.ts';
import type { IssueStore } from './issues.ts';
import type { MemberStore } from './members.ts';
import type { OrganizationTokenStore } from './organization-tokens.ts';
import type { OrganizationStore } from './organizations.ts';
import type { OwnershipStore } from './ownership.ts';
import type { DeletedProjectData, ProjectDeletionStore } from './project-deletions.ts';
import type { ProjectSummaryStore } from './project-summaries.ts';
import type { ProjectStore } from './projects.ts';
import type { RegroupStore } from './regroup.ts';
import type { RegroupEvents } from './regroup-events.ts';
import type { ReleaseStore } from './releases.ts';
import type { DiskMeter, RetentionStore, StoredDays } from './retention.ts';
import type { SavedSearchStore } from './saved-searches.ts';
import type { SearchNameStore } from './search.ts';
import type { TeamStore } from './teams.ts';
import type { TelemetryStore } from './telemetry.ts';

/** All that the product reads and writes; the composition root fills it. */
export type Stores = {
  accounts: AccountStore;
  members: MemberStore;
  invitations: InvitationStore;
  organizations: OrganizationStore;
  organizationTokens: OrganizationTokenStore;
  audit: AuditStore;
  events: EventStore;
  eventExplore: EventExploreStore;
  issues: IssueStore;
  groupingRules: GroupingRulesStore;
  regroups: RegroupStore;
  regroupEvents: RegroupEvents;
  comments: CommentStore;
  issueMarks: IssueMarkStore;
  issueLinks: IssueLinkStore;
  issueShares: IssueShareStore;
  issueTags: IssueTagStore;
  issueDeletions: IssueDeletionStore;
  deletedEvents: DeletedEventStore;
  projectDeletions: ProjectDeletionStore;
  projectSummaries: ProjectSummaryStore;
  deletedProjectData: DeletedProjectData;
  ownership: OwnershipStore;
  teams: TeamStore;
  projects: ProjectStore;
  releases: ReleaseStore;
  outcomes: OutcomeStore;
  quarantine: QuarantineStore;
  telemetry: TelemetryStore;
  blobs: BlobStore;
  ingestSettings: IngestSettingsStore;
  retention: RetentionStore;
  savedSearches: SavedSearchStore;
  searchNames: SearchNameStore;
  storedDays: StoredDays;
  disk: DiskMeter;
};

/** What the web role has besides the stores. */
export type WebServices = Stores & { authenticator: Authenticator; changes: ChangeFeed };

/** What the digest role has. */
export type DigestServices = Pick<Stores, 'events' | 'quarantine'> & { digest: DigestStore };
