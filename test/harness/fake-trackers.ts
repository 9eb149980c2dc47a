import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

export type FakeIssue = {
  number: number;
  title: string;
  body: string;
  isClosed: boolean;
  /** Instead of showing it; only GitHub's answers so. */
  answersStatus?: number;
};

/** A tracker that checks each request against what its documentation asks for. */
export type FakeTracker = {
  /** Of its pages. */
  url: string;
  issues: FakeIssue[];
  /** What was asked and not as documented; empty for a client that does it right. */
  complaints: string[];
  close(): void;
};

type Asked = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: unknown;
};
type Answered = { status?: number; body: unknown };
type Answer = (asked: Asked, tracker: FakeTracker) => Answered | null;

export const FAKE_TOKEN = 'secret-token-of-the-tests';

async function serveTracker(answer: Answer): Promise<FakeTracker> {
  const tracker: FakeTracker = { url: '', issues: [], complaints: [], close: () => {} };
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://tracker');
    const asked: Asked = {
      method: request.method ?? '',
      path: decodeURIComponent(pathname),
      query: searchParams,
      headers: request.headers,
      body: text === '' ? null : JSON.parse(text),
    };
    if (request.headers['user-agent'] === undefined) tracker.complaints.push('no User-Agent');
    if (text !== '' && request.headers['content-type'] !== 'application/json')
      tracker.complaints.push('no JSON');
    let answered: Answered | null;
    try {
      answered = answer(asked, tracker);
    } catch (error) {
      tracker.complaints.push(`${asked.method} ${asked.path}: ${String(error)}`);
      answered = { status: 422, body: { message: 'Validation Failed' } };
    }
    if (!answered) tracker.complaints.push(`${asked.method} ${asked.path} is no documented call`);
    const { status = 200, body } = answered ?? { status: 404, body: { message: 'Not Found' } };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  tracker.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  tracker.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return tracker;
}

function make(tracker: FakeTracker, title: string, body: string): FakeIssue {
  const issue = { number: tracker.issues.length + 1, title, body, isClosed: false };
  tracker.issues.push(issue);
  return issue;
}

const withTitle = (tracker: FakeTracker, words: string): readonly FakeIssue[] =>
  tracker.issues.filter(({ title }) =>
    words.split(' ').every((word) => title.toLowerCase().includes(word.toLowerCase())),
  );

/** GitHub Enterprise Server: its interface lies below /api/v3. Source: https://docs.github.com/en/rest */
export const fakeGithub = () =>
  serveTracker(({ method, path, query, headers, body }, tracker) => {
    if (headers['x-github-api-version'] !== '2022-11-28') tracker.complaints.push('no version');
    if (headers.accept !== 'application/vnd.github+json') tracker.complaints.push('no media type');
    if (headers.authorization !== `Bearer ${FAKE_TOKEN}`)
      return { status: 401, body: { message: 'Bad credentials' } };
    const show = ({ number, title, isClosed }: FakeIssue) => ({
      number,
      title,
      html_url: `${tracker.url}/acme/web/issues/${number}`,
      state: isClosed ? 'closed' : 'open',
      state_reason: isClosed ? 'completed' : null,
    });
    if (method === 'GET' && path === '/api/v3/user') return { body: { login: 'ana', id: 1 } };
    if (method === 'GET' && path === '/api/v3/user/repos') {
      z.coerce.number().min(1).max(100).parse(query.get('per_page'));
      z.enum(['created', 'updated', 'pushed', 'full_name']).parse(query.get('sort'));
      if (query.get('page') === '2') return { body: [{ full_name: 'acme/far-away', has_issues: true }] };
      const closed = Array.from({ length: 98 }, (_, index) => ({
        full_name: `acme/${index}`,
        has_issues: false,
      }));
      return {
        body: [
          { full_name: 'acme/web', has_issues: true, archived: false },
          { full_name: 'acme/old', has_issues: true, archived: true },
          ...closed,
        ],
      };
    }
    if (method === 'POST' && path === '/api/v3/repos/acme/web/issues') {
      const input = z.strictObject({ title: z.string().min(1), body: z.string().max(65_536) }).parse(body);
      return { status: 201, body: show(make(tracker, input.title, input.body)) };
    }
    if (method === 'GET' && path === '/api/v3/search/issues') {
      const q = z.string().max(256).parse(query.get('q'));
      if (!/\brepo:acme\/web\b/.test(q) || !/\bis:issue\b/.test(q)) throw new Error('a search of everything');
      const words = q.replace(/\b(?:repo|is|in):\S+/g, '').trim();
      return { body: { total_count: 1, items: withTitle(tracker, words).map(show) } };
    }
    // It takes names in any case.
    const number = /^\/api\/v3\/repos\/acme\/web\/issues\/(\d+)$/i.exec(path)?.[1];
    if (method !== 'GET' || number === undefined) return null;
    const issue = tracker.issues.find((one) => one.number === Number(number));
    if (issue?.answersStatus) return { status: issue.answersStatus, body: { message: 'Not shown' } };
    return issue ? { body: show(issue) } : { status: 404, body: { message: 'Not Found' } };
  });

/** Source: https://docs.gitlab.com/api/issues/ */
export const fakeGitlab = () =>
  serveTracker(({ method, path, query, headers, body }, tracker) => {
    if (headers['private-token'] !== FAKE_TOKEN)
      return { status: 401, body: { message: '401 Unauthorized' } };
    const show = ({ number, title, isClosed }: FakeIssue) => ({
      iid: number,
      title,
      web_url: `${tracker.url}/acme/shop/web/-/issues/${number}`,
      state: isClosed ? 'closed' : 'opened',
      references: { short: `#${number}`, relative: `#${number}`, full: `acme/shop/web#${number}` },
    });
    const issues = '/api/v4/projects/acme/shop/web/issues';
    if (method === 'GET' && path === '/api/v4/user') return { body: { username: 'ana' } };
    if (method === 'GET' && path === '/api/v4/projects') {
      z.coerce.number().min(1).max(100).parse(query.get('per_page'));
      z.literal('true').parse(query.get('membership'));
      return { body: [{ id: 1, path_with_namespace: 'acme/shop/web' }] };
    }
    if (method === 'POST' && path === issues) {
      const input = z
        .strictObject({ title: z.string().min(1).max(255), description: z.string() })
        .parse(body);
      return { status: 201, body: show(make(tracker, input.title, input.description)) };
    }
    if (method === 'GET' && path === issues) {
      if (query.has('search')) z.literal('title').parse(query.get('in'));
      return { body: withTitle(tracker, query.get('search') ?? '').map(show) };
    }
    // It takes paths in any case.
    const number = path.toLowerCase().startsWith(`${issues}/`) ? Number(path.slice(issues.length + 1)) : null;
    if (method !== 'GET' || number === null) return null;
    const issue = tracker.issues.find((one) => one.number === number);
    return issue ? { body: show(issue) } : { status: 404, body: { message: '404 Not found' } };
  });

/** Cloud when somebody signs in with an address, else a server of one's own. */
export const fakeJira = () =>
  serveTracker(({ method, path, query, headers, body }, tracker) => {
    const basic = `Basic ${Buffer.from(`ana@example.com:${FAKE_TOKEN}`).toString('base64')}`;
    const isCloud = headers.authorization === basic;
    if (!isCloud && headers.authorization !== `Bearer ${FAKE_TOKEN}`) {
      return { status: 401, body: { errorMessages: ['Client must be authenticated'], errors: {} } };
    }
    const show = ({ number, title, isClosed }: FakeIssue) => ({
      key: `WEB-${number}`,
      fields: {
        summary: title,
        status: { name: isClosed ? 'Done' : 'To Do', statusCategory: { key: isClosed ? 'done' : 'new' } },
      },
    });
    const projects = [{ key: 'WEB', name: 'Website' }];
    const types = [
      { id: '5', name: 'Sub-task', subtask: true },
      { id: '7', name: 'Task', subtask: false },
      { id: '9', name: 'Bug', subtask: false },
    ];
    if (method === 'GET' && path === '/rest/api/2/myself') return { body: { displayName: 'Ana' } };
    if (method === 'GET' && path === '/rest/api/2/project/search')
      return isCloud ? { body: { values: projects } } : null;
    if (method === 'GET' && path === '/rest/api/2/project') return isCloud ? null : { body: projects };
    if (method === 'GET' && path === '/rest/api/2/issue/createmeta/WEB/issuetypes') {
      return { body: isCloud ? { issueTypes: types } : { values: types } };
    }
    if (method === 'POST' && path === '/rest/api/2/issue') {
      const { fields } = z
        .strictObject({
          fields: z.strictObject({
            project: z.strictObject({ key: z.literal('WEB') }),
            summary: z
              .string()
              .min(1)
              .max(255)
              .regex(/^[^\n]*$/),
            description: z.string().max(32_767),
            issuetype: z.strictObject({ id: z.literal('9') }),
          }),
        })
        .parse(body);
      const { number } = make(tracker, fields.summary, fields.description);
      return { status: 201, body: { id: String(number), key: `WEB-${number}`, self: '' } };
    }
    if (method === 'GET' && path === (isCloud ? '/rest/api/3/search/jql' : '/rest/api/2/search')) {
      const jql = /^project = "WEB"(?: AND summary ~ "([\p{L}\p{N} ]+)")? ORDER BY created DESC$/u.exec(
        query.get('jql') ?? '',
      );
      if (!jql) throw new Error(`not the JQL that was meant: ${query.get('jql')}`);
      return { body: { issues: withTitle(tracker, jql[1] ?? '').map(show) } };
    }
    const number = /^\/rest\/api\/2\/issue\/WEB-(\d+)$/.exec(path)?.[1];
    if (method !== 'GET' || number === undefined) return null;
    const issue = tracker.issues.find((one) => one.number === Number(number));
    return issue
      ? { body: show(issue) }
      : {
          status: 404,
          body: {
            errorMessages: ['Issue does not exist or you do not have permission to see it.'],
            errors: {},
          },
        };
  });

/** Source: https://linear.app/developers/graphql */
export const fakeLinear = () =>
  serveTracker(({ method, path, headers, body }, tracker) => {
    if (method !== 'POST' || path !== '/graphql') return null;
    if (headers.authorization !== `Bearer ${FAKE_TOKEN}`) {
      const extensions = {
        code: 'AUTHENTICATION_ERROR',
        userPresentableMessage: 'You need to authenticate to access this operation.',
      };
      return { status: 400, body: { errors: [{ message: 'Authentication required', extensions }] } };
    }
    const { query, variables } = z
      .strictObject({ query: z.string(), variables: z.record(z.string(), z.unknown()) })
      .parse(body);
    for (const name of Object.keys(variables))
      if (!query.includes(`$${name}:`)) throw new Error(`$${name} is not declared`);
    const show = ({ number, title, isClosed }: FakeIssue) => ({
      identifier: `ENG-${number}`,
      url: `${tracker.url}/acme/issue/ENG-${number}`,
      title,
      state: isClosed ? { name: 'Done', type: 'completed' } : { name: 'Todo', type: 'unstarted' },
    });
    if (query.includes('viewer {')) return { body: { data: { viewer: { name: 'Ana' } } } };
    if (query.includes('teams(')) {
      return { body: { data: { teams: { nodes: [{ id: 'team-1', key: 'ENG', name: 'Engineering' }] } } } };
    }
    if (query.includes('issueCreate(')) {
      const { input } = z
        .object({
          input: z.strictObject({
            teamId: z.literal('team-1'),
            title: z.string().min(1),
            description: z.string(),
          }),
        })
        .parse(variables);
      const issue = show(make(tracker, input.title, input.description));
      return { body: { data: { issueCreate: { success: true, issue } } } };
    }
    if (query.includes('searchIssues(') || query.includes('issues(')) {
      const { term = '' } = z
        .object({
          term: z.string().optional(),
          first: z.int().max(250),
          filter: z.object({ team: z.object({ id: z.object({ eq: z.literal('team-1') }) }) }),
        })
        .parse(variables);
      return { body: { data: { found: { nodes: withTitle(tracker, term).map(show) } } } };
    }
    if (!query.includes('issue(id: $id)')) return null;
    const issue = tracker.issues.find(({ number }) => variables.id === `ENG-${number}`);
    if (issue) return { body: { data: { issue: show(issue) } } };
    const extensions = { code: 'INPUT_ERROR', userPresentableMessage: 'Could not find referenced Issue.' };
    return { body: { errors: [{ message: 'Entity not found: Issue', extensions }], data: null } };
  });

export const FAKE_TRACKERS = {
  github: {
    open: fakeGithub,
    login: null,
    projectId: 'acme/web',
    key: (number: number) => `acme/web#${number}`,
  },
  gitlab: {
    open: fakeGitlab,
    login: null,
    projectId: 'acme/shop/web',
    key: (number: number) => `acme/shop/web#${number}`,
  },
  jira: {
    open: fakeJira,
    login: 'ana@example.com',
    projectId: 'WEB',
    key: (number: number) => `WEB-${number}`,
  },
  linear: { open: fakeLinear, login: null, projectId: 'team-1', key: (number: number) => `ENG-${number}` },
} as const;
