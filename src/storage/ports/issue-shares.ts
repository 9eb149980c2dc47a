export type IssueShare = {
  issueId: number;
  shortId: string;
  title: string;
  /** null when the user is gone. */
  createdBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number;
};

/** Public pages of issues; only the hash of a token is kept. Source: PostgreSQL. */
export interface IssueShareStore {
  /** Expired ones are none. */
  find(organizationId: number, issueId: number, nowMs: number): Promise<IssueShare | null>;
  /** Of an organization, newest first, at most `limit`. */
  list(organizationId: number, nowMs: number, limit: number): Promise<readonly IssueShare[]>;
  /** Which of the issues are shared. */
  findShared(
    organizationId: number,
    issueIds: readonly number[],
    nowMs: number,
  ): Promise<ReadonlySet<number>>;
  /** Takes the place of an earlier share of the issue. null when the organization has no such issue. */
  put(
    organizationId: number,
    issueId: number,
    share: { tokenHash: Uint8Array; expiresAt: number },
    userId: string | null,
    atMs: number,
  ): Promise<IssueShare | null>;
  /** False when the issue was not shared. */
  remove(organizationId: number, issueId: number, userId: string | null, atMs: number): Promise<boolean>;
  /** What a token opens; null when it is unknown, expired, or its organization switched sharing off. */
  open(
    tokenHash: Uint8Array,
    nowMs: number,
  ): Promise<{ organizationId: number; issueId: number; expiresAt: number } | null>;
  findAllowed(organizationId: number): Promise<boolean>;
  /** Switched off, every page of the organization answers that it does not exist; switched on, they are there again. */
  setAllowed(organizationId: number, isAllowed: boolean): Promise<void>;
}
