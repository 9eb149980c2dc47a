import { z } from 'zod';
import type { ApiCall } from '#app/api/0/handle-api-request.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { REPROCESS } from '#app/api/0/schemas/reprocess.ts';
import { serializeReprocess } from '#app/api/0/serializers/serialize-reprocess.ts';
import type { Context } from '#product/context.ts';
import type { ReprocessScope } from '#product/symbolication/reprocess-store.ts';
import { listReprocesses, startReprocess } from '#product/symbolication/reprocesses.ts';
import { findIssue, type IssueParams } from './find-issue.ts';
import { findProject, type ProjectParams, selectProject } from './find-project.ts';
import { readVersion, type VersionParams } from './release-path.ts';

const RUNS_MAX = 20;

type Target = { ctx: Context; projectSlug: string; scope: ReprocessScope };

const LIST_REPROCESSES = {
  summary: 'Lists the last runs that applied uploads to stored events',
  scopes: ['project:read'],
  alsoScopes: ['event:read'],
  answer: z.array(REPROCESS),
} satisfies Operation;

const START_REPROCESS = {
  summary: 'Applies uploads to stored events',
  scopes: ['event:write'],
  alsoScopes: ['project:read', 'event:read'],
  answer: REPROCESS,
  status: 201,
} satisfies Operation;

/** Applies what was uploaded to events that are stored already, and tells of the runs that did, newest first. */
function reprocessEndpoints<Params>(findTarget: (call: ApiCall<Params>) => Promise<Target>) {
  const list = declare<Params>(LIST_REPROCESSES, async (call) => {
    const { ctx, ...target } = await findTarget(call);
    const runs = await listReprocesses(ctx, { ...target, limit: RUNS_MAX });
    return { body: runs.map(serializeReprocess) };
  });
  const start = declare<Params>(START_REPROCESS, async (call) => {
    const { ctx, ...target } = await findTarget(call);
    return { body: serializeReprocess(await startReprocess(ctx, target)), status: 201 };
  });
  return { list, start };
}

/** Source of the path: `organizations/{org}/issues/{issue}/reprocessing/` of Sentry. */
export const issueReprocesses = reprocessEndpoints<IssueParams>(async ({ caller, params }) => {
  const { ctx, issue } = await findIssue(caller, params);
  const { slug } = await selectProject(ctx, String(issue.projectId));
  return { ctx, projectSlug: slug, scope: { kind: 'issue', issueId: issue.id } };
});

/** Of a release in one project; not in the reference. */
export const releaseReprocesses = reprocessEndpoints<ProjectParams & VersionParams>(
  async ({ caller, params }) => {
    const { ctx, project } = await findProject(caller, params);
    return { ctx, projectSlug: project.slug, scope: { kind: 'release', version: readVersion(params) } };
  },
);
