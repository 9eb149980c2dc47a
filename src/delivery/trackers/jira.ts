import { z } from 'zod';
import type { Network } from '#lib/guarded-request/network.ts';
import type { TrackerAccess, TrackerClient, TrackerIssue } from '../ports/tracker-client.ts';
import { failed, mapAnswer, request, type TrackerEndpoint } from './tracker-request.ts';

const USER = z.object({ displayName: z.string() });
const PROJECT = z.object({ key: z.string(), name: z.string() });
const CLOUD_PROJECTS = z.object({ values: z.array(PROJECT) });
const ISSUE_TYPE = z.object({ id: z.string(), name: z.string(), subtask: z.boolean().optional() });
/** The cloud calls them `issueTypes`, a server of one's own `values`. */
const ISSUE_TYPES = z.object({
  issueTypes: z.array(ISSUE_TYPE).optional(),
  values: z.array(ISSUE_TYPE).optional(),
});
const ISSUE = z.object({
  key: z.string(),
  fields: z.object({
    summary: z.string(),
    status: z.object({ name: z.string(), statusCategory: z.object({ key: z.string() }).optional() }),
  }),
});
const FOUND = z.object({ issues: z.array(ISSUE) });
const MADE = z.object({ key: z.string() });
const PROBLEM = z.object({
  errorMessages: z.array(z.string()).optional(),
  errors: z.record(z.string(), z.string()).optional(),
});

/** The first of them that a project has; else its first one. */
const TYPES_PREFERRED = ['bug', 'task', 'story', 'issue'];

/**
 * Jira Cloud, which wants a mail address beside the token, and servers of one's own, which want the token alone.
 * Sources: https://developer.atlassian.com/cloud/jira/platform/rest/v2/,
 * https://developer.atlassian.com/server/jira/platform/rest/
 */
export function openJira({ url, login, token }: TrackerAccess, network: Network): TrackerClient {
  const isCloud = login !== null;
  const endpoint: TrackerEndpoint = {
    base: `${url}/rest/api`,
    headers: {
      authorization: isCloud
        ? `Basic ${Buffer.from(`${login}:${token}`).toString('base64')}`
        : `Bearer ${token}`,
    },
    network,
    readProblem(body) {
      const { errorMessages = [], errors = {} } = PROBLEM.safeParse(body).data ?? {};
      const said = [...errorMessages, ...Object.entries(errors).map(([field, text]) => `${field}: ${text}`)];
      return said.join('; ') || null;
    },
  };
  const toIssue = ({ key, fields: { summary, status } }: z.infer<typeof ISSUE>): TrackerIssue => ({
    key,
    url: `${url}/browse/${key}`,
    title: summary,
    state: status.statusCategory?.key === 'done' ? 'closed' : 'open',
    stateName: status.name,
  });
  const getIssue: TrackerClient['getIssue'] = async (key) => {
    if (!isKey(key)) return { kind: 'done', value: null };
    const read = await request(endpoint, {
      path: `/2/issue/${key}`,
      query: { fields: 'summary,status' },
      schema: ISSUE.nullable(),
      absent: { value: null },
    });
    return mapAnswer(read, (issue) => issue && toIssue(issue));
  };
  return {
    getIssue,

    async whoAmI() {
      return mapAnswer(await request(endpoint, { path: '/2/myself', schema: USER }), ({ displayName }) => ({
        name: displayName,
      }));
    },

    async listProjects(text, limit) {
      const listed = isCloud
        ? mapAnswer(
            await request(endpoint, {
              path: '/2/project/search',
              query: { query: text, maxResults: String(limit), orderBy: 'name' },
              schema: CLOUD_PROJECTS,
            }),
            ({ values }) => values,
          )
        : await request(endpoint, { path: '/2/project', schema: z.array(PROJECT) });
      return mapAnswer(listed, (projects) =>
        projects
          .map(({ key, name }) => ({ id: key, name: `${name} (${key})` }))
          .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
          .slice(0, limit),
      );
    },

    async createIssue({ projectId, title, body }) {
      if (!isProject(projectId)) return failed('Choose a project by its key, such as WEB');
      const types = await request(endpoint, {
        path: `/2/issue/createmeta/${projectId}/issuetypes`,
        schema: ISSUE_TYPES,
      });
      if (types.kind === 'failed') return types;
      const type = chooseType(types.value.issueTypes ?? types.value.values ?? []);
      if (!type) return failed(`The token does not have permission to create issues in ${projectId}`);
      const made = await request(endpoint, {
        method: 'POST',
        path: '/2/issue',
        body: {
          fields: {
            project: { key: projectId },
            summary: title,
            description: body,
            issuetype: { id: type.id },
          },
        },
        schema: MADE,
      });
      if (made.kind === 'failed') return made;
      const { key } = made.value;
      const read = await getIssue(key);
      // It is made, whatever it answers then.
      if (read.kind === 'done' && read.value) return { kind: 'done', value: read.value };
      return {
        kind: 'done',
        value: { key, url: `${url}/browse/${key}`, title, state: 'open', stateName: 'Open' },
      };
    },

    async findIssues(projectId, text, limit) {
      if (!isProject(projectId)) return failed('Choose a project by its key, such as WEB');
      // Signs of its language would ask for something else.
      const words = text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
      const jql = `project = "${projectId}"${words === '' ? '' : ` AND summary ~ "${words}"`} ORDER BY created DESC`;
      const query = { jql, fields: 'summary,status', maxResults: String(limit) };
      const path = isCloud ? '/3/search/jql' : '/2/search';
      return mapAnswer(await request(endpoint, { path, query, schema: FOUND }), ({ issues }) =>
        issues.map(toIssue),
      );
    },
  };
}

const isKey = (key: string): boolean => /^[A-Z][A-Z0-9_]{0,99}-\d{1,15}$/.test(key);
const isProject = (key: string): boolean => /^[A-Z][A-Z0-9_]{0,99}$/.test(key);

type IssueType = z.infer<typeof ISSUE_TYPE>;

function chooseType(types: readonly IssueType[]): IssueType | undefined {
  const own = types.filter(({ subtask }) => subtask !== true);
  const preferred = TYPES_PREFERRED.flatMap(
    (name) => own.find((type) => type.name.toLowerCase() === name) ?? [],
  );
  return preferred[0] ?? own[0];
}
