import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { conflict } from '#lib/errors.ts';
import type { IssueLink, IssueLinkStore } from '#storage/ports/issue-links.ts';
import { lockIssue, noteActivity } from './issue-activity.ts';
import type { Database } from './schema.ts';
import { toStorableText } from './storable-json.ts';

export function createIssueLinkStore(db: Kysely<Database>): IssueLinkStore {
  return {
    list: (organizationId, issueId) =>
      readLinks(db, sql`issues.organization_id = ${organizationId} AND l.issue_id = ${issueId}`),

    async add(organizationId, issueId, { url, title }, userId, atMs, linksMax) {
      return await db.transaction().execute(async (transaction) => {
        const issue = await lockIssue(transaction, organizationId, issueId);
        if (!issue) return null;
        const present = await readLinks(transaction, sql`l.issue_id = ${issueId}`);
        if (present.some((link) => link.url === url)) {
          throw conflict('The issue is linked to this address already', 'url');
        }
        if (present.length >= linksMax) return null;
        const { rows } = await sql<{ id: number }>`
          INSERT INTO issue_links (issue_id, url, title, created_by, created_at)
          VALUES (${issueId}, ${toStorableText(url)}, ${toStorableText(title)}, ${userId}, ${new Date(atMs)})
          RETURNING id`.execute(transaction);
        await noteActivity(transaction, issue, { type: 'linked', data: { url, title }, userId, atMs });
        const [link] = await readLinks(transaction, sql`l.id = ${rows[0]!.id}`);
        return link ?? null;
      });
    },

    async remove(organizationId, issueId, linkId, userId, atMs) {
      return await db.transaction().execute(async (transaction) => {
        const issue = await lockIssue(transaction, organizationId, issueId);
        if (!issue) return false;
        const { rows } = await sql<{ url: string; title: string }>`
          DELETE FROM issue_links WHERE id = ${linkId} AND issue_id = ${issueId} RETURNING url, title`.execute(
          transaction,
        );
        const [link] = rows;
        if (!link) return false;
        await noteActivity(transaction, issue, { type: 'unlinked', data: link, userId, atMs });
        return true;
      });
    },
  };
}

type LinkRow = {
  id: number;
  issue_id: number;
  url: string;
  title: string;
  created_by: string | null;
  created_by_name: string | null;
  created_at: Date;
};

async function readLinks(
  db: Kysely<Database> | Transaction<Database>,
  condition: RawBuilder<unknown>,
): Promise<IssueLink[]> {
  const { rows } = await sql<LinkRow>`
    SELECT l.id, l.issue_id, l.url, l.title, l.created_by, users.name AS created_by_name, l.created_at
    FROM issue_links l JOIN issues ON issues.id = l.issue_id LEFT JOIN users ON users.id = l.created_by
    WHERE ${condition} ORDER BY l.id`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    issueId: row.issue_id,
    url: row.url,
    title: row.title,
    createdBy: row.created_by === null ? null : { id: row.created_by, name: row.created_by_name ?? '' },
    createdAt: row.created_at.getTime(),
  }));
}
