import type { Activity } from '#domain/issues/issue.ts';
import { moment } from './answer.ts';

/** `2026-01-31T12:00:00Z Ada set priority: priority=high`; of a comment its text. */
export function activityRow({ at, user, type, data }: Activity): string {
  const who = user?.name ?? 'Errata';
  if (type === 'note') return `${moment(at)} ${who} wrote: ${String(data.text ?? '')}`;
  const details = Object.entries(data).map(([name, value]) => `${name}=${plain(value)}`);
  return `${moment(at)} ${who} ${type.replaceAll('_', ' ')}${details.length > 0 ? `: ${details.join(', ')}` : ''}`;
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
