import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PROJECTS } from '#app/api/0/parameters.ts';
import { refuseParameters } from '#app/api/0/read-parameters.ts';
import { NAMED } from '#app/api/0/schemas/parts.ts';
import { notFound } from '#lib/errors.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { type OrganizationParams, readProjects } from './organization-endpoints.ts';

/** An environment is known by its name; none can be hidden here. */
const serializeEnvironment = (name: string) => ({ id: name, name });
const serializeProjectEnvironment = (name: string) => ({ ...serializeEnvironment(name), isHidden: false });

const LIST_ENVIRONMENTS = {
  summary: 'Lists environments that events came from',
  scopes: ['event:read'],
  query: { ...PROJECTS, visibility: z.string().describe('Keeps environments by whether they are hidden') },
  answer: z.array(NAMED),
} satisfies Operation;

/** Source: https://docs.sentry.io/api/environments/list-an-organizations-environments/ */
export const listEnvironmentsEndpoint = declare<OrganizationParams>(
  LIST_ENVIRONMENTS,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    const names = await listEnvironments(ctx, await readProjects(url, ctx));
    return { body: isHiddenAsked(url) ? [] : names.map(serializeEnvironment) };
  },
);

const LIST_PROJECT_ENVIRONMENTS = {
  summary: 'Lists environments of a project',
  scopes: ['event:read'],
  query: { visibility: z.string().describe('Keeps environments by whether they are hidden') },
  answer: z.array(z.object({ isHidden: z.boolean(), id: z.string(), name: z.string() })),
} satisfies Operation;

/** Source: https://docs.sentry.io/api/environments/list-a-projects-environments/ */
export const listProjectEnvironmentsEndpoint = declare<ProjectParams>(
  LIST_PROJECT_ENVIRONMENTS,
  async (call) => {
    const { ctx, project } = await findProject(call.caller, call.params);
    const names = await listEnvironments(ctx, [project.slug]);
    return { body: isHiddenAsked(call.url) ? [] : names.map(serializeProjectEnvironment) };
  },
);

const GET_PROJECT_ENVIRONMENT = {
  summary: 'Answers an environment of a project',
  scopes: ['event:read'],
  answer: z.object({ isHidden: z.boolean(), id: z.string(), name: z.string() }),
} satisfies Operation;

/** Source: https://docs.sentry.io/api/environments/retrieve-a-project-environment/ */
export const getProjectEnvironmentEndpoint = declare<ProjectParams & { environment: string }>(
  GET_PROJECT_ENVIRONMENT,
  async (call) => {
    refuseParameters(call.url, ['visibility']);
    const { ctx, project } = await findProject(call.caller, call.params);
    const name = readSegment(call.params.environment);
    if (!(await listEnvironments(ctx, [project.slug])).includes(name)) {
      throw notFound(
        `No event of the project ${project.slug} came from the environment "${name.slice(0, 80)}"`,
      );
    }
    return { body: serializeProjectEnvironment(name) };
  },
);

const isHiddenAsked = (url: URL): boolean => url.searchParams.get('visibility') === 'hidden';

/** A name may hold signs that an address writes in another way. */
function readSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
