import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { nextTotpCode } from './totp.ts';

export type TwoFactorAccount = {
  /** As the app keeps it, base32. */
  secret: string;
  /** The code that switched it on; it opens nothing more. */
  usedCode: string;
  recoveryCodes: string[];
};

/** Switches two-factor authentication on, on the page Security; the recovery codes stay on the page. */
export async function setUpTwoFactor(page: Page, password: string | null): Promise<TwoFactorAccount> {
  if (password !== null) await page.locator('#two-factor-password').fill(password);
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const key = await page.locator('#two-factor').locator('code').first().textContent();
  const secret = (key ?? '').replaceAll(' ', '');
  expect(secret).toMatch(/^[A-Z2-7]{32,}$/);
  const code = page.getByLabel('Enter the code from the app');
  await code.fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('This code is incorrect').waitFor();
  const usedCode = await nextTotpCode(secret, '');
  await code.fill(usedCode);
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' });
  await codes.waitFor();
  const recoveryCodes = await codes.getByRole('listitem').allTextContents();
  expect(recoveryCodes).toHaveLength(10);
  return { secret, usedCode, recoveryCodes };
}
