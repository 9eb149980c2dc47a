import { GitCommitHorizontal } from 'lucide-react';
import { CommitLine } from '#app/[org]/commits/commit-line.tsx';
import { CursorPager } from '#app/[org]/cursor-pager.tsx';
import { readListPage } from '#app/[org]/settings/read-list-page.ts';
import { shellQuote } from '#lib/shell-quote.ts';
import type { Context } from '#product/context.ts';
import { listReleaseCommits } from '#product/releases/list-commits.ts';
import { Card } from '#ui/card.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import type { ListPlace } from './release-tabs.tsx';

const PAGE_COMMITS = 50;

/** What was changed in the release. */
export async function ReleaseCommits({
  ctx,
  version,
  projectSlugs,
  cursor,
  here,
}: {
  ctx: Context;
  version: string;
  projectSlugs: readonly string[];
  cursor: string | null;
  here: ListPlace;
}) {
  const page = await readListPage(cursor, (from) =>
    listReleaseCommits(ctx, { version, projectSlugs, limit: PAGE_COMMITS, cursor: from }),
  );
  return (
    <>
      <Card flush id="commits" title="Commits">
        {page.commits.length === 0 ? (
          <EmptyState icon={<GitCommitHorizontal />} title="No commits yet">
            <p className="mb-3">
              With commits, issues show suspect commits, and a message such as “Fixes WEB-3F” resolves an
              issue when its release ships. Send commits from your build:
            </p>
            <div className="text-left">
              <CodeBlock
                text={`npx sentry-cli releases set-commits --auto ${shellQuote(version)}`}
                label="the command"
              />
            </div>
          </EmptyState>
        ) : (
          <ol className="divide-y">
            {page.commits.map((commit) => (
              <li key={commit.id} className="px-4 py-2.5">
                <CommitLine commit={commit} now={ctx.now()} />
              </li>
            ))}
          </ol>
        )}
      </Card>
      <CursorPager {...here} cursor={cursor} nextCursor={page.nextCursor} />
    </>
  );
}
