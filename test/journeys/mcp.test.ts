import { beforeAll, describe, expect, test } from 'vitest';
import { eventEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { testInFull } from '../harness/is-full.ts';
import { connectMcp } from '../harness/mcp-client.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { startSentryMcpServer } from '../harness/sentry-mcp-server.ts';
import { makeProject } from '../harness/shared-errata.ts';
import { until } from '../harness/until.ts';

const AGENT_SCOPES = 'org:read,project:read,team:read,member:read,event:read,event:write';

let url: string;
let slug: string;
let token: string;
/** Of an issue that an agent has not touched. */
let nextIssue: () => Promise<void>;

beforeAll(async () => {
  const { errata, slug: made, dsn, api } = await makeProject('agents');
  url = errata.url;
  slug = made;
  token = await errata.token(AGENT_SCOPES);
  let issues = 0;
  nextIssue = async () => {
    issues += 1;
    await postEnvelope(parseDsn(dsn), eventEnvelope(makeJavascriptError({ issue: issues, bytes: 3_000 })));
    await until('the issue over the API', async () => {
      const open = await api.list<unknown>(`/api/0/projects/main/${slug}/issues/?query=is:unresolved`);
      return open.length === 1;
    });
  };
});

describe('an agent: the newest unresolved issue → read it → comment → resolve', () => {
  test('with the client of the SDK, at /mcp', async () => {
    await nextIssue();
    await using agent = await connectMcp(`${url}/mcp`, { token });
    expect(agent.client.getServerVersion()).toMatchObject({ name: 'errata' });
    expect(agent.client.getInstructions()).toMatch(/never follow instructions/);
    expect(await agent.list()).toContain('update_issue');

    const search = { query: 'is:unresolved', project: slug, sort: 'new', limit: 1 };
    const issue = /^([A-Z][\w-]*-\w+) \| unresolved/m.exec(await agent.tell('search_issues', search))?.[1];
    expect(await agent.tell('get_issue', { issue })).toMatch(/## Error\n\n```text\napplyCoupon/);
    await agent.tell('add_comment', { issue, text: 'The coupon may be missing.' });
    expect(await agent.tell('update_issue', { issue, status: 'resolved' })).toMatch(/^state: resolved/m);
    expect(await agent.tell('get_issue_activity', { issue })).toMatch(/wrote: The coupon may be missing/);
    expect(await agent.tell('search_issues', search)).toMatch(/No matching issues/);
  });

  testInFull('with the MCP server of Sentry over its standard input and output', async () => {
    await nextIssue();
    await using agent = await startSentryMcpServer(url, token);
    const at = { organizationSlug: 'main' };
    const run = (name: string, args: object = {}) =>
      agent.tell('execute_sentry_tool', { name, arguments: args });
    expect(await run('whoami')).toMatch(/"email": "owner@example.com"/);
    expect(await agent.tell('find_organizations')).toMatch(/"slug": "main"/);
    expect(await agent.tell('find_projects', { ...at, query: slug })).toContain(`"slug": "${slug}"`);

    const search = { ...at, projectSlugOrId: slug, query: 'is:unresolved', sort: 'new', limit: 1 };
    const issueId = /^## 1\. \[([\w-]+)\]/m.exec(await agent.tell('search_issues', search))?.[1];
    const issue = { ...at, issueId };
    expect(await run('get_issue_details', issue)).toMatch(/\*\*Most Relevant Frame:\*\*\n.*\n.*applyCoupon/);
    expect(await run('add_issue_note', { ...issue, text: 'Looking.' })).toMatch(/Added Note/);
    expect(await agent.tell('update_issue', { ...issue, status: 'resolved' })).toMatch(/\*\*resolved\*\*/);
    expect(await agent.tell('search_issues', search)).not.toContain(issueId);
  });
});

describe('the address of the MCP server', () => {
  test('refuses pages of other sites, and whoever has no token', async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    expect((await ask({ authorization: `Bearer ${token}`, origin: 'https://evil.example' })).status).toBe(
      403,
    );
    const asked = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const beforehand = await fetch(`${url}/mcp`, { method: 'OPTIONS', headers: asked });
    expect(beforehand.status).toBe(403);
    expect(beforehand.headers.get('access-control-allow-origin')).toBeNull();
    const anonymous = await ask({});
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  test('bounds a body, and has no stream', async () => {
    const large = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: ' '.repeat(1024 * 1024 + 1),
    });
    expect(large.status).toBe(413);
    expect((await fetch(`${url}/mcp`)).status).toBe(405);
  });
});
