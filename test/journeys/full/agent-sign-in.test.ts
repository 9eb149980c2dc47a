import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { hydrated } from '../../harness/hydrated.ts';
import { attachMcp } from '../../harness/mcp-client.ts';
import { createOauthProgram } from '../../harness/oauth-program.ts';
import { soundnessOf } from '../../harness/page-soundness.ts';
import { sharedErrata } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';
import { ADMIN } from '../../harness/start-errata.ts';

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`an agent without a token${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let url: string;
  beforeAll(async () => {
    ({ url } = sharedErrata());
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  test('asks the person in a browser, works, is disconnected, and told when the person says no', async () => {
    await using callback = await listenForAnswer();
    const program = createOauthProgram(callback.url);
    const connect = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: program });
    const first = connect();
    await expect(attachMcp(first)).rejects.toThrow(UnauthorizedError);

    const page = await signIn(browser, url, ADMIN, program.opened!.href);
    await page.getByText('A test agent').waitFor();
    expect(await soundnessOf(page, program.opened!.href)).toEqual([]);
    await hydrated(page, 'main form');
    await page.getByLabel('Read and triage').check();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const answer = await callback.answer;
    expect(answer.get('state')).toBe('the state of the program');
    await first.finishAuth(answer.get('code') ?? '');
    await using agent = await attachMcp(connect());
    expect(await agent.list()).toContain('update_issue');
    expect(await agent.tell('whoami')).toContain('event:write');

    await page.goto(`${url}/account/tokens`);
    await hydrated(page, '#programs button');
    await page.getByRole('button', { name: 'Disconnect A test agent' }).click();
    await page.getByRole('button', { name: 'Disconnect app' }).click();
    await page.getByText('Disconnected: A test agent').waitFor();
    await expect(agent.tell('whoami')).rejects.toThrow();

    // Asked once more, the person says no.
    await using other = await listenForAnswer();
    const again = createOauthProgram(other.url);
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: again });
    await expect(attachMcp(transport)).rejects.toThrow(UnauthorizedError);
    const shown = await page.goto(again.opened!.href);
    expect(shown?.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
    await hydrated(page, 'main form');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await other.answer).get('error')).toBe('access_denied');
    await page.context().close();
  });
});

/** Where a program waits on this computer for the browser to come back. */
async function listenForAnswer() {
  let give: (parameters: URLSearchParams) => void;
  const answer = new Promise<URLSearchParams>((resolve) => {
    give = resolve;
  });
  const server = createServer((message, response) => {
    const address = new URL(message.url ?? '/', 'http://127.0.0.1');
    if (address.pathname === '/callback') give(address.searchParams);
    response.end('Go back to the app');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    answer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
