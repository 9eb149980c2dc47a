/** Why somebody hears of an issue. */
export const SUBSCRIPTION_REASONS = [
  'commented',
  'mentioned',
  'team_mentioned',
  'assigned',
  'bookmarked',
  'chosen',
] as const;
export type SubscriptionReason = (typeof SUBSCRIPTION_REASONS)[number];

export type Subscriber = { userId: string; name: string; reason: SubscriptionReason };

/** Milliseconds since the epoch. */
export type SeenBy = { userId: string; name: string; email: string; seenAt: number };

/** What one user made of an issue. */
export type IssueUserState = {
  isBookmarked: boolean;
  /** null when it was never decided. */
  subscription: { isSubscribed: boolean; reason: SubscriptionReason } | null;
  hasSeen: boolean;
};

/** Bookmarks, subscriptions and who has seen an issue. Source: PostgreSQL. Every call is scoped by organization. */
export interface IssueUserStateStore {
  setBookmarked(
    organizationId: number,
    issueIds: readonly number[],
    userId: string,
    isBookmarked: boolean,
  ): Promise<void>;
  /** The user's own choice: it stands against everything that would subscribe. */
  setSubscribed(
    organizationId: number,
    issueIds: readonly number[],
    userId: string,
    isSubscribed: boolean,
  ): Promise<void>;
  /** Members of the organization that have not decided yet become subscribed; the first reason stays. */
  subscribe(
    organizationId: number,
    issueIds: readonly number[],
    userIds: readonly string[],
    reason: SubscriptionReason,
  ): Promise<void>;
  setSeen(
    organizationId: number,
    issueIds: readonly number[],
    userId: string,
    hasSeen: boolean,
    atMs: number,
  ): Promise<void>;
  /** One entry for each issue of the organization that is asked for. */
  findUserState(
    organizationId: number,
    issueIds: readonly number[],
    userId: string,
  ): Promise<ReadonlyMap<number, IssueUserState>>;
  /** By name, at most `limit`. */
  listSubscribers(organizationId: number, issueId: number, limit: number): Promise<readonly Subscriber[]>;
  /** Latest first, at most `limit`. */
  listSeenBy(organizationId: number, issueId: number, limit: number): Promise<readonly SeenBy[]>;
}
