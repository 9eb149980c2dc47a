import type { ReprocessRun } from '#product/symbolication/reprocess-store.ts';
import { isoOfMs } from './serialize-moment.ts';

/** A run that applies uploads to stored events, with how far it is. Not in the reference, which tells of none. */
export const serializeReprocess = (run: ReprocessRun) => ({
  id: String(run.id),
  project: run.projectSlug,
  scope: run.scope,
  status: run.state,
  eventsSeen: run.eventsSeen,
  eventsTotal: run.eventsTotal,
  eventsChanged: run.eventsChanged,
  issuesBefore: run.issuesBefore,
  issuesAfter: run.issuesAfter,
  user: run.user && { id: run.user.userId, name: run.user.name },
  dateCreated: isoOfMs(run.createdAt),
  dateFinished: run.finishedAt === null ? null : isoOfMs(run.finishedAt),
  lastError: run.lastError,
});
