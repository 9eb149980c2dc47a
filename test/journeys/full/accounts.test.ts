import { beforeAll, describe, expect, test } from 'vitest';
import { addDevice, signInWithPasskey, useAccount } from '../../harness/account-scene.ts';
import { findChromium, keepingScreenshot, NO_CHROMIUM } from '../../harness/browser.ts';
import { readDownload } from '../../harness/read-download.ts';
import { setUpTwoFactor } from '../../harness/set-up-two-factor.ts';
import { nextTotpCode } from '../../harness/totp.ts';

const hasBrowser = findChromium() !== null;

/** The ways into an account; each step goes on where the last one ended. Its settings: full/account-settings.test.ts. */
describe.skipIf(!hasBrowser)(`an account in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  const account = useAccount();
  let secret = '';
  let usedCode = '';
  let recoveryCodes: string[] = [];

  test('a deep link leads over the sign-in page to where it points', async () => {
    const own = await account.firstStep('/main/stats?range=24h');
    await own.waitForURL(`${account.server.url}/main/stats?range=24h`);
    await own.getByRole('heading', { level: 1, name: 'Stats' }).waitFor();
    await own.context().close();
    // Another site does not get whoever signs in.
    const lured = await account.firstStep(`/login?next=${encodeURIComponent('//evil.example/main')}`);
    await lured.waitForURL(`${account.server.url}/main/issues**`);
    await lured.context().close();
  });

  test('the name is saved and shown', async () => {
    await account.walk('name', async () => {
      await account.open('/account');
      await account.page.getByLabel('Your name').fill('Olga Owner');
      await account.press('Save name');
      await account.page.getByText('Name saved.').waitFor();
      await account.page.getByText('Olga Owner').first().waitFor();
    });
  });

  test('another site cannot change anything with the cookie of somebody who is signed in', async () => {
    await account.walk('other-site', async () => {
      await account.open('/account');
      const [action] = await Promise.all([
        account.page.waitForRequest((request) => request.headers()['next-action'] !== undefined),
        account.press('Save name'),
      ]);
      await account.page.getByText('Name saved.').waitFor();
      const headers = await action.allHeaders();
      const rename = (name: string, origin: string) =>
        account.page.request.post(action.url(), {
          headers: {
            'content-type': headers['content-type'] ?? '',
            'next-action': headers['next-action'] ?? '',
            accept: headers.accept ?? '',
            origin,
          },
          data: action.postDataBuffer()?.toString('utf8').replaceAll('Olga Owner', name) ?? '',
        });
      const nameNow = async () => {
        await account.open('/account');
        return account.page.getByLabel('Your name').inputValue();
      };
      expect((await rename('Taken over', 'https://evil.example')).ok()).toBe(false);
      expect(await nameNow()).toBe('Olga Owner');
      // The same request from here does what it says.
      expect((await rename('Olga Other', account.server.url)).ok()).toBe(true);
      expect(await nameNow()).toBe('Olga Other');

      const seen = (site: string) =>
        account.page.request.post(`${account.server.url}/main/issues/1/seen`, {
          headers: { 'sec-fetch-site': site },
        });
      expect((await seen('cross-site')).status()).toBe(403);
      expect((await seen('same-origin')).status()).toBe(404);
      // Nor does the API take the cookie for what changes something.
      const answer = await account.page.request.put(`${account.server.url}/api/0/organizations/main/`, {
        data: {},
      });
      expect(answer.status()).toBe(401);
    });
  });

  test('two-factor authentication: scan, confirm, keep the recovery codes', async () => {
    await account.walk('two-factor', async () => {
      const other = await account.firstStep();
      await other.waitForURL(`${account.server.url}/main/issues**`);
      await account.open('/account/security');
      ({ secret, usedCode, recoveryCodes } = await setUpTwoFactor(account.page, account.password));
      const [download] = await Promise.all([
        account.page.waitForEvent('download'),
        account.press('Download'),
      ]);
      expect(await readDownload(download)).toContain(recoveryCodes.join('\n'));
      await account.press('I have saved them');
      await account.page.getByText('10 recovery codes are left.').waitFor();
      // Whoever was signed in elsewhere is asked for the code by now.
      await other.reload();
      await other.waitForURL(/\/login\?next=/);
      await other.context().close();
    });
  });

  test('the sign-in asks for the code, and leads on to where it was going', async () => {
    const own = await account.firstStep('/main/stats');
    await keepingScreenshot(own, 'accounts-second-step', async () => {
      await own.waitForURL(/\/login\/second-step\?next=%2Fmain%2Fstats$/);
      // Without it nothing opens.
      const probe = await own.context().newPage();
      await probe.goto(`${account.server.url}/main/issues`);
      expect(new URL(probe.url()).pathname).toBe('/login');
      await probe.close();
      await own.getByLabel('Authenticator code').fill('000 000');
      await own.getByRole('button', { name: 'Sign in' }).click();
      await own.getByText('This code is incorrect').waitFor();
      usedCode = await nextTotpCode(secret, usedCode);
      await own.getByLabel('Authenticator code').fill(`${usedCode.slice(0, 3)} ${usedCode.slice(3)}`);
      await own.getByRole('button', { name: 'Sign in' }).click();
      await own.waitForURL(`${account.server.url}/main/stats`);
    });
    await own.context().close();
  }, 120_000);

  describe('passkeys', () => {
    beforeAll(async () => {
      await addDevice(account.page);
    });

    test('one is added, renamed, and opens the account without password and code', async () => {
      await account.walk('passkeys', async () => {
        await account.open('/account/passkeys');
        await account.page.getByText('No passkeys yet').waitFor();
        await account.page.getByLabel('Name').fill('Laptop');
        await account.page.locator('#passkey-password').fill('not my password');
        await account.press('Add passkey');
        await account.page.getByText('Incorrect password').waitFor();
        await account.page.locator('#passkey-password').fill(account.password);
        await account.press('Add passkey');
        await account.page.getByText('never used').waitFor();
        await account.press('Rename Laptop');
        await account.page.getByRole('dialog').getByLabel('Name').fill('Work laptop');
        await account.page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
        await account.page.getByText('Work laptop').first().waitFor();

        await account.press('Sign out');
        await account.page.waitForURL(/\/login/);
        await account.open('/login?next=%2Faccount%2Fpasskeys');
        await signInWithPasskey(account.page);
        await account.page.waitForURL(`${account.server.url}/account/passkeys`);
        await account.page.getByText(/used (just now|\d+ seconds? ago)/).waitFor();
      });
    });
  });

  test('no page of the account broke', () => {
    expect(account.broken).toEqual([]);
  });
});
