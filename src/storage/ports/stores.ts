import type { AccountStore, Authenticator } from './accounts.ts';
import type { ChangeFeed, DigestStore, OutcomeStore, QuarantineStore } from './digest.ts';
import type { EventStore } from './events.ts';
import type { IssueStore } from './issues.ts';
import type { ProjectStore } from './projects.ts';

/** All that the product reads and writes; the composition root fills it. */
export type Stores = {
  accounts: AccountStore;
  events: EventStore;
  issues: IssueStore;
  projects: ProjectStore;
  outcomes: OutcomeStore;
  quarantine: QuarantineStore;
};

/** What the web role has besides the stores. */
export type WebServices = Stores & { authenticator: Authenticator; changes: ChangeFeed };

/** What the digest role has. */
export type DigestServices = Pick<Stores, 'events' | 'quarantine'> & { digest: DigestStore };
