export const TRACKER_KINDS = ['github', 'gitlab', 'jira', 'linear'] as const;
export type TrackerKind = (typeof TRACKER_KINDS)[number];

/** Where an organization keeps its work. */
export type Tracker = {
  id: number;
  organizationId: number;
  kind: TrackerKind;
  name: string;
  /** Of its pages, without a trailing slash. */
  url: string;
  /** What is signed in with beside the token; null where the token is enough. */
  login: string | null;
  /** Whose the token is, as the tracker calls them. */
  account: string;
  createdBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** When it told something last; null before it ever did. */
  lastHookAt: number | null;
};

/** The token, and what its webhooks are signed with. */
export type TrackerSecrets = { token: string; hookSecret: string };

export type TrackerSecretReading =
  | { kind: 'read'; secrets: TrackerSecrets }
  | { kind: 'absent' }
  /** They were encrypted with another secret of the instance. */
  | { kind: 'unreadable' };

export type TrackerDraft = Pick<Tracker, 'kind' | 'name' | 'url' | 'login' | 'account'>;

/** Source: PostgreSQL; secrets are encrypted there. Every call is scoped by organization. */
export interface TrackerStore {
  /** By name. */
  list(organizationId: number): Promise<readonly Tracker[]>;
  find(organizationId: number, id: number): Promise<Tracker | null>;
  readSecrets(organizationId: number, id: number): Promise<TrackerSecretReading>;
  /** Throws Conflict for a name that is taken. */
  add(
    organizationId: number,
    draft: TrackerDraft,
    secrets: TrackerSecrets,
    userId: string | null,
    atMs: number,
  ): Promise<Tracker>;
  /** The kind stays; `token` null keeps it. null when there is none. Throws Conflict for a name that is taken. */
  update(
    organizationId: number,
    id: number,
    change: Omit<TrackerDraft, 'kind'> & { token: string | null },
  ): Promise<Tracker | null>;
  /** False when there is none. */
  setHookSecret(organizationId: number, id: number, hookSecret: string): Promise<boolean>;
  /** Links to it stay, as addresses. False when there is none. */
  remove(organizationId: number, id: number): Promise<boolean>;
  /** Whether it told something of one of the names before. */
  knowsHook(organizationId: number, id: number, deliveryIds: readonly string[]): Promise<boolean>;
  /** Notes that it told something, under each of the names. */
  rememberHook(
    organizationId: number,
    id: number,
    deliveryIds: readonly string[],
    atMs: number,
  ): Promise<void>;
  /** Messages of all organizations that came before that, at most `limit`. Answers how many. */
  forgetHooks(beforeMs: number, limit: number): Promise<number>;
}
