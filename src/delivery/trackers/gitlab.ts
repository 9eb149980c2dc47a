import { z } from 'zod';
import type { Network } from '#lib/guarded-request/network.ts';
import type { TrackerAccess, TrackerClient, TrackerIssue } from '../ports/tracker-client.ts';
import { failed, mapAnswer, request, type TrackerEndpoint } from './tracker-request.ts';

const USER = z.object({ username: z.string() });
const PROJECTS = z.array(z.object({ path_with_namespace: z.string() }));
const ISSUE = z.object({
  iid: z.int(),
  title: z.string(),
  web_url: z.string(),
  state: z.string(),
  references: z.object({ full: z.string() }).optional(),
});
/** A text, or texts by field. */
const PROBLEM = z.object({ message: z.unknown().optional(), error: z.string().optional() });

/** gitlab.com and servers of one's own. Source: https://docs.gitlab.com/api/rest/ */
export function openGitlab({ url, token }: TrackerAccess, network: Network): TrackerClient {
  const endpoint: TrackerEndpoint = {
    base: `${url}/api/v4`,
    headers: { 'private-token': token },
    network,
    readProblem(body) {
      const { message, error } = PROBLEM.safeParse(body).data ?? {};
      if (typeof message === 'string') return message;
      return message === undefined ? (error ?? null) : JSON.stringify(message);
    },
  };
  return {
    async whoAmI() {
      return mapAnswer(await request(endpoint, { path: '/user', schema: USER }), ({ username }) => ({
        name: username,
      }));
    },

    async listProjects(text, limit) {
      const query = {
        membership: 'true',
        with_issues_enabled: 'true',
        archived: 'false',
        simple: 'true',
        order_by: 'last_activity_at',
        per_page: String(limit),
        ...(text !== '' && { search: text, search_namespaces: 'true' }),
      };
      return mapAnswer(await request(endpoint, { path: '/projects', query, schema: PROJECTS }), (projects) =>
        projects.map(({ path_with_namespace: path }) => ({ id: path, name: path })),
      );
    },

    async createIssue({ projectId, title, body }) {
      const path = pathOf(projectId);
      if (path === null) return failed(NO_PROJECT);
      const made = await request(endpoint, {
        method: 'POST',
        path,
        body: { title, description: body },
        schema: ISSUE,
      });
      return mapAnswer(made, (issue) => toIssue(projectId, issue));
    },

    async findIssues(projectId, text, limit) {
      const path = pathOf(projectId);
      if (path === null) return failed(NO_PROJECT);
      const query = { per_page: String(limit), ...(text !== '' && { search: text, in: 'title' }) };
      const found = await request(endpoint, { path, query, schema: z.array(ISSUE) });
      return mapAnswer(found, (issues) => issues.map((issue) => toIssue(projectId, issue)));
    },

    async getIssue(key) {
      const mark = key.lastIndexOf('#');
      const [project, number] = [key.slice(0, Math.max(mark, 0)), key.slice(mark + 1)];
      const path = pathOf(project);
      if (path === null || !/^\d{1,15}$/.test(number)) return { kind: 'done', value: null };
      const read = await request(endpoint, {
        path: `${path}/${number}`,
        schema: ISSUE.nullable(),
        absent: { value: null },
      });
      return mapAnswer(read, (issue) => issue && toIssue(project, issue));
    },
  };
}

const NO_PROJECT = 'Choose a project by its path, such as "group/name"';

/** A project is named by its path, its slashes escaped; null for what is no such path. */
const pathOf = (project: string): string | null =>
  /^[\w.-]+(?:\/[\w.-]+)+$/.test(project) ? `/projects/${encodeURIComponent(project)}/issues` : null;

/** Its webhooks spell the project in its own way, whatever was asked for: so do its references. */
const toIssue = (
  project: string,
  { iid, title, web_url, state, references }: z.infer<typeof ISSUE>,
): TrackerIssue => ({
  key: references?.full ?? `${project}#${iid}`,
  url: web_url,
  title,
  state: state === 'closed' ? 'closed' : 'open',
  stateName: state === 'closed' ? 'Closed' : 'Open',
});
