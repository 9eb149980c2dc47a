import type { Activity } from '#domain/issues/issue.ts';

/** Part of a comment's text that names somebody; offsets in UTF-16 units, half-open. */
export type Mention = { start: number; end: number } & ({ userId: string } | { teamId: number });

export type CommentText = { text: string; mentions: readonly Mention[] };

/** Where a page of activities ended. */
export type ActivityCursor = { at: number; id: number };

/**
 * Comments are activities of the type `note` with `data: { text, mentions, editedAt? }`: they move with the issue's
 * other activities. Source: PostgreSQL. Every call is scoped by organization.
 */
export interface CommentStore {
  /** What happened to an issue, newest first; `type` leaves only these. */
  listActivities(
    organizationId: number,
    issueId: number,
    options: { limit: number; before: ActivityCursor | null; type: 'note' | null },
  ): Promise<readonly Activity[]>;
  /** null when the organization has no such issue. */
  add(
    organizationId: number,
    issueId: number,
    userId: string,
    comment: CommentText,
    atMs: number,
  ): Promise<Activity | null>;
  /** null when the issue has no such comment. */
  find(organizationId: number, issueId: number, commentId: number): Promise<Activity | null>;
  /** Only the author's own; null when there is none. Notes when it was edited. */
  edit(
    organizationId: number,
    issueId: number,
    commentId: number,
    userId: string,
    comment: CommentText,
    atMs: number,
  ): Promise<Activity | null>;
  /** Only the author's own. False when there is none. */
  delete(organizationId: number, issueId: number, commentId: number, userId: string): Promise<boolean>;
  /** Comments of each issue; issues without any are missing. */
  count(organizationId: number, issueIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
}
