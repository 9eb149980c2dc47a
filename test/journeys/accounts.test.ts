import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { hydrated } from '../harness/hydrated.ts';
import { soundnessOf } from '../harness/page-soundness.ts';
import { readDownload } from '../harness/read-download.ts';
import { setUpTwoFactor } from '../harness/set-up-two-factor.ts';
import { signIn } from '../harness/sign-in.ts';
import { ADMIN, type ErrataServer, startErrata } from '../harness/start-errata.ts';
import { nextTotpCode } from '../harness/totp.ts';

const hasBrowser = findChromium() !== null;
/** As long as the browser's own waiting. */
const PATIENTLY = { timeout: 30_000 };
const NEW_PASSWORD = 'a better horse battery staple';

const LOOKS: readonly (BrowserContextOptions & { name: string })[] = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
];
const SIGNED_IN_PATHS = [
  '/account',
  '/account/security',
  '/account/security?required=main',
  '/account/passkeys',
  '/account/sessions',
  '/account/tokens',
  '/main/settings/auth',
];

/** One account from its password to its passkeys, as its owner meets it; each step goes on where the last one ended. */
describe.skipIf(!hasBrowser)(`an account in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let server: ErrataServer;
  let browser: Browser;
  let page: Page;
  let password: string = ADMIN.password;
  let secret = '';
  let usedCode = '';
  let recoveryCodes: string[] = [];
  const broken: string[] = [];

  beforeAll(async () => {
    server = await startErrata();
    browser = await launchChromium();
    page = await signIn(browser, server.url);
    page.on('pageerror', (error) => broken.push(String(error)));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  const walk = (name: string, steps: () => Promise<void>) =>
    keepingScreenshot(page, `accounts-${name}`, steps);
  const open = (path: string) => page.goto(`${server.url}${path}`);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  /** The first step of a sign-in, in a browser of its own. */
  async function firstStep(path = '/login'): Promise<Page> {
    const own = await (await browser.newContext()).newPage();
    await own.goto(`${server.url}${path}`);
    await own.getByLabel('E-mail').fill(ADMIN.email);
    await own.getByLabel('Password').fill(password);
    await own.getByRole('button', { name: 'Sign in', exact: true }).click();
    return own;
  }

  test('a deep link leads over the sign-in page to where it points', async () => {
    const own = await firstStep('/main/stats?range=24h');
    await own.waitForURL(`${server.url}/main/stats?range=24h`);
    await own.getByRole('heading', { level: 1, name: 'Stats' }).waitFor();
    await own.context().close();
    // Another site does not get whoever signs in.
    const lured = await firstStep(`/login?next=${encodeURIComponent('//evil.example/main')}`);
    await lured.waitForURL(`${server.url}/main/issues**`);
    await lured.context().close();
  });

  test('the name is saved and shown', async () => {
    await walk('name', async () => {
      await open('/account');
      await page.getByLabel('Your name').fill('Olga Owner');
      await press('Save name');
      await page.getByText('Name saved.').waitFor();
      await page.getByText('Olga Owner').first().waitFor();
    });
  });

  test('another site cannot change anything with the cookie of somebody who is signed in', async () => {
    await walk('other-site', async () => {
      await open('/account');
      const [action] = await Promise.all([
        page.waitForRequest((request) => request.headers()['next-action'] !== undefined),
        press('Save name'),
      ]);
      await page.getByText('Name saved.').waitFor();
      const headers = await action.allHeaders();
      const rename = (name: string, origin: string) =>
        page.request.post(action.url(), {
          headers: {
            'content-type': headers['content-type'] ?? '',
            'next-action': headers['next-action'] ?? '',
            accept: headers.accept ?? '',
            origin,
          },
          data: action.postDataBuffer()?.toString('utf8').replaceAll('Olga Owner', name) ?? '',
        });
      const nameNow = async () => {
        await open('/account');
        return page.getByLabel('Your name').inputValue();
      };
      expect((await rename('Taken over', 'https://evil.example')).ok()).toBe(false);
      expect(await nameNow()).toBe('Olga Owner');
      // The same request from here does what it says.
      expect((await rename('Olga Other', server.url)).ok()).toBe(true);
      expect(await nameNow()).toBe('Olga Other');

      const seen = (site: string) =>
        page.request.post(`${server.url}/main/issues/1/seen`, { headers: { 'sec-fetch-site': site } });
      expect((await seen('cross-site')).status()).toBe(403);
      expect((await seen('same-origin')).status()).toBe(404);
      // Nor does the API take the cookie for what changes something.
      const answer = await page.request.put(`${server.url}/api/0/organizations/main/`, { data: {} });
      expect(answer.status()).toBe(401);
    });
  });

  test('a new password takes the old one, and signs everybody else out', async () => {
    await walk('password', async () => {
      const other = await firstStep();
      await other.waitForURL(`${server.url}/main/issues**`);
      await open('/account/security');
      const change = async (current: string, next: string, repeated = next) => {
        await page.locator('#password-current').fill(current);
        await page.locator('#password-new').fill(next);
        await page.locator('#password-repeated').fill(repeated);
        await press('Change password');
      };
      await change('not my password', NEW_PASSWORD);
      await page.getByText('This is not your password').waitFor();
      await change(password, NEW_PASSWORD, 'something else');
      await page.getByText('The two passwords differ').waitFor();
      await change(password, 'password1234');
      await page.getByText('easy to guess').waitFor();
      await change(password, NEW_PASSWORD);
      await page.getByText('Password changed. You are signed out everywhere else.').waitFor();
      password = NEW_PASSWORD;
      await other.reload();
      await other.waitForURL(/\/login\?next=/);
      await other.context().close();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
    });
  });

  test('two-factor sign-in: scan, confirm, keep the recovery codes', async () => {
    await walk('two-factor', async () => {
      const other = await firstStep();
      await other.waitForURL(`${server.url}/main/issues**`);
      await open('/account/security');
      ({ secret, usedCode, recoveryCodes } = await setUpTwoFactor(page, password));
      const [download] = await Promise.all([page.waitForEvent('download'), press('Download')]);
      expect(await readDownload(download)).toContain(recoveryCodes.join('\n'));
      await press('I have kept them');
      await page.getByText('10 recovery codes are left.').waitFor();
      // Whoever was signed in elsewhere is asked for the code by now.
      await other.reload();
      await other.waitForURL(/\/login\?next=/);
      await other.context().close();
    });
  });

  test('the sign-in asks for the code, and leads on to where it was going', async () => {
    const own = await firstStep('/main/stats');
    await keepingScreenshot(own, 'accounts-second-step', async () => {
      await own.waitForURL(/\/login\/second-step\?next=%2Fmain%2Fstats$/);
      // Without it nothing opens.
      const probe = await own.context().newPage();
      await probe.goto(`${server.url}/main/issues`);
      expect(new URL(probe.url()).pathname).toBe('/login');
      await probe.close();
      await own.getByLabel('Code of your app').fill('000 000');
      await own.getByRole('button', { name: 'Sign in' }).click();
      await own.getByText('This code is wrong').waitFor();
      usedCode = await nextTotpCode(secret, usedCode);
      await own.getByLabel('Code of your app').fill(`${usedCode.slice(0, 3)} ${usedCode.slice(3)}`);
      await own.getByRole('button', { name: 'Sign in' }).click();
      await own.waitForURL(`${server.url}/main/stats`);
    });
    await own.context().close();
  }, 120_000);

  test('a recovery code opens once, and a trusted browser is not asked again', async () => {
    const own = await firstStep();
    await keepingScreenshot(own, 'accounts-recovery', async () => {
      await own.waitForURL(/second-step/);
      await own.getByRole('button', { name: 'Use a recovery code' }).click();
      await own.getByLabel('Recovery code').fill(recoveryCodes[0]!);
      await own.getByLabel('Do not ask this browser for 30 days').check();
      await own.getByRole('button', { name: 'Sign in' }).click();
      await own.waitForURL(`${server.url}/main/issues**`);
      await own.goto(`${server.url}/account`);
      await own.getByRole('button', { name: 'Sign out' }).click();
      await own.waitForURL(/\/login/);
      await own.getByLabel('E-mail').fill(ADMIN.email);
      await own.getByLabel('Password').fill(password);
      await own.getByRole('button', { name: 'Sign in', exact: true }).click();
      await own.waitForURL(`${server.url}/main/issues**`);
    });
    await own.context().close();

    const again = await firstStep();
    await again.waitForURL(/second-step/);
    await again.getByRole('button', { name: 'Use a recovery code' }).click();
    await again.getByLabel('Recovery code').fill(recoveryCodes[0]!);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.getByText('This recovery code is wrong or was used already').waitFor();
    await again.context().close();
  });

  test('sessions: another browser is seen, and signed out from here', async () => {
    await walk('sessions', async () => {
      const other = await firstStep();
      await other.waitForURL(/second-step/);
      await other.getByRole('button', { name: 'Use a recovery code' }).click();
      await other.getByLabel('Recovery code').fill(recoveryCodes[1]!);
      await other.getByRole('button', { name: 'Sign in' }).click();
      await other.waitForURL(`${server.url}/main/issues**`);
      await open('/account/sessions');
      const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
      const before = await rows.count();
      expect(before).toBeGreaterThan(1);
      await expect
        .poll(() => rows.first().textContent(), PATIENTLY)
        .toMatch(/Chrom.* on Linux.*This browser/);
      await rows
        .nth(1)
        .getByRole('button', { name: /^Sign out/ })
        .click();
      await expect.poll(() => rows.count(), PATIENTLY).toBe(before - 1);
      await press('Sign out everywhere else');
      await expect.poll(() => rows.count(), PATIENTLY).toBe(1);
      await other.reload();
      await other.waitForURL(/\/login/);
      await other.context().close();
    });
  });

  test('a token is shown once, opens the API, and is revoked', async () => {
    await walk('tokens', async () => {
      await open('/account/tokens');
      await page.getByLabel('Name', { exact: true }).fill('a script');
      for (const scope of ['org:read', 'project:read', 'event:read']) await page.getByLabel(scope).uncheck();
      await page.locator('#token-password').fill('not my password');
      await press('Create token');
      await page.getByText('This is not your password').waitFor();
      await page.locator('#token-password').fill(password);
      await press('Create token');
      await page.getByText('Name at least one scope').waitFor();
      await page.getByLabel('org:read').check();
      await page.locator('#token-password').fill(password);
      await press('Create token');
      const token = (await page.getByTestId('personal-token').textContent()) ?? '';
      expect(token).toMatch(/^errata_[0-9A-Za-z]{40}$/);
      const ask = () =>
        fetch(`${server.url}/api/0/organizations/main/`, { headers: { authorization: `Bearer ${token}` } });
      expect((await ask()).status).toBe(200);
      await page.reload();
      expect(await page.content()).not.toContain(token);
      await page.getByText('a script').waitFor();
      const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      await page.getByText(`expires ${inDays(90)}`).waitFor();
      await press('Revoke a script');
      await press('Revoke token');
      await page.getByText('No token yet').waitFor();
      expect((await ask()).status).toBe(401);

      const create = async (name: string, expiry: string, days?: string) => {
        await page.getByLabel('Name', { exact: true }).fill(name);
        await page.getByRole('combobox', { name: 'Expires after' }).click();
        await page.getByRole('option', { name: expiry, exact: true }).click();
        if (days) await page.getByLabel('Days', { exact: true }).fill(days);
        await page.locator('#token-password').fill(password);
        await press('Create token');
        await page.getByText(`Copy the token “${name}” now`).waitFor();
      };
      await create('first', 'Custom', '14');
      await page.getByText(`expires ${inDays(14)}`).waitFor();
      await page.getByRole('combobox', { name: 'Expires after' }).click();
      await page.getByRole('option', { name: 'No expiration' }).click();
      await page.getByText('Anyone who finds this token can use it until you revoke it.').waitFor();
      await create('second', 'No expiration');
      await page.getByText('does not expire').waitFor();
      await press('Revoke all');
      await page.getByRole('heading', { name: 'Revoke all 2 tokens?' }).waitFor();
      await press('Revoke 2 tokens');
      await page.getByText('No token yet').waitFor();
    });
  });

  test('without a mail server the link that changes the address is shown', async () => {
    await walk('email', async () => {
      await open('/account');
      await page.getByLabel('New address').fill('olga@example.com');
      await page.locator('#email-password').fill(password);
      await press('Change address');
      const link = page.getByRole('link', { name: /confirm-email/ });
      const address = (await link.textContent())?.trim() ?? '';
      const signedOut = await (await browser.newContext()).newPage();
      await signedOut.goto(address);
      await signedOut.waitForURL(/\/login\?next=%2Faccount%2Fconfirm-email%2F/);
      await signedOut.context().close();
      await page.goto(address);
      await page.getByRole('heading', { name: 'Confirm your address' }).waitFor();
      await press('Use this address');
      await page.waitForURL(`${server.url}/account`);
      await page.getByText('olga@example.com').first().waitFor();
      await page.goto(address);
      await page.getByRole('heading', { name: 'This link does not open any more' }).waitFor();
      // Back, for the steps that follow.
      await open('/account');
      await page.getByLabel('New address').fill(ADMIN.email);
      await page.locator('#email-password').fill(password);
      await press('Change address');
      await page.goto((await link.textContent())?.trim() ?? '');
      await press('Use this address');
      await page.waitForURL(`${server.url}/account`);
    });
  });

  // The matrix of pages looks at each of them once; here the account has everything.
  describe.each(process.env.ERRATA_TEST_FULL ? LOOKS : [])('in $name', ({ name, ...options }) => {
    test('every page is sound: no violation, no error, nothing wider than the screen', async () => {
      const storageState = await page.context().storageState();
      const signedIn = await (await browser.newContext({ ...options, storageState })).newPage();
      const signedOut = await (await browser.newContext(options)).newPage();
      const found: string[] = [];
      for (const [own, paths] of [
        [signedIn, SIGNED_IN_PATHS],
        [signedOut, ['/login', '/login?sso=unknown', '/account/confirm-email/gone']],
      ] as const) {
        own.on('pageerror', (error) => found.push(String(error)));
        own.on('console', (message) => {
          if (message.type() === 'error') found.push(`${own.url()}: ${message.text()}`);
        });
        for (const path of paths) found.push(...(await soundnessOf(own, `${server.url}${path}`)));
      }
      expect(found).toEqual([]);
      await signedIn.context().close();
      await signedOut.context().close();
    });
  });

  describe('passkeys', () => {
    beforeAll(async () => {
      await addDevice(page);
    });

    test('one is added, renamed, and opens the account without password and code', async () => {
      await walk('passkeys', async () => {
        await open('/account/passkeys');
        await page.getByText('No passkey yet').waitFor();
        await page.getByLabel('Name').fill('Laptop');
        await page.locator('#passkey-password').fill('not my password');
        await press('Add passkey');
        await page.getByText('This is not your password').waitFor();
        await page.locator('#passkey-password').fill(password);
        await press('Add passkey');
        await page.getByText('never used').waitFor();
        await press('Rename Laptop');
        await page.getByRole('dialog').getByLabel('Name').fill('Work laptop');
        await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
        await page.getByText('Work laptop').first().waitFor();

        await press('Sign out');
        await page.waitForURL(/\/login/);
        await open('/login?next=%2Faccount%2Fpasskeys');
        await signInWithPasskey(page);
        await page.waitForURL(`${server.url}/account/passkeys`);
        await page.getByText(/used (just now|\d+ seconds? ago)/).waitFor();
      });
    });

    test('one that the account does not know any more opens nothing', async () => {
      await walk('passkeys-removed', async () => {
        await press('Remove Work laptop');
        const confirm = page.getByRole('dialog').getByLabel('Current password');
        await confirm.fill('not my password');
        await press('Remove passkey');
        await page.getByText('This is not your password').waitFor();
        await confirm.fill(password);
        await press('Remove passkey');
        await page.getByText('No passkey yet').waitFor();
        await press('Sign out');
        await page.waitForURL(/\/login/);
        await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
        await page.getByText('This passkey opens no account here').waitFor();
      });
    });
  });

  test('no page of the account broke', () => {
    expect(broken).toEqual([]);
  });
});

/** The browser may offer the passkey by itself, before anybody presses the button. */
async function signInWithPasskey(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  const press = async () => {
    await hydrated(page, 'main button');
    await button.click();
  };
  await Promise.race([
    press().catch(() => {}),
    page.waitForURL((address) => !address.pathname.startsWith('/login')),
  ]);
}

/** A device that checks its user and says yes, as far as the browser can tell. */
async function addDevice(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
