import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleStart, visibleText } from '#lib/visible-text.ts';
import type { CommitRow } from '#product/commits/commit-row.ts';
import { ExternalLink } from '#ui/external-link.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';

const SUBJECT_CHARACTERS_MAX = 200;

/** A commit: its hash, which leads to it, its first line, who wrote it and when. */
export function CommitLine({ commit, now }: { commit: CommitRow; now: number }) {
  const { key, message, author, url, files, repositoryName } = commit;
  const [subject = '', ...rest] = message.split('\n');
  const name = author.memberName ?? author.name ?? author.email;
  return (
    <div className="min-w-0 text-sm">
      <p className="break-anything" title={rest.length > 0 ? visibleText(message) : undefined}>
        <code className="mono text-xs">
          {url === null ? shortKey(key) : <ExternalLink href={url}>{shortKey(key)}</ExternalLink>}
        </code>{' '}
        <bdi>{visibleStart(subject, SUBJECT_CHARACTERS_MAX)}</bdi>
      </p>
      <p className="break-anything text-text-muted text-xs">
        {name === null ? null : (
          <>
            <bdi>{visibleText(name)}</bdi>,{' '}
          </>
        )}
        <RelativeTime at={commit.committedAt} now={now} />
        {files > 0 ? `, ${formatPlural(files, 'file')}` : null}, <bdi>{visibleText(repositoryName)}</bdi>
      </p>
    </div>
  );
}

const shortKey = (key: string): string => visibleText(shortenHashes(key));
