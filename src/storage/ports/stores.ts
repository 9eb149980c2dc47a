import type { AccountStore, Authenticator } from './accounts.ts';
import type { BlobStore } from './blobs.ts';
import type { ChangeFeed, DigestStore, OutcomeStore, QuarantineStore } from './digest.ts';
import type { EventStore } from './events.ts';
import type { IngestSettingsStore } from './ingest-settings.ts';
import type { IssueStore } from './issues.ts';
import type { ProjectStore } from './projects.ts';
import type { DiskMeter, RetentionStore, StoredDays } from './retention.ts';
import type { TelemetryStore } from './telemetry.ts';

/** All that the product reads and writes; the composition root fills it. */
export type Stores = {
  accounts: AccountStore;
  events: EventStore;
  issues: IssueStore;
  projects: ProjectStore;
  outcomes: OutcomeStore;
  quarantine: QuarantineStore;
  telemetry: TelemetryStore;
  blobs: BlobStore;
  ingestSettings: IngestSettingsStore;
  retention: RetentionStore;
  storedDays: StoredDays;
  disk: DiskMeter;
};

/** What the web role has besides the stores. */
export type WebServices = Stores & { authenticator: Authenticator; changes: ChangeFeed };

/** What the digest role has. */
export type DigestServices = Pick<Stores, 'events' | 'quarantine'> & { digest: DigestStore };
