/** An issue of another system, by its address. Nothing is ever fetched from it. */
export type IssueLink = {
  id: number;
  issueId: number;
  url: string;
  /** As typed, or made of the address. */
  title: string;
  /** null when the user is gone. */
  createdBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
};

/** Links to other systems. Source: PostgreSQL. Every call is scoped by organization. */
export interface IssueLinkStore {
  /** Oldest first. */
  list(organizationId: number, issueId: number): Promise<readonly IssueLink[]>;
  /**
   * Writes an activity beside it. null when the organization has no such issue, or it has `linksMax` links. Throws
   * Conflict when the issue has the link already.
   */
  add(
    organizationId: number,
    issueId: number,
    link: { url: string; title: string },
    userId: string | null,
    atMs: number,
    linksMax: number,
  ): Promise<IssueLink | null>;
  /** Writes an activity beside it. False when the issue has no such link. */
  remove(
    organizationId: number,
    issueId: number,
    linkId: number,
    userId: string | null,
    atMs: number,
  ): Promise<boolean>;
}
