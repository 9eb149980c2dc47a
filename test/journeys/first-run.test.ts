import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { runProgram } from '../harness/run-program.ts';
import { ADMIN, type ErrataServer, startErrata } from '../harness/start-errata.ts';

let server: ErrataServer;

beforeAll(async () => {
  server = await startErrata({ admin: false });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

test('without an administrator the start prints a one-time address, and nobody gets in without it', async () => {
  expect(server.setupUrl).not.toBeNull();
  expect(server.dsn).toBeNull();
  for (const address of ['/setup', '/setup?token=made-up']) {
    const response = await fetch(`${server.url}${address}`, { redirect: 'manual' });
    expect(hasPasswordField(await response.text())).toBe(false);
  }
});

test('from the set-up to an issue that comes back after it was resolved, without one reload', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  await using browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const broken: string[] = [];
  page.on('pageerror', (error) => broken.push(String(error)));

  await keepingScreenshot(page, 'first-run', () => walkFromSetupToRegression(page));
  expect(broken).toEqual([]);
});

test('the address of the set-up opens nothing once there is an owner', async () => {
  const response = await fetch(server.setupUrl ?? '', { redirect: 'manual' });
  expect(hasPasswordField(await response.text())).toBe(false);
});

async function walkFromSetupToRegression(page: Page): Promise<void> {
  await page.goto(server.setupUrl ?? '');
  await submitBadSetup(page);
  await fillSetup(page);
  const documents = countDocuments(page);

  // The empty list leads back to the steps.
  await page.getByRole('link', { name: 'Issues', exact: true }).first().click();
  await page.getByRole('link', { name: 'Set up an SDK' }).click();
  await page.waitForURL(/\/projects\/[^/]+\/getting-started$/);
  await page.getByText('Waiting for your first event').waitFor();
  const text = (await page.locator('body').textContent()) ?? '';
  const dsn = /https?:\/\/[0-9a-f]{32}@[\w.-]+:\d+\/\d+/.exec(text)?.[0] ?? '';
  expect(dsn).not.toBe('');

  await sendError(dsn);
  await page.getByText('Your first event arrived').waitFor({ timeout: 5000 });
  await page.getByRole('link', { name: 'Go to issues' }).waitFor();
  await sendError(dsn);
  await page.getByText('Latest event').waitFor({ timeout: 5000 });
  expect(documents(), 'the first events came without a reload').toBe(0);
  await page.getByText('This address works on this machine only').waitFor();

  await page.getByRole('link', { name: /^Open / }).click();
  await page.waitForURL(/\/issues\/CHECKOUT-/i);
  await page.getByRole('heading', { level: 1, name: /RangeError/ }).waitFor();
  await page.getByText('chargeCard').first().waitFor();
  await page.getByText("throw new RangeError('The card was refused by the bank');").first().waitFor();

  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page
    .getByRole('banner')
    .or(page.locator('header'))
    .getByText('Resolved', { exact: true })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Unresolve' }).waitFor();

  await sendError(dsn);
  await page.getByText('Regressed', { exact: true }).first().waitFor({ timeout: 5000 });
  expect(documents(), 'the regression came without a reload').toBe(0);
}

const hasPasswordField = (page: string): boolean => page.includes('type="password"');

/** Everything that is wrong is told at once, in place of the hints, and nothing is set up. */
async function submitBadSetup(page: Page): Promise<void> {
  await page.getByText('At least 12 characters').waitFor();
  await page.getByLabel('Your name').fill('Ada Owner');
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password').fill('short');
  await page.locator('#organizationName').fill('Login');
  await page.locator('#projectSlug').fill('My Project');
  await page.getByRole('button', { name: 'Create everything and sign in' }).click();
  await page.locator('#password[aria-invalid]').waitFor();
  const wrong = page.locator('[aria-invalid="true"]');
  expect(await wrong.evaluateAll((fields) => fields.map((field) => field.id))).toEqual([
    'password',
    'organizationSlug',
    'projectSlug',
  ]);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('password');
  expect(await page.getByText('At least 12 characters').count()).toBe(0);
  await page.locator('#projectSlug').fill('');
}

async function fillSetup(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Ada Owner');
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password').fill(ADMIN.password);
  await page.locator('#organizationName').fill('Bicycle Shop');
  await page.locator('#projectName').fill('Checkout');
  expect(await page.locator('#projectSlug').inputValue()).toBe('checkout');
  await page.getByText('Node.js', { exact: true }).click();
  await page.getByRole('button', { name: 'Create everything and sign in' }).click();
  await page.waitForURL(/\/bicycle-shop\/projects\/checkout\/getting-started/, { timeout: 20_000 });
}

async function sendError(dsn: string): Promise<void> {
  const program = await runProgram('node-captures.mjs', { env: { SENTRY_DSN: dsn } });
  expect([program.code, program.stderr]).toEqual([0, '']);
}

/** How many documents the page has loaded since: a navigation within the app loads none. */
function countDocuments(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.resourceType() === 'document') count++;
  });
  return () => count;
}
