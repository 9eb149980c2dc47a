import type { Activity } from '#domain/issues/issue.ts';
import { isStatusActivity } from './status-activity.tsx';
import { StatusActivityDetails } from './status-details.tsx';

/** How people and teams are called, by id; those that are gone are missing. */
export type ActivityNames = {
  users: ReadonlyMap<string, string>;
  /** By id: the slug. */
  teams: ReadonlyMap<number, string>;
};

/** Release, person or address that an entry names, when it names one. */
export function ActivityDetails({ entry, names }: { entry: Activity; names: ActivityNames }) {
  if (isStatusActivity(entry.type)) return <StatusActivityDetails entry={entry} />;
  switch (entry.type) {
    case 'first_seen':
      return <ReleaseName release={entry.data.release} />;
    case 'assigned':
      return (
        <>
          <AssigneeName entry={entry} names={names} />
          <RuleName rule={entry.data.rule} />
        </>
      );
    case 'linked':
    case 'unlinked':
      return (
        <>
          {' '}
          <bdi title={String(entry.data.url ?? '')}>{String(entry.data.title ?? entry.data.url ?? '')}</bdi>
        </>
      );
    case 'merge':
      return <> {mergedNames(entry.data)}</>;
    case 'unmerge_source':
    case 'unmerge_destination':
      return <> {String(entry.data.shortId ?? 'a deleted issue')}</>;
    default:
      return null;
  }
}

const MERGED_SHOWN = 5;

/** Short ids of what was merged, as far as they are kept. */
function mergedNames({ issues, count }: Activity['data']): string {
  const names = (Array.isArray(issues) ? (issues as readonly { shortId?: unknown }[]) : [])
    .slice(0, MERGED_SHOWN)
    .map(({ shortId }) => String(shortId));
  const rest = Number(count) - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
}

function ReleaseName({ release }: { release: unknown }) {
  if (typeof release !== 'string' || release === '') return null;
  return (
    <>
      {' in '}
      <bdi>{release}</bdi>
    </>
  );
}

function AssigneeName({ entry, names }: { entry: Activity; names: ActivityNames }) {
  const { assigneeUserId, assigneeTeamId } = entry.data;
  if (typeof assigneeTeamId === 'number') {
    const slug = names.teams.get(assigneeTeamId);
    return slug === undefined ? ' to a team' : ` to #${slug}`;
  }
  if (typeof assigneeUserId !== 'string') return null;
  if (assigneeUserId === entry.user?.id) return ' to themselves';
  const name = names.users.get(assigneeUserId);
  if (name === undefined) return null;
  return (
    <>
      {' to '}
      <bdi>{name}</bdi>
    </>
  );
}

/** Why it was assigned, when a rule did it. */
function RuleName({ rule }: { rule: unknown }) {
  if (typeof rule !== 'object' || rule === null) return null;
  const { source, line, text } = rule as { source?: unknown; line?: unknown; text?: unknown };
  return (
    <span title={String(text ?? '')}>
      {' '}
      by line {String(line)} of {source === 'codeowners' ? 'the CODEOWNERS file' : 'the ownership rules'}
    </span>
  );
}
