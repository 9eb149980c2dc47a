import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAuthorization } from '#product/oauth/authorization.ts';
import { createOauthProgram } from '../harness/oauth-program.ts';
import { BACK, type OauthScene, openOauthScene } from './oauth-scene.ts';
import { PUBLIC_URL } from './open-product.ts';

let scene: OauthScene;

beforeAll(async () => {
  scene = await openOauthScene();
});
afterAll(async () => {
  await scene?.close();
});
beforeEach(() => scene.fromElsewhere());

describe('what a program asks for', () => {
  const change = async (changes: Readonly<Record<string, string | null>>) => {
    const program = createOauthProgram(BACK);
    await scene.step(program);
    const parameters = new URLSearchParams(program.opened!.searchParams);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) parameters.delete(name);
      else parameters.set(name, value);
    }
    return readAuthorization(scene.services, parameters);
  };

  test.each([
    [{ client_id: 'f'.repeat(32) }, /not registered/],
    [{ client_id: "' OR 1=1" }, /not registered/],
    [{ client_id: '\0' }, /not registered/],
    [{ redirect_uri: 'https://evil.example/' }, /did not register/],
    [{ redirect_uri: 'http://127.0.0.1:7777/callback/../evil' }, /did not register/],
    [{ redirect_uri: '\0http://127.0.0.1:7777/callback' }, /did not register/],
  ])('is not sent anywhere with %j', async (changes, message) => {
    await expect(change(changes)).rejects.toThrow(message);
  });

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: null }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    [{ state: 'x'.repeat(2_001) }, 'invalid_request'],
  ])('is told what is wrong with %j', async (changes, error) => {
    const read = await change(changes);
    if (read.kind !== 'refused') throw new Error('It was not refused');
    expect(read.redirectUri).toBe(BACK);
    expect(new URL(read.redirectTo).searchParams.get('error')).toBe(error);
    expect(read.redirectTo.startsWith(`${BACK}?`)).toBe(true);
  });

  test('may come back to another port of this computer', async () => {
    const read = await change({ redirect_uri: 'http://127.0.0.1:5555/callback' });
    expect(read).toMatchObject({ authorization: { redirectUri: 'http://127.0.0.1:5555/callback' } });
  });
});

describe('registration', () => {
  const send = async (body: unknown) => {
    const response = await scene.answer(`${PUBLIC_URL}/mcp/oauth/register`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return [response.status, (await response.json()) as Record<string, unknown>] as const;
  };

  test('needs addresses that people can be sent back to', async () => {
    for (const body of [
      '{',
      {},
      { redirect_uris: [] },
      { redirect_uris: ['http://example.com/'] },
      { redirect_uris: ['javascript:alert(1)'] },
      { redirect_uris: ['https://a.example/\0'] },
      { redirect_uris: Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`) },
    ]) {
      expect(await send(body)).toEqual([400, expect.objectContaining({ error: 'invalid_client_metadata' })]);
    }
    expect((await send(`"${'x'.repeat(20_000)}"`))[0]).toBe(400);
  });

  test('cleans the name that the person will read', async () => {
    const client_name = `Claude\n\u202e Code ${'x'.repeat(200)}`;
    const [status, client] = await send({ client_name, redirect_uris: ['cursor://anysphere/callback'] });
    expect(status).toBe(201);
    expect(client.client_name).toMatch(/^Claude Code x+$/);
    expect((client.client_name as string).length).toBe(100);
    expect(client.token_endpoint_auth_method).toBe('none');
  });

  test('is bounded for each address', async () => {
    const statuses: number[] = [];
    for (let sent = 0; sent < 22; sent += 1) statuses.push((await send({ redirect_uris: [BACK] }))[0]);
    expect(statuses).toEqual([...Array(20).fill(201), 429, 429]);
  });
});
