import type { Activity } from '#domain/issues/issue.ts';
import type { NotifiedActivity } from '#storage/ports/notifications.ts';
import { plainLine } from './plain-text.ts';

const TEXT_CHARACTERS_MAX = 500;
const NAME_CHARACTERS_MAX = 100;
const COMMIT_CHARACTERS = 12;

/** What happened, as a sentence about the issue for the reader; all of it on one line. */
export function describeActivity(
  { type, user, data, reason }: Pick<NotifiedActivity, 'type' | 'user' | 'data' | 'reason'>,
  readerId: string,
): string {
  const who = user === null ? null : plainLine(user.name, NAME_CHARACTERS_MAX);
  const said = (did: string, alone: string): string => (who === null ? alone : `${who} ${did}`);
  switch (type) {
    case 'note':
      return `${who ?? 'Somebody'}${reason === 'mentioned' ? ' named you' : ' wrote'}: ${plainLine(String(data.text ?? ''), TEXT_CHARACTERS_MAX)}`;
    case 'assigned': {
      const toWhom = assigneeOf(data, readerId, reason);
      return said(`assigned it${toWhom}`, `Assigned${toWhom} by the ownership rules`);
    }
    case 'set_resolved':
    case 'set_resolved_in_release':
    case 'set_resolved_in_commit': {
      const how = resolutionOf(data);
      return said(`resolved it${how}`, `Resolved${how}`);
    }
    case 'set_unresolved':
      return said('opened it again', 'Open again');
    case 'set_archived':
      return said('archived it', 'Archived');
    case 'set_regression':
      return `It is back${typeof data.release === 'string' ? ` in ${plainLine(data.release, NAME_CHARACTERS_MAX)}` : ''}, after it was resolved`;
    case 'set_escalating':
      return 'It happens more often than was expected';
    default:
      return said('changed it', 'Changed');
  }
}

function assigneeOf(
  { assigneeUserId, assigneeTeamId }: Activity['data'],
  readerId: string,
  reason: string,
): string {
  if (assigneeUserId === readerId) return ' to you';
  if (typeof assigneeTeamId === 'number') return reason === 'assigned' ? ' to a team of yours' : ' to a team';
  return ' to somebody else';
}

function resolutionOf({ version, commit, repository }: Activity['data']): string {
  const parts: string[] = [];
  if (typeof version === 'string') parts.push(` in ${plainLine(version, NAME_CHARACTERS_MAX)}`);
  if (typeof commit === 'string') {
    parts.push(
      ` with commit ${plainLine(commit, COMMIT_CHARACTERS)} of ${plainLine(String(repository), NAME_CHARACTERS_MAX)}`,
    );
  }
  return parts.join('');
}
