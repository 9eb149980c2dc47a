import { z } from 'zod';
import { each } from '#app/api/0/shape.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import type {
  Archive,
  ArchiveCondition,
  IssueStatus,
  Resolution,
  ResolutionChoice,
  StatusState,
} from '#domain/issues/issue.ts';

/** Until when an issue is archived; windows are minutes. */
const ARCHIVED = z.object({
  ignoreUntil: z.string().nullable(),
  ...each(z.number().nullable(), 'ignoreCount', 'ignoreWindow', 'ignoreUserCount', 'ignoreUserWindow'),
  untilEscalating: z.boolean(),
  actor: z.object({ id: z.string() }).nullable(),
});

/** How an issue was resolved or archived: what does not apply is left out. */
export const STATUS_DETAILS = z
  .object({
    inNextRelease: z.boolean(),
    inRelease: z.string(),
    inCommit: z.object({ repository: z.string(), commit: z.string() }),
    ...ARCHIVED.shape,
  })
  .partial()
  .meta({ id: 'StatusDetails' });

/** Sentry says `ignored` where people read "archived". */
export const API_STATUS: Readonly<Record<IssueStatus, string>> = {
  unresolved: 'unresolved',
  resolved: 'resolved',
  archived: 'ignored',
};

/** How an issue was resolved or archived. Source of the fields: https://docs.sentry.io/api/events/update-an-issue/ */
export function serializeStatusDetails({ resolution, archive }: Pick<StatusState, 'resolution' | 'archive'>) {
  if (resolution) return serializeResolution(resolution);
  return archive ? { ...serializeCondition(archive.condition), actor: serializeActor(archive) } : {};
}

export function serializeResolution(resolution: Resolution | ResolutionChoice) {
  switch (resolution.kind) {
    case 'now':
      return {};
    case 'next_release':
      return { inNextRelease: true };
    case 'release':
      return { inRelease: resolution.release ?? 'latest' };
    case 'commit':
      return { inCommit: { repository: resolution.repository, commit: resolution.commit } };
  }
}

/** Windows are minutes. */
export function serializeCondition(condition: ArchiveCondition) {
  const counted = (kind: 'events' | 'users') => (condition.kind === kind ? condition : null);
  return {
    ignoreUntil: condition.kind === 'date' ? isoOfMs(condition.untilMs) : null,
    ignoreCount: counted('events')?.count ?? null,
    ignoreWindow: counted('events')?.windowMinutes ?? null,
    ignoreUserCount: counted('users')?.count ?? null,
    ignoreUserWindow: counted('users')?.windowMinutes ?? null,
    untilEscalating: condition.kind === 'escalating',
  };
}

const serializeActor = ({ userId }: Archive) => (userId === null ? null : { id: userId });
