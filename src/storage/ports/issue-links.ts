/** What a tracker that is connected says of an issue of its own. */
export type TrackedIssue = {
  trackerId: number;
  /** As the tracker names it: `acme/web#12`, `WEB-7`. */
  key: string;
  state: 'open' | 'closed';
  /** As the tracker calls it, such as `In Progress`. */
  stateName: string;
};

/** Something of another system, by its address. */
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
  /** null for an address of which nothing is fetched. */
  tracked: TrackedIssue | null;
};

/** Links to other systems. Source: PostgreSQL. Every call is scoped by organization. */
export interface IssueLinkStore {
  /** Oldest first. */
  list(organizationId: number, issueId: number): Promise<readonly IssueLink[]>;
  /**
   * Writes an activity beside it. null when the organization has no such issue, it has `linksMax` links, or the link was
   * removed before and nobody asks for it now (`isByItself`). Throws Conflict when the issue has the link already.
   */
  add(
    organizationId: number,
    issueId: number,
    link: { url: string; title: string; tracked?: TrackedIssue; isByItself?: boolean },
    userId: string | null,
    atMs: number,
    linksMax: number,
  ): Promise<IssueLink | null>;
  /** What the tracker says now, of every issue that is linked to that one. Answers how many links it changed. */
  noteTracked(
    organizationId: number,
    tracked: TrackedIssue & { title: string },
    atMs: number,
  ): Promise<number>;
  /** Of all organizations, open issues of trackers that were looked at before that, the longest ago first. */
  listStale(
    beforeMs: number,
    limit: number,
  ): Promise<readonly { organizationId: number; trackerId: number; key: string }[]>;
  /** It was looked at, without an answer. */
  noteChecked(organizationId: number, issue: { trackerId: number; key: string }, atMs: number): Promise<void>;
  /** Writes an activity beside it. False when the issue has no such link. */
  remove(
    organizationId: number,
    issueId: number,
    linkId: number,
    userId: string | null,
    atMs: number,
  ): Promise<boolean>;
}
