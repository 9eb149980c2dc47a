import type { GroupingRulesVersion } from '#product/grouping/grouping-change.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';

export type VersionEntry = Omit<GroupingRulesVersion, 'fingerprint' | 'stackTrace'> & { lines: number };

/** Every version that was saved, newest first; each can be taken into the editor again. */
export function VersionList({
  base,
  versions,
  activeVersion,
  now,
  canRestore,
}: {
  base: string;
  versions: readonly VersionEntry[];
  activeVersion: number;
  now: number;
  canRestore: boolean;
}) {
  return (
    <ol className="divide-y">
      {versions.map(({ version, author, createdAt, activatedAt, restoredFrom, lines }) => (
        <li key={version} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5">
          <div className="min-w-0 text-sm">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium">Version {version}</span>
              {version === activeVersion ? <Badge tone="success">counts now</Badge> : null}
              {activatedAt === null ? <Badge>never counted</Badge> : null}
              <span className="text-text-muted text-xs">
                {formatPlural(lines, 'rule')}
                {restoredFrom ? `, as version ${restoredFrom}` : ''}
              </span>
            </p>
            <p className="text-text-muted text-xs">
              {author ? <bdi>{author.name}</bdi> : 'Errata'}, <RelativeTime at={createdAt} now={now} />
            </p>
          </div>
          {canRestore && version !== activeVersion ? (
            <ButtonLink size="sm" href={`${base}?version=${version}`}>
              Restore…
            </ButtonLink>
          ) : null}
        </li>
      ))}
    </ol>
  );
}
