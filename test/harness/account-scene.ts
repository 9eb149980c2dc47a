import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { keepingScreenshot, launchChromium } from './browser.ts';
import { hydrated } from './hydrated.ts';
import { signIn } from './sign-in.ts';
import { ADMIN, type ErrataServer, startErrata } from './start-errata.ts';

export type AccountScene = {
  server: ErrataServer;
  browser: Browser;
  /** Of the account's owner. */
  page: Page;
  password: string;
  /** Errors that the page threw. */
  broken: string[];
  walk(name: string, steps: () => Promise<void>): Promise<void>;
  open(path: string): Promise<unknown>;
  press(name: string): Promise<void>;
  /** The first step of a sign-in, in a browser of its own. */
  firstStep(path?: string): Promise<Page>;
};

/** An account on a server of its own, as its owner meets it. Holds for the suite in which it is called. */
export function useAccount(): AccountScene {
  const scene = {
    password: ADMIN.password as string,
    broken: [] as string[],
    walk: (name: string, steps: () => Promise<void>) =>
      keepingScreenshot(scene.page, `accounts-${name}`, steps),
    open: (path: string) => scene.page.goto(`${scene.server.url}${path}`),
    press: (name: string) => scene.page.getByRole('button', { name, exact: true }).click(),
    async firstStep(path = '/login') {
      const own = await (await scene.browser.newContext()).newPage();
      await own.goto(`${scene.server.url}${path}`);
      await own.getByLabel('Email').fill(ADMIN.email);
      await own.getByLabel('Password').fill(scene.password);
      await own.getByRole('button', { name: 'Sign in', exact: true }).click();
      return own;
    },
  } as AccountScene;
  beforeAll(async () => {
    scene.server = await startErrata();
    scene.browser = await launchChromium();
    scene.page = await signIn(scene.browser, scene.server.url);
    scene.page.on('pageerror', (error) => scene.broken.push(String(error)));
  });
  afterAll(async () => {
    await scene.browser?.close();
    await scene.server?.[Symbol.asyncDispose]();
  });
  return scene;
}

/** The browser may offer the passkey by itself, before anybody presses the button. */
export async function signInWithPasskey(page: Page): Promise<void> {
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
export async function addDevice(page: Page): Promise<void> {
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
