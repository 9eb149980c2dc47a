import { z } from 'zod';
import { get, type Operation, post } from '#app/api/0/operation.ts';
import { selectProject } from '#app/api/0/path-scope.ts';
import { each, idOf, isoMs, isoMsOrNull, shapeOf } from '#app/api/0/shape.ts';
import { NAMED } from '#app/api/0/shapes/parts.ts';
import type { Issue } from '#domain/issues/issue.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import type { ReprocessRun, ReprocessScope } from '#product/symbolication/reprocess-store.ts';
import { listReprocesses, startReprocess } from '#product/symbolication/reprocesses.ts';

/** A run that applies uploads to stored events, with its progress. Not in the reference. */
export const [REPROCESS, serializeReprocess] = shapeOf<ReprocessRun>()(
  {
    id: idOf('id'),
    project: [z.string(), 'projectSlug'],
    scope: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('issue'), issueId: z.number() }),
      z.object({ kind: z.literal('release'), version: z.string() }),
      z.object({ kind: z.literal('bundle'), bundleId: z.number() }),
    ]),
    status: [z.enum(['waiting', 'scanning', 'moving', 'done', 'cancelled']), 'state'],
    ...each(z.number(), 'eventsSeen', 'eventsTotal', 'eventsChanged', 'issuesBefore', 'issuesAfter'),
    user: [NAMED.nullable(), ({ user }) => user && { id: user.userId, name: user.name }],
    dateCreated: isoMs('createdAt'),
    dateFinished: isoMsOrNull('finishedAt'),
    lastError: z.string().nullable(),
  },
  'Reprocess',
);

const RUNS_MAX = 20;

const LIST = {
  summary: 'Lists the most recent reprocessing runs',
  scopes: ['project:read'],
  alsoScopes: ['event:read'],
  answer: z.array(REPROCESS),
} as const;

const START = {
  summary: 'Reprocesses stored events with uploaded files',
  scopes: ['event:write'],
  alsoScopes: ['project:read', 'event:read'],
  answer: REPROCESS,
  status: 201,
} as const;

const OF_ISSUE = ['issues/[issue]/reprocessing', 'organizations/[org]/issues/[issue]/reprocessing'] as const;
/** Not in the reference. */
const OF_RELEASE = 'projects/[org]/[project]/releases/[version]/reprocessing';

/** Applies uploads to stored events, and lists the runs that did, newest first. */
export const reprocessingOperations: readonly Operation[] = [
  get(OF_ISSUE, {
    ...LIST,
    handle: async ({ ctx, issue }) => listRuns(ctx, await targetOfIssue(ctx, issue)),
  }),

  post(OF_ISSUE, {
    ...START,
    handle: async ({ ctx, issue }) =>
      serializeReprocess(await startReprocess(ctx, await targetOfIssue(ctx, issue))),
  }),

  get(OF_RELEASE, {
    ...LIST,
    handle: ({ ctx, project, params }) => listRuns(ctx, targetOfRelease(project, params.version)),
  }),

  post(OF_RELEASE, {
    ...START,
    handle: async ({ ctx, project, params }) =>
      serializeReprocess(await startReprocess(ctx, targetOfRelease(project, params.version))),
  }),
];

type Target = { projectSlug: string; scope: ReprocessScope };

async function targetOfIssue(ctx: Context, issue: Issue): Promise<Target> {
  const { slug } = await selectProject(ctx, String(issue.projectId));
  return { projectSlug: slug, scope: { kind: 'issue', issueId: issue.id } };
}

const targetOfRelease = ({ slug }: Project, version: string): Target => ({
  projectSlug: slug,
  scope: { kind: 'release', version },
});

async function listRuns(ctx: Context, target: Target) {
  const runs = await listReprocesses(ctx, { ...target, limit: RUNS_MAX });
  return runs.map(serializeReprocess);
}
