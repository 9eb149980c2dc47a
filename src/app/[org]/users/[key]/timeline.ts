import { replayHref } from '#app/[org]/replay-href.ts';
import { hasFailed } from '#domain/traces/has-failed.ts';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import type { UserActivity } from '#product/users/get-user.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatPlural } from '#ui/format-number.ts';

export const MOMENT_KINDS = ['error', 'feedback', 'transaction', 'replay', 'session'] as const;
export type MomentKind = (typeof MOMENT_KINDS)[number];

/** Something that happened to a user. Texts are as they were sent. */
export type Moment = {
  id: string;
  kind: MomentKind;
  /** Milliseconds since the epoch. */
  at: number;
  title: string;
  /** null when nothing more is known. */
  href: string | null;
  /** Whether it went wrong. */
  isBad: boolean;
  /** Project, release, how it went … */
  facts: readonly string[];
};

const US_PER_MS = 1_000;

/** Everything that is listed of a user, the newest first. */
export function timelineOf(organizationSlug: string, user: UserActivity): readonly Moment[] {
  const slugOf = (projectId: number) => user.projects.get(projectId) ?? '';
  const factsOf = (projectId: number, ...more: (string | null)[]) =>
    [slugOf(projectId), ...more].filter((fact): fact is string => fact !== null && fact !== '');
  const release = (version: string | null) => version && shortenHashes(version);
  const moments: Moment[] = [
    ...user.events.map(
      (event): Moment => ({
        id: event.eventId,
        kind: event.isFeedback ? 'feedback' : 'error',
        at: event.at,
        title: event.title,
        href: event.shortId && `/${organizationSlug}/issues/${event.shortId}/events/${event.eventId}`,
        isBad: !event.isFeedback,
        facts: factsOf(event.projectId, event.shortId, release(event.release), event.environment),
      }),
    ),
    ...user.transactions.rows.map(
      (row): Moment => ({
        id: row.eventId,
        kind: 'transaction',
        at: row.at,
        title: row.name,
        href: `/${organizationSlug}/traces/${row.traceId}`,
        isBad: hasFailed(row.status),
        facts: factsOf(
          row.projectId,
          row.op,
          formatElapsed(row.durationMs * US_PER_MS),
          hasFailed(row.status) ? row.status : null,
          release(row.release),
        ),
      }),
    ),
    ...user.replays.map(
      (replay): Moment => ({
        id: replay.replayId,
        kind: 'replay',
        at: replay.at,
        title: `Replay ${replay.replayId.slice(0, 8)}`,
        href: replayHref(organizationSlug, replay.replayId),
        isBad: false,
        facts: factsOf(
          replay.projectId,
          formatElapsed((replay.finishedAt - replay.at) * US_PER_MS),
          replay.errors > 0 ? formatPlural(replay.errors, 'error') : null,
        ),
      }),
    ),
    ...user.sessions.map(
      (session, index): Moment => ({
        id: `session-${index}`,
        kind: 'session',
        at: session.at,
        title: `Session, ${session.ended}`,
        href: null,
        isBad: session.ended !== 'healthy',
        facts: factsOf(
          session.projectId,
          release(session.release),
          session.environment,
          session.durationSeconds === null
            ? null
            : formatElapsed(session.durationSeconds * 1_000 * US_PER_MS),
        ),
      }),
    ),
  ];
  return moments.toSorted((a, b) => b.at - a.at || a.id.localeCompare(b.id));
}
