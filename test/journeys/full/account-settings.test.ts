import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDevice, useAccount } from '../../harness/account-scene.ts';
import { findChromium, keepingScreenshot, NO_CHROMIUM } from '../../harness/browser.ts';
import { soundnessOf } from '../../harness/page-soundness.ts';
import { setUpTwoFactor } from '../../harness/set-up-two-factor.ts';
import { ADMIN } from '../../harness/start-errata.ts';

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

/** What an owner does with an account that is open; each step goes on where the last one ended. */
describe.skipIf(!hasBrowser)(`the settings of an account${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  const account = useAccount();
  let recoveryCodes: string[] = [];

  test('a new password takes the old one, and signs everybody else out', async () => {
    await account.walk('password', async () => {
      const other = await account.firstStep();
      await other.waitForURL(`${account.server.url}/main/issues**`);
      await account.open('/account/security');
      const change = async (current: string, next: string, repeated = next) => {
        await account.page.locator('#password-current').fill(current);
        await account.page.locator('#password-new').fill(next);
        await account.page.locator('#password-repeated').fill(repeated);
        await account.press('Change password');
      };
      await change('not my password', NEW_PASSWORD);
      await account.page.getByText('Incorrect password').waitFor();
      await change(account.password, NEW_PASSWORD, 'something else');
      await account.page.getByText('The passwords do not match').waitFor();
      await change(account.password, 'password1234');
      await account.page.getByText('easy to guess').waitFor();
      await change(account.password, NEW_PASSWORD);
      await account.page.getByText('Password changed. You are signed out everywhere else.').waitFor();
      account.password = NEW_PASSWORD;
      await other.reload();
      await other.waitForURL(/\/login\?next=/);
      await other.context().close();
      await account.page.reload();
      await account.page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
    });
  });

  test('two-factor authentication is set up', async () => {
    await account.open('/account/security');
    ({ recoveryCodes } = await setUpTwoFactor(account.page, account.password));
    await account.press('I have saved them');
    await account.page.getByText('10 recovery codes are left.').waitFor();
  });

  test('a recovery code opens once, and a trusted browser is not asked again', async () => {
    const own = await account.firstStep();
    await keepingScreenshot(own, 'accounts-recovery', async () => {
      await own.waitForURL(/second-step/);
      await own.getByRole('button', { name: 'Use a recovery code' }).click();
      await own.getByLabel('Recovery code').fill(recoveryCodes[0]!);
      await own.getByLabel('Do not ask again in this browser for 30 days').check();
      await own.getByRole('button', { name: 'Sign in' }).click();
      await own.waitForURL(`${account.server.url}/main/issues**`);
      await own.goto(`${account.server.url}/account`);
      await own.getByRole('button', { name: 'Sign out' }).click();
      await own.waitForURL(/\/login/);
      await own.getByLabel('Email').fill(ADMIN.email);
      await own.getByLabel('Password').fill(account.password);
      await own.getByRole('button', { name: 'Sign in', exact: true }).click();
      await own.waitForURL(`${account.server.url}/main/issues**`);
    });
    await own.context().close();

    const again = await account.firstStep();
    await again.waitForURL(/second-step/);
    await again.getByRole('button', { name: 'Use a recovery code' }).click();
    await again.getByLabel('Recovery code').fill(recoveryCodes[0]!);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.getByText('This recovery code is incorrect or was already used').waitFor();
    await again.context().close();
  });

  test('sessions: another browser is seen, and signed out from here', async () => {
    await account.walk('sessions', async () => {
      const other = await account.firstStep();
      await other.waitForURL(/second-step/);
      await other.getByRole('button', { name: 'Use a recovery code' }).click();
      await other.getByLabel('Recovery code').fill(recoveryCodes[1]!);
      await other.getByRole('button', { name: 'Sign in' }).click();
      await other.waitForURL(`${account.server.url}/main/issues**`);
      await account.open('/account/sessions');
      const rows = account.page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
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
      await account.press('Sign out everywhere else');
      await expect.poll(() => rows.count(), PATIENTLY).toBe(1);
      await other.reload();
      await other.waitForURL(/\/login/);
      await other.context().close();
    });
  });

  test('a token is shown once, opens the API, and is revoked', async () => {
    await account.walk('tokens', async () => {
      await account.open('/account/tokens');
      await account.page.getByLabel('Name', { exact: true }).fill('a script');
      for (const scope of ['org:read', 'project:read', 'event:read'])
        await account.page.getByLabel(scope).uncheck();
      await account.page.locator('#token-password').fill('not my password');
      await account.press('Create token');
      await account.page.getByText('Incorrect password').waitFor();
      await account.page.locator('#token-password').fill(account.password);
      await account.press('Create token');
      await account.page.getByText('Specify at least one scope').waitFor();
      await account.page.getByLabel('org:read').check();
      await account.page.locator('#token-password').fill(account.password);
      await account.press('Create token');
      const token = (await account.page.getByTestId('personal-token').textContent()) ?? '';
      expect(token).toMatch(/^errata_[0-9A-Za-z]{40}$/);
      const ask = () =>
        fetch(`${account.server.url}/api/0/organizations/main/`, {
          headers: { authorization: `Bearer ${token}` },
        });
      expect((await ask()).status).toBe(200);
      await account.page.reload();
      expect(await account.page.content()).not.toContain(token);
      await account.page.getByText('a script').waitFor();
      const inDays = (days: number) =>
        new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-US', {
          dateStyle: 'medium',
          timeZone: 'UTC',
        });
      await account.page.getByText(`expires ${inDays(90)}`).waitFor();
      await account.press('Revoke a script');
      await account.press('Revoke token');
      await account.page.getByText('No tokens yet').waitFor();
      expect((await ask()).status).toBe(401);

      const create = async (name: string, expiry: string, days?: string) => {
        await account.page.getByLabel('Name', { exact: true }).fill(name);
        await account.page.getByRole('combobox', { name: 'Expires after' }).click();
        await account.page.getByRole('option', { name: expiry, exact: true }).click();
        if (days) await account.page.getByLabel('Days', { exact: true }).fill(days);
        await account.page.locator('#token-password').fill(account.password);
        await account.press('Create token');
        await account.page.getByText(`Copy the token “${name}” now`).waitFor();
      };
      await create('first', 'Custom', '14');
      await account.page.getByText(`expires ${inDays(14)}`).waitFor();
      await account.page.getByRole('combobox', { name: 'Expires after' }).click();
      await account.page.getByRole('option', { name: 'No expiration' }).click();
      await account.page.getByText('Anyone who finds this token can use it until you revoke it.').waitFor();
      await create('second', 'No expiration');
      await account.page.getByText('does not expire').waitFor();
      await account.press('Revoke all');
      await account.page.getByRole('heading', { name: 'Revoke all 2 tokens?' }).waitFor();
      await account.press('Revoke 2 tokens');
      await account.page.getByText('No tokens yet').waitFor();
    });
  });

  test('without a mail server the link that changes the address is shown', async () => {
    await account.walk('email', async () => {
      await account.open('/account');
      await account.page.getByLabel('New address').fill('olga@example.com');
      await account.page.locator('#email-password').fill(account.password);
      await account.press('Change address');
      const link = account.page.getByRole('link', { name: /confirm-email/ });
      const address = (await link.textContent())?.trim() ?? '';
      const signedOut = await (await account.browser.newContext()).newPage();
      await signedOut.goto(address);
      await signedOut.waitForURL(/\/login\?next=%2Faccount%2Fconfirm-email%2F/);
      await signedOut.context().close();
      await account.page.goto(address);
      await account.page.getByRole('heading', { name: 'Confirm your address' }).waitFor();
      await account.press('Use this address');
      await account.page.waitForURL(`${account.server.url}/account`);
      await account.page.getByText('olga@example.com').first().waitFor();
      await account.page.goto(address);
      await account.page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
      // Back, for the steps that follow.
      await account.open('/account');
      await account.page.getByLabel('New address').fill(ADMIN.email);
      await account.page.locator('#email-password').fill(account.password);
      await account.press('Change address');
      await account.page.goto((await link.textContent())?.trim() ?? '');
      await account.press('Use this address');
      await account.page.waitForURL(`${account.server.url}/account`);
    });
  });

  describe.each(LOOKS)('in $name', ({ name, ...options }) => {
    test('every page is sound: no violation, no error, nothing wider than the screen', async () => {
      const storageState = await account.page.context().storageState();
      const signedIn = await (await account.browser.newContext({ ...options, storageState })).newPage();
      const signedOut = await (await account.browser.newContext(options)).newPage();
      const found: string[] = [];
      for (const [own, paths] of [
        [signedIn, SIGNED_IN_PATHS],
        [signedOut, ['/login', '/login?sso=unknown', '/account/confirm-email/gone']],
      ] as const) {
        own.on('pageerror', (error) => found.push(String(error)));
        own.on('console', (message) => {
          if (message.type() === 'error') found.push(`${own.url()}: ${message.text()}`);
        });
        for (const path of paths) found.push(...(await soundnessOf(own, `${account.server.url}${path}`)));
      }
      expect(found).toEqual([]);
      await signedIn.context().close();
      await signedOut.context().close();
    });
  });

  describe('passkeys', () => {
    beforeAll(async () => {
      await addDevice(account.page);
      await account.open('/account/passkeys');
      await account.page.getByLabel('Name').fill('Work laptop');
      await account.page.locator('#passkey-password').fill(account.password);
      await account.press('Add passkey');
      await account.page.getByText('never used').waitFor();
    });

    test('one that the account does not know any more opens nothing', async () => {
      await account.walk('passkeys-removed', async () => {
        await account.press('Remove Work laptop');
        const confirm = account.page.getByRole('dialog').getByLabel('Current password');
        await confirm.fill('not my password');
        await account.press('Remove passkey');
        await account.page.getByText('Incorrect password').waitFor();
        await confirm.fill(account.password);
        await account.press('Remove passkey');
        await account.page.getByText('No passkeys yet').waitFor();
        await account.press('Sign out');
        await account.page.waitForURL(/\/login/);
        await account.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
        await account.page.getByText('No account here uses this passkey').waitFor();
      });
    });
  });

  test('no page of the account broke', () => {
    expect(account.broken).toEqual([]);
  });
});
