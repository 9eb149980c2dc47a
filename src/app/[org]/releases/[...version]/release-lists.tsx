import { GitCommitHorizontal, Rocket } from 'lucide-react';
import type { ComponentProps } from 'react';
import { CommitLine } from '#app/[org]/commit-line.tsx';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { shellQuote } from '#lib/shell-quote.ts';
import { visibleText } from '#lib/visible-text.ts';
import { listDeploys } from '#product/releases/deploys.ts';
import { listReleaseCommits } from '#product/releases/list-commits.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ExternalLink } from '#ui/external-link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import type { ReleaseListProps } from './release-tabs.tsx';

const PAGE_ENTRIES = 50;

/** The commits of the release. */
export async function ReleaseCommits({ ctx, version, projectSlugs, cursor, here }: ReleaseListProps) {
  const page = await readListPage(cursor, (from) =>
    listReleaseCommits(ctx, { version, projectSlugs, limit: PAGE_ENTRIES, cursor: from }),
  );
  return (
    <>
      <Card flush id="commits" title="Commits">
        {page.commits.length === 0 ? (
          <EmptyWithCommand
            icon={<GitCommitHorizontal />}
            title="No commits yet"
            command={`npx sentry-cli releases set-commits --auto ${shellQuote(version)}`}
          >
            With commits, issues show suspect commits, and a message such as “Fixes WEB-3F” resolves an issue
            when its release ships. Send commits from your build:
          </EmptyWithCommand>
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

/** Where and when the release was deployed. */
export async function ReleaseDeploys({ ctx, version, projectSlugs, cursor, here }: ReleaseListProps) {
  const page = await readListPage(cursor, (from) =>
    listDeploys(ctx, { version, projectSlugs, limit: PAGE_ENTRIES, cursor: from }),
  );
  const now = ctx.now();
  return (
    <>
      <Card flush id="deploys" title="Deploys">
        {page.deploys.length === 0 ? (
          <EmptyWithCommand
            icon={<Rocket />}
            title="No deploys yet"
            command={`npx sentry-cli deploys new --release ${shellQuote(version)} --env production`}
          >
            Record deploys from your pipeline:
          </EmptyWithCommand>
        ) : (
          <Table label="Deploys">
            <thead>
              <tr>
                <Th>Environment</Th>
                <Th>Name</Th>
                <Th>Finished</Th>
                <Th>Duration</Th>
                <Th>Link</Th>
              </tr>
            </thead>
            <tbody>
              {page.deploys.map((deploy) => (
                <Tr key={deploy.id}>
                  <Td>
                    <Badge>{visibleText(deploy.environment)}</Badge>
                  </Td>
                  <Td>
                    <bdi className="break-anything">{visibleText(deploy.name ?? '')}</bdi>
                  </Td>
                  <Td className="whitespace-nowrap">
                    <RelativeTime at={deploy.finishedAt} now={now} />
                  </Td>
                  <Td className="numbers whitespace-nowrap">
                    {deploy.startedAt === null ? '' : durationLabel(deploy.finishedAt - deploy.startedAt)}
                  </Td>
                  <Td>
                    {deploy.url === null ? null : (
                      <ExternalLink href={deploy.url}>{visibleText(deploy.url)}</ExternalLink>
                    )}
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </Card>
      <CursorPager {...here} cursor={cursor} nextCursor={page.nextCursor} />
    </>
  );
}

function EmptyWithCommand({
  command,
  children,
  ...state
}: ComponentProps<typeof EmptyState> & { command: string }) {
  return (
    <EmptyState {...state}>
      <p className="mb-3">{children}</p>
      <div className="text-left">
        <CodeBlock text={command} label="the command" />
      </div>
    </EmptyState>
  );
}

/** `45 s`, `3 min 5 s`. Clocks of pipelines may be off: less than nothing is nothing. */
function durationLabel(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
