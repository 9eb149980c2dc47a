import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import {
  type IdentityProvider,
  type Person,
  startIdentityProvider,
} from '../../harness/identity-provider.ts';
import { setUpTwoFactor, type TwoFactorAccount } from '../../harness/set-up-two-factor.ts';
import { signIn } from '../../harness/sign-in.ts';
import { ADMIN, type ErrataServer, startErrata } from '../../harness/start-errata.ts';

const hasBrowser = findChromium() !== null;

const MIA: Person = { sub: 'mia', email: 'mia@example.com', email_verified: true, name: 'Mia Member' };
const OWNER: Person = { sub: 'boss', email: ADMIN.email, email_verified: true, name: 'The Boss' };

describe.skipIf(!hasBrowser)(`single sign-on in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let provider: IdentityProvider;
  let server: ErrataServer;
  let browser: Browser;
  beforeAll(async () => {
    const port = await findFreePort();
    provider = await startIdentityProvider(`http://localhost:${port}/login/sso/callback`);
    server = await startErrata({
      port,
      env: {
        ERRATA_OIDC_ISSUER: provider.issuer,
        ERRATA_OIDC_CLIENT_ID: provider.clientId,
        ERRATA_OIDC_CLIENT_SECRET: provider.clientSecret,
        ERRATA_OIDC_NAME: 'Example ID',
        ERRATA_OIDC_ALLOWED_DOMAINS: 'example.com',
        ERRATA_OIDC_AUTO_JOIN: 'main=member',
      },
    });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
  });

  const newPage = async (): Promise<Page> => (await browser.newContext()).newPage();

  /** Presses the button of the sign-in page as that person, in a new browser. */
  async function continueAs(person: Person, path = '/login'): Promise<Page> {
    provider.setPerson(person);
    const page = await newPage();
    await page.goto(`${server.url}${path}`);
    await page.getByRole('link', { name: 'Continue with Example ID' }).click();
    return page;
  }

  async function expectRefused(person: Person, words: string): Promise<void> {
    const page = await continueAs(person);
    await page.getByText(words).waitFor();
    await page.goto(`${server.url}/main/issues`);
    expect(new URL(page.url()).pathname).toBe('/login');
    await page.context().close();
  }

  test('somebody new of an allowed domain gets an account, and lands where they were going', async () => {
    const page = await continueAs(MIA, '/main/stats');
    await page.waitForURL(`${server.url}/main/stats`);
    await page.goto(`${server.url}/account`);
    await page.getByText('Mia Member').first().waitFor();
    await page.context().close();
    // The second time it is the same account, whatever the address is by then.
    const again = await continueAs({ ...MIA, email: 'mia.married@example.com' }, '/account');
    await again.waitForURL(`${server.url}/account`);
    await again.getByText('mia@example.com').first().waitFor();
    await again.context().close();
  });

  test('an account is found by its address, once the provider has verified it', async () => {
    await expectRefused({ ...OWNER, email_verified: false }, 'has not verified your email address');
    const page = await continueAs(OWNER, '/account');
    await page.waitForURL(`${server.url}/account`);
    await page.getByText(ADMIN.email).first().waitFor();
    await page.context().close();
  });

  test('another domain does not get in', async () => {
    await expectRefused(
      { sub: 'eve', email: 'eve@example.org', email_verified: true, name: 'Eve' },
      'Email addresses from this domain cannot sign in here',
    );
  });

  /** What the provider sends this browser back with, not followed. */
  async function earnAnswer({ request }: BrowserContext): Promise<URL> {
    let address = `${server.url}/login/sso`;
    while (!address.startsWith(`${server.url}/login/sso/callback?`)) {
      const answer = await request.get(address, { maxRedirects: 0 });
      address = new URL(answer.headers().location ?? '', address).href;
    }
    return new URL(address);
  }

  test('the answer of one browser opens nothing in another, and its code neither', async () => {
    provider.setPerson(MIA);
    const [own, other] = [await browser.newContext(), await browser.newContext()];
    const page = await other.newPage();
    const expectNothing = async (answer: URL) => {
      await page.goto(answer.href);
      await page.getByText('Single sign-on was not completed').waitFor();
    };
    const answer = await earnAnswer(own);
    await expectNothing(answer);
    // With a state of its own, but a code that was earned elsewhere.
    const mixed = await earnAnswer(other);
    mixed.searchParams.set('code', answer.searchParams.get('code') ?? '');
    await expectNothing(mixed);
    // With everything of its own it opens, once.
    const good = await earnAnswer(other);
    await page.goto(good.href);
    await page.waitForURL(`${server.url}/main/issues**`);
    await other.clearCookies({ name: 'errata.session_token' });
    await expectNothing(good);
    await own.close();
    await other.close();
  });

  test('another site cannot begin it', async () => {
    const begun = await fetch(`${server.url}/login/sso`, {
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect([begun.status, begun.headers.get('location')]).toEqual([303, '/login']);
  });

  test('an identity is disconnected, and connected again under any address', async () => {
    const page = await signIn(browser, server.url);
    await keepingScreenshot(page, 'accounts-connect', async () => {
      await page.goto(`${server.url}/account/security`);
      const card = page.locator('#single-sign-on');
      const press = async (name: string) => {
        await card.getByLabel('Current password').fill(ADMIN.password);
        await card.getByRole('button', { name }).click();
      };
      await press('Disconnect');
      await card.getByText('Not connected.').waitFor();
      // Another identity, whose address nobody here has.
      const home: Person = { sub: 'home', email: 'home@example.com', email_verified: true, name: 'Home' };
      provider.setPerson(home);
      await press('Connect Example ID');
      await page.getByText('Connected. You can now sign in with Example ID').waitFor();
      const again = await continueAs(home, '/account');
      await again.getByText(ADMIN.email).first().waitFor();
      await again.context().close();
    });
    await page.context().close();
  });

  describe('an organization that requires two-factor authentication', () => {
    let owner: Page;
    let member: Page;
    let protectedMember: TwoFactorAccount;
    let token = '';
    beforeAll(async () => {
      owner = await signIn(browser, server.url);
      member = await continueAs(MIA, '/account/tokens');
      await member.getByLabel('Name', { exact: true }).fill('a script');
      await member.getByRole('button', { name: 'Create token' }).click();
      token = (await member.getByTestId('personal-token').textContent()) ?? '';
    });

    test('its owner sets it up first', async () => {
      await keepingScreenshot(owner, 'accounts-policy', async () => {
        await owner.goto(`${server.url}/main/settings/auth`);
        await owner.getByText('2 members have not set it up.').waitFor();
        await owner.getByRole('button', { name: 'Require two-factor authentication' }).click();
        await owner.getByText('Set up two-factor authentication for yourself first').waitFor();
        await owner.getByRole('link', { name: 'Open Security' }).click();
        await owner.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
        await setUpTwoFactor(owner, ADMIN.password);
        await owner.goto(`${server.url}/main/settings/auth`);
        await owner.getByRole('button', { name: 'Require two-factor authentication' }).click();
        await owner.getByText('1 member has not set it up.').waitFor();
        await owner.getByRole('button', { name: 'Stop requiring two-factor authentication' }).waitFor();
      });
    });

    test('a member is led to set it up, while tokens go on working', async () => {
      await keepingScreenshot(member, 'accounts-required', async () => {
        await member.goto(`${server.url}/main/issues`);
        await member.waitForURL(`${server.url}/account/security?required=main`);
        await member.getByText('Main requires two-factor authentication').waitFor();
        const asked = await fetch(`${server.url}/api/0/organizations/main/`, {
          headers: { authorization: `Bearer ${token}` },
        });
        expect(asked.status).toBe(200);
        // Nor do the routes beside the pages open.
        const cookie = (await member.context().cookies())
          .map(({ name, value }) => `${name}=${value}`)
          .join('; ');
        const live = await fetch(`${server.url}/api/live/main`, { headers: { cookie } });
        expect(live.status).toBe(403);

        protectedMember = await setUpTwoFactor(member, null);
        await member.getByRole('link', { name: 'Continue' }).click();
        await member.waitForURL(`${server.url}/main/issues**`);
      });
    });

    test('it cannot be switched off meanwhile', async () => {
      await member.goto(`${server.url}/account/security`);
      await member.getByRole('button', { name: 'Turn off' }).click();
      await member
        .getByLabel('Authenticator code or recovery code')
        .fill(protectedMember.recoveryCodes[0] ?? '');
      await member.getByRole('button', { name: 'Turn off two-factor authentication' }).click();
      await member.getByText('The organization "main" requires two-factor authentication').waitFor();
    });

    test('single sign-on asks for the second step as well', async () => {
      const page = await continueAs(MIA, '/main/stats');
      await page.waitForURL(/\/login\/second-step\?next=%2Fmain%2Fstats$/);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.getByLabel('Recovery code').fill(protectedMember.recoveryCodes[1] ?? '');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`${server.url}/main/stats`);
      await page.context().close();
    });
  });
});
