import { z } from 'zod';
import type { Network } from '#lib/guarded-request/network.ts';
import type { TrackerAccess, TrackerClient, TrackerIssue, TrackerProject } from '../ports/tracker-client.ts';
import { failed, mapAnswer, request, type TrackerEndpoint } from './tracker-request.ts';

const USER = z.object({ login: z.string() });
const REPOSITORIES = z.array(
  z.object({ full_name: z.string(), has_issues: z.boolean().optional(), archived: z.boolean().optional() }),
);
const ISSUE = z.object({
  number: z.int(),
  title: z.string(),
  html_url: z.string(),
  state: z.string(),
  state_reason: z.string().nullish(),
});
const FOUND = z.object({ items: z.array(ISSUE) });
const PROBLEM = z.object({ message: z.string() });

/** What its list of repositories holds at once, and how far a name is looked for: the newest pushed to come first. */
const PAGE_REPOSITORIES = 100;
const PAGES_MAX = 5;

/** GitHub and GitHub Enterprise Server. Source: https://docs.github.com/en/rest */
export function openGithub({ url, token }: TrackerAccess, network: Network): TrackerClient {
  const endpoint: TrackerEndpoint = {
    base: new URL(url).host === 'github.com' ? 'https://api.github.com' : `${url}/api/v3`,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'x-github-api-version': '2022-11-28',
    },
    network,
    readProblem: (body) => PROBLEM.safeParse(body).data?.message ?? null,
  };
  return {
    async whoAmI() {
      return mapAnswer(await request(endpoint, { path: '/user', schema: USER }), ({ login }) => ({
        name: login,
      }));
    },

    async listProjects(text, limit) {
      const found: TrackerProject[] = [];
      // It has no search among what a token sees.
      for (let page = 1; page <= PAGES_MAX && found.length < limit; page++) {
        const query = { per_page: String(PAGE_REPOSITORIES), sort: 'pushed', page: String(page) };
        const listed = await request(endpoint, { path: '/user/repos', query, schema: REPOSITORIES });
        if (listed.kind === 'failed') return listed;
        found.push(...listed.value.filter(hasIssues).flatMap(toProject(text)));
        if (listed.value.length < PAGE_REPOSITORIES) break;
      }
      return { kind: 'done', value: found.slice(0, limit) };
    },

    async createIssue({ projectId, title, body }) {
      const path = pathOf(projectId);
      if (path === null) return failed('Choose a repository, such as "owner/name"');
      const made = await request(endpoint, { method: 'POST', path, body: { title, body }, schema: ISSUE });
      return mapAnswer(made, (issue) => toIssue(projectId, issue));
    },

    async findIssues(projectId, text, limit) {
      if (pathOf(projectId) === null) return failed('Choose a repository, such as "owner/name"');
      // Signs of its language would ask for something else.
      const words = text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
      const query = {
        q: `${words} repo:${projectId} is:issue in:title`.trim(),
        sort: 'created',
        per_page: String(limit),
      };
      const found = await request(endpoint, { path: '/search/issues', query, schema: FOUND });
      return mapAnswer(found, ({ items }) => items.map((issue) => toIssue(projectId, issue)));
    },

    async getIssue(key) {
      const [repository = '', number = ''] = key.split('#');
      const path = pathOf(repository);
      if (path === null || !/^\d{1,15}$/.test(number)) return { kind: 'done', value: null };
      const read = await request(endpoint, {
        path: `${path}/${number}`,
        schema: ISSUE.nullable(),
        absent: { value: null },
      });
      return mapAnswer(read, (issue) => issue && toIssue(repository, issue));
    },
  };
}

type Repository = z.infer<typeof REPOSITORIES>[number];

const hasIssues = ({ has_issues, archived }: Repository): boolean =>
  has_issues !== false && archived !== true;

const toProject =
  (text: string) =>
  ({ full_name }: Repository): TrackerProject[] =>
    full_name.toLowerCase().includes(text.toLowerCase()) ? [{ id: full_name, name: full_name }] : [];

/** Of its issues; null for what is no name of a repository. */
function pathOf(repository: string): string | null {
  if (!/^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(repository) || /(?:^|\/)\.{1,2}(?:\/|$)/.test(repository))
    return null;
  return `/repos/${repository}/issues`;
}

/** Its webhooks spell the repository in its own way, whatever was asked for: so does the address of the issue. */
function repositoryOf({ html_url }: z.infer<typeof ISSUE>, asked: string): string {
  const [, owner, name] = URL.parse(html_url)?.pathname.split('/') ?? [];
  const own = `${owner}/${name}`;
  return own.toLowerCase() === asked.toLowerCase() ? own : asked;
}

const toIssue = (repository: string, issue: z.infer<typeof ISSUE>): TrackerIssue => ({
  key: `${repositoryOf(issue, repository)}#${issue.number}`,
  url: issue.html_url,
  title: issue.title,
  state: issue.state === 'closed' ? 'closed' : 'open',
  stateName:
    issue.state === 'closed' && issue.state_reason === 'not_planned'
      ? 'Closed as not planned'
      : capital(issue.state),
});

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
