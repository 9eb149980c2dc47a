import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MailMessage } from '#delivery/ports/mailer.ts';
import { HOUR_MS } from '#lib/time.ts';
import { authenticateToken } from '#product/accounts/authenticate-token.ts';
import { leaveOrganization } from '#product/members/members.ts';
import { connectProgram, denyAuthorization } from '#product/oauth/authorization.ts';
import { createOauthProgram } from '../harness/oauth-program.ts';
import { BACK, type OauthScene, openOauthScene, SERVER } from './oauth-scene.ts';
import { PUBLIC_URL } from './open-product.ts';

const PERSON = {
  sessionId: 's',
  email: 'ada@example.com',
  name: 'Ada',
  isInstanceOwner: false,
  hasTwoFactorEnabled: false,
  createdAt: 0,
};

let scene: OauthScene;

beforeAll(async () => {
  scene = await openOauthScene();
});
afterAll(async () => {
  await scene?.close();
});
beforeEach(() => scene.fromElsewhere());

describe('a program that a person lets in', () => {
  test('finds the way from the first refusal on, with the client of the SDK', async () => {
    const refused = await scene.fetch(new Request(SERVER, { method: 'POST', body: '{}' }));
    expect(refused.status).toBe(401);
    const where = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
    expect(await (await scene.answer(where ?? '')).json()).toMatchObject({
      resource: SERVER,
      authorization_servers: [PUBLIC_URL],
    });

    const program = createOauthProgram(BACK);
    const back = await scene.approve(program);
    expect(`${back.origin}${back.pathname}`).toBe(BACK);
    expect(back.searchParams.get('state')).toBe('the state of the program');
    expect(back.searchParams.get('iss')).toBe(PUBLIC_URL);
    expect(await scene.step(program, back.searchParams.get('code') ?? '')).toBe('AUTHORIZED');
    expect(program.remembered).toMatchObject({ token_type: 'Bearer', expires_in: 3_600 });
    expect(await scene.toolsOf(program)).toContain('update_issue');
  });

  test('only reads when the person says so, or when it asked for no more', async () => {
    const reading = createOauthProgram(BACK);
    await scene.letIn(reading, true);
    expect(reading.remembered?.scope).toBe('org:read project:read event:read');
    expect(await scene.toolsOf(reading)).not.toContain('update_issue');

    const modest = createOauthProgram(BACK, { scope: 'event:read' });
    await scene.letIn(modest);
    expect(modest.remembered?.scope).toBe('event:read');

    const writing = createOauthProgram(BACK, { scope: 'event:write' });
    await scene.letIn(writing, true);
    expect(writing.remembered?.scope).toBe('event:read');
  });

  test('reaches the MCP server and nothing else', async () => {
    const program = createOauthProgram(BACK);
    await scene.letIn(program);
    await expect(
      authenticateToken(scene.services, `Bearer ${program.remembered?.access_token}`),
    ).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('is told when the person says no', async () => {
    const back = new URL(denyAuthorization(await scene.ask(), PUBLIC_URL));
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe('the state of the program');
  });

  test('has an hour, then refreshes; nobody uses a refresh token twice', async () => {
    const program = createOauthProgram(BACK);
    await scene.letIn(program);
    const first = program.remembered?.refresh_token ?? '';
    scene.product.clock.nowMs += HOUR_MS;
    await expect(scene.toolsOf(program)).rejects.toThrow(/has expired/);
    expect(await scene.step(program)).toBe('AUTHORIZED');
    expect(program.remembered?.refresh_token).not.toBe(first);
    expect(await scene.toolsOf(program)).toContain('get_issue');

    const client_id = (await program.clientInformation())?.client_id ?? '';
    const again = { grant_type: 'refresh_token', refresh_token: first, client_id };
    // The answer may have been lost: shortly after it is given once more.
    expect((await scene.askForTokens(again))[0]).toBe(200);
    scene.product.clock.nowMs += 31_000;
    expect(await scene.askForTokens(again)).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_grant' }),
    ]);
    await expect(scene.toolsOf(program)).rejects.toThrow(/invalid or has expired/);
  });

  test('is out when it gives its token back', async () => {
    const program = createOauthProgram(BACK);
    await scene.letIn(program);
    const clientId = (await program.clientInformation())?.client_id ?? '';
    const giveBack = (client: string) =>
      scene.answer(`${PUBLIC_URL}/mcp/oauth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token: program.remembered?.access_token ?? '', client_id: client }),
      });
    expect((await giveBack('f'.repeat(32))).status).toBe(200);
    expect((await giveBack('\0')).status).toBe(200);
    expect(await scene.toolsOf(program)).toContain('get_issue');
    expect((await giveBack(clientId)).status).toBe(200);
    await expect(scene.toolsOf(program)).rejects.toThrow(/invalid or has expired/);
  });

  test('is told of by mail', async () => {
    const mails: MailMessage[] = [];
    const self = {
      publicUrl: PUBLIC_URL,
      session: { ...PERSON, userId: scene.owner.userId },
      mailer: {
        isConfigured: true,
        send: async (mail: MailMessage) => {
          mails.push(mail);
          return { kind: 'sent' } as const;
        },
        close: () => {},
      },
    };
    await connectProgram(self, scene.owner, await scene.ask(), { readsOnly: true });
    expect(mails).toMatchObject([
      { to: PERSON.email, subject: 'The application “A test agent” was connected – Errata' },
    ]);
  });

  test('is out when the person leaves, also after they came back', async () => {
    const member = await scene.product.join(scene.mine, 'member');
    const program = createOauthProgram(BACK);
    await scene.letIn(program, false, member);
    expect(await scene.toolsOf(program)).toContain('update_issue');
    await leaveOrganization(member);
    const membership = { organizationId: scene.mine.id, userId: member.userId, role: 'viewer' } as const;
    await scene.product.stores.accounts.addMembership(membership);
    await expect(scene.toolsOf(program)).rejects.toThrow(/invalid or has expired/);
    const form = {
      grant_type: 'refresh_token',
      refresh_token: program.remembered?.refresh_token ?? '',
      client_id: (await program.clientInformation())?.client_id ?? '',
    };
    expect(await scene.askForTokens(form)).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_grant' }),
    ]);
  });

  test('leaves an entry in the audit log, and none of its secrets', async () => {
    await scene.letIn(createOauthProgram(BACK));
    const entries = await scene.product.stores.audit.list(scene.mine.id, {}, 5);
    expect(entries[0]).toMatchObject({ action: 'oauth-grant.create', target: { name: 'A test agent' } });
    expect(JSON.stringify(entries)).not.toMatch(/errata_|code/);
  });
});

describe('codes', () => {
  /** Exchanges a code; what is exchanged with it can be changed. */
  const exchange = async (change: Readonly<Record<string, string>>) => {
    const program = createOauthProgram(BACK);
    const back = await scene.approve(program, true);
    const form = {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: BACK,
      client_id: (await program.clientInformation())?.client_id ?? '',
      code_verifier: await program.codeVerifier(),
      resource: SERVER,
    };
    return { form, first: await scene.askForTokens({ ...form, ...change }) };
  };

  test.each([
    ['code_verifier', 'x'.repeat(43), 'invalid_grant'],
    ['code_verifier', '', 'invalid_grant'],
    ['redirect_uri', 'http://127.0.0.1:7777/other', 'invalid_grant'],
    ['client_id', 'f'.repeat(32), 'invalid_client'],
    ['client_id', '', 'invalid_client'],
    ['client_id', '\0', 'invalid_client'],
    ['code', 'unknown', 'invalid_grant'],
    ['resource', 'https://other.example/mcp', 'invalid_target'],
    ['grant_type', 'password', 'unsupported_grant_type'],
  ])('are refused with another %s: %j', async (name, value, error) => {
    const { first } = await exchange({ [name]: value });
    expect(first).toEqual([400, expect.objectContaining({ error })]);
  });

  test('are of no use to another program', async () => {
    const other = createOauthProgram(BACK);
    await scene.ask(other);
    const client_id = (await other.clientInformation())?.client_id ?? '';
    const { form, first } = await exchange({ client_id });
    expect(first).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
    expect((await scene.askForTokens(form))[0]).toBe(400);
  });

  test('serve once: the second use takes the tokens of the first away', async () => {
    const { form, first } = await exchange({});
    expect(first[0]).toBe(200);
    expect((await scene.askForTokens(form))[0]).toBe(400);
    const stolen = createOauthProgram(BACK);
    stolen.remembered = { access_token: first[1].access_token ?? '', token_type: 'Bearer' };
    await expect(scene.toolsOf(stolen)).rejects.toThrow(/invalid or has expired/);
  });

  test('are of use for a minute', async () => {
    const program = createOauthProgram(BACK);
    const back = await scene.approve(program);
    scene.product.clock.nowMs += 61_000;
    await expect(scene.step(program, back.searchParams.get('code') ?? '')).rejects.toThrow(
      /older than a minute/,
    );
  });
});
