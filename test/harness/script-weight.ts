import { gzipSync } from 'node:zlib';
import type { Page, Request } from 'playwright-core';

const KIB = 1024;
/** Compressed script that a page names in its document, which is what it takes to answer to its reader. */
export const FIRST_LOAD_BYTES_MAX = 190 * KIB;
/** All script that any page loads by itself, the error reporter included. */
export const SCRIPT_BYTES_MAX = 233 * KIB;

export const inKib = (bytes: number): number => Math.round(bytes / KIB);

/** Compressed size of each script that a document names; scripts for old browsers only are left out. */
export async function weighDocument(page: Page, address: string): Promise<number> {
  const html = await (await page.request.get(address)).text();
  const tags = [...html.matchAll(/<script\b[^>]*\bsrc="([^"]+)"[^>]*>/g)];
  const files = new Set(tags.filter(([tag]) => !/\bnomodule\b/i.test(tag)).map(([, file]) => file ?? ''));
  return sum(await Promise.all([...files].map((file) => weigh(page, new URL(file, address).href))));
}

/**
 * Notes the scripts that the page loads from now on. What it answers waits until the error reporter has come, which is
 * the last, and gives their compressed size in bytes. A frame is a document of its own, which the page does not wait for.
 */
export function watchScripts(page: Page): () => Promise<number> {
  const scripts = new Set<string>();
  const note = (request: Request) => {
    if (request.resourceType() === 'script' && request.frame() === page.mainFrame())
      scripts.add(request.url());
  };
  page.on('request', note);
  return async () => {
    await page.waitForFunction(() => '__SENTRY__' in window, undefined, { timeout: 15_000 });
    page.off('request', note);
    return sum(await Promise.all([...scripts].map((address) => weigh(page, address))));
  };
}

/** By address: the names of scripts change with what is in them. */
const weights = new Map<string, number>();

async function weigh(page: Page, address: string): Promise<number> {
  const known = weights.get(address);
  if (known !== undefined) return known;
  const bytes = gzipSync(await (await page.request.get(address)).body()).length;
  weights.set(address, bytes);
  return bytes;
}

const sum = (bytes: readonly number[]): number => bytes.reduce((total, one) => total + one, 0);
