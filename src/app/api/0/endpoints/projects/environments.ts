import { z } from 'zod';
import { get, type Operation } from '#app/api/0/operation.ts';
import { PROJECTS, text } from '#app/api/0/query.ts';
import { NAMED } from '#app/api/0/shapes/parts.ts';
import { notFound } from '#lib/errors.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';

const PROJECT_ENVIRONMENT = z.object({ isHidden: z.boolean(), id: z.string(), name: z.string() });

export const environmentOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/environments/list-an-organizations-environments/ */
  get('organizations/[org]/environments', {
    summary: 'Lists environments that have events',
    scopes: ['event:read'],
    query: { ...PROJECTS, visibility: text('Filter by visibility') },
    answer: z.array(NAMED),
    async handle({ ctx, query }) {
      const names = await listEnvironments(ctx, query.projectSlugs);
      return query.visibility === 'hidden' ? [] : names.map(serializeEnvironment);
    },
  }),

  /** Source: https://docs.sentry.io/api/environments/list-a-projects-environments/ */
  get('projects/[org]/[project]/environments', {
    summary: "Lists a project's environments",
    scopes: ['event:read'],
    query: { visibility: text('Filter by visibility') },
    answer: z.array(PROJECT_ENVIRONMENT),
    async handle({ ctx, project, query }) {
      const names = await listEnvironments(ctx, [project.slug]);
      return query.visibility === 'hidden' ? [] : names.map(serializeProjectEnvironment);
    },
  }),

  /** Source: https://docs.sentry.io/api/environments/retrieve-a-project-environment/ */
  get('projects/[org]/[project]/environments/[environment]', {
    summary: 'Retrieves a project environment',
    scopes: ['event:read'],
    refuses: ['visibility'],
    answer: PROJECT_ENVIRONMENT,
    async handle({ ctx, project, params }) {
      const name = readSegment(params.environment);
      if (!(await listEnvironments(ctx, [project.slug])).includes(name)) {
        throw notFound(`Project ${project.slug} has no events in the environment "${name.slice(0, 80)}"`);
      }
      return serializeProjectEnvironment(name);
    },
  }),
];

/** An environment is known by its name; none can be hidden here. */
const serializeEnvironment = (name: string) => ({ id: name, name });

const serializeProjectEnvironment = (name: string) => ({ ...serializeEnvironment(name), isHidden: false });

/** A name may hold signs that an address writes in another way. */
function readSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
