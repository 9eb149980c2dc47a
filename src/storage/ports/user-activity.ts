import type { EventScope, TimeRange } from './events.ts';
import type { GroupingKey } from './search.ts';

/** What a program calls a person by, as in the tag `user`. */
export const USER_KINDS = ['id', 'email', 'username', 'ip'] as const;
export type UserKind = (typeof USER_KINDS)[number];
export type UserKey = { kind: UserKind; value: string };

/** Which rows are meant. */
export type UserQuery = {
  range: TimeRange;
  /** Empty for all. */
  environments: readonly string[];
};

/** What is known of those who were seen under a name. Milliseconds since the epoch. */
export type UserNames = {
  /** Each once, a few; empty where nothing was sent, or what was sent was taken away. */
  ids: readonly string[];
  emails: readonly string[];
  usernames: readonly string[];
  ips: readonly string[];
  firstSeen: number;
  lastSeen: number;
};

export type UserIssue = GroupingKey & { events: number; firstSeen: number; lastSeen: number };

export type UserEvent = GroupingKey & {
  eventId: string;
  at: number;
  title: string;
  isFeedback: boolean;
  release: string | null;
  environment: string | null;
};

export type UserTransaction = {
  projectId: number;
  eventId: string;
  traceId: string;
  name: string;
  op: string;
  status: string;
  at: number;
  durationMs: number;
  release: string | null;
  environment: string | null;
};

export type UserReplay = {
  projectId: number;
  replayId: string;
  at: number;
  finishedAt: number;
  errors: number;
};

export type UserSession = {
  projectId: number;
  release: string;
  environment: string | null;
  at: number;
  /** null while it goes on, or where it was not sent. */
  durationSeconds: number | null;
  /** How it ended, or goes on. */
  ended: 'healthy' | 'errored' | 'crashed' | 'abnormal' | 'unhandled';
};

/** Somebody in a list of people: by the first thing that is known of them. */
export type ListedUser = UserKey & {
  email: string | null;
  username: string | null;
  ip: string | null;
  errors: number;
  issues: number;
  transactions: number;
  lastSeen: number;
};

/** What was stored of the people who use programs. Each list is the newest first, at most `limit`. Source: ClickHouse. */
export interface UserActivityStore {
  /** From errors, feedback and transactions; null when there is none. */
  findNames(scope: EventScope, key: UserKey, query: UserQuery): Promise<UserNames | null>;
  /** Groups of errors and of feedback, with how often they happened to the user. */
  listIssues(
    scope: EventScope,
    key: UserKey,
    query: UserQuery & { limit: number },
  ): Promise<readonly UserIssue[]>;
  listEvents(
    scope: EventScope,
    key: UserKey,
    query: UserQuery & { limit: number },
  ): Promise<readonly UserEvent[]>;
  listTransactions(
    scope: EventScope,
    key: UserKey,
    query: UserQuery & { limit: number },
  ): Promise<{ rows: readonly UserTransaction[]; total: number; failed: number }>;
  /** Of the users with these ids: replays know no other name. */
  listReplays(
    scope: EventScope,
    ids: readonly string[],
    query: UserQuery & { limit: number },
  ): Promise<readonly UserReplay[]>;
  /** Of these distinct ids, hashed as in the rows. */
  listSessions(
    scope: EventScope,
    hashes: readonly string[],
    query: UserQuery & { limit: number },
  ): Promise<readonly UserSession[]>;
  /**
   * Whose id, email, username or address contains the text, in either case, or who has exactly the name; those seen last
   * first. `isQuick`: what is found within a second, which may be less than there is.
   */
  listUsers(
    scope: EventScope,
    query: UserQuery & { text: string; key: UserKey | null; limit: number; isQuick: boolean },
  ): Promise<readonly ListedUser[]>;
}
