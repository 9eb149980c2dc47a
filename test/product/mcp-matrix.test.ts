import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '#domain/people.ts';
import { TOOLS } from '#mcp/tools/all-tools.ts';
import type { Context } from '#product/context.ts';
import { expandScopes, SCOPES, type Scope } from '#protocol/scopes.ts';
import { IS_FULL } from '../harness/is-full.ts';
import type { McpAnswer } from '../harness/mcp-client.ts';
import { connectScene } from './mcp-scene.ts';
import { BOUND_ROLES, type ClosedScene, openClosedScene } from './roles-matrix/closed-scene.ts';
import { MCP_ROWS } from './roles-matrix/mcp-rows.ts';
import { askersAround } from './roles-matrix/scene.ts';

/** What a person reads who lacks the role or whose token lacks the scope. */
const REFUSED = /does not include|does not have the scope/;

test('every tool has a row, and every row a tool', () => {
  const names = TOOLS.map(({ name }) => name);
  expect(
    names.filter((name) => !(name in MCP_ROWS)),
    'Say in test/product/roles-matrix/mcp-rows.ts what each of these needs',
  ).toEqual([]);
  expect(Object.keys(MCP_ROWS).filter((name) => !names.includes(name))).toEqual([]);
});

describe('closed membership × role × tool', () => {
  let scene: ClosedScene;
  let mcp: ReturnType<typeof connectScene>;
  beforeAll(async () => {
    scene = await openClosedScene();
    mcp = connectScene(scene.product);
  });
  afterAll(async () => {
    await scene?.product.close();
  });

  describe.each(TOOLS)('$name', ({ name, right }) => {
    const { needs, scope, args } = MCP_ROWS[name]!;
    const ask = async (ctx: Context, scopes: readonly Scope[] = SCOPES): Promise<McpAnswer> => {
      await using client = await mcp.connect(ctx, scopes);
      return await client.ask(name, await args(scene));
    };
    const mayBe = (role: (typeof ROLES)[number]) => ROLES.indexOf(role) >= ROLES.indexOf(needs);

    const tried = askersAround(needs, ROLES).filter((role) =>
      BOUND_ROLES.some((each) => each === role),
    ) as (typeof BOUND_ROLES)[number][];
    let ofTheTeam = '';
    test.each(tried)('a %s of the team', async (role) => {
      const { isError, text } = await ask(scene.inside[role]);
      expect(isError).toBe(!mayBe(role));
      if (isError) expect(text).toMatch(REFUSED);
      if (role === needs) ofTheTeam = text;
    });

    // That both may whatever a member may is tried with the verbs.
    test.each(IS_FULL ? (['manager', 'owner'] as const) : [])('a %s of no team', async (role) => {
      expect((await ask(scene.askers[role])).isError).toBe(false);
    });

    test.each(tried)('a %s of another team', async (role) => {
      const { isError, text } = await ask(scene.outside[role]);
      if (!mayBe(role)) return expect([isError, REFUSED.test(text)]).toEqual([true, true]);
      expect(isError).toBe(scope === 'project');
      if (isError)
        expect(text).toMatch(/no (?:issue|event|project|release|(?:uptime )?monitor)|No project|not found/);
      else expect(scene.findHidden(text)).toBeNull();
      if (role === needs && (scope === 'list' || scope === 'shared'))
        expect(ofTheTeam, 'The team is answered more').not.toBe(text);
    });

    test('the owner of another organization', async () => {
      const { isError, text } = await ask(scene.stranger);
      // Theirs has a project of the same slug.
      expect(isError).toBe((scope === 'project' || scope === 'shared') && name !== 'get_project');
      if (!isError) expect(scene.findHidden(text)).toBeNull();
    });

    if (right !== null) {
      test('a token with every scope but the one that it needs', async () => {
        const others = SCOPES.filter((each) => !expandScopes([each]).has(right));
        const { isError, text } = await ask(scene.owner, others);
        expect([isError, REFUSED.test(text)]).toEqual([true, true]);
      });
    }

    test('nobody', async () => {
      const request = new Request('https://errors.example.com/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: {} },
        }),
      });
      expect((await mcp.fetch(request)).status).toBe(401);
    });
  });
});
