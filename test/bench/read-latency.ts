import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiIssue } from '../harness/api-client.ts';
import { findChromium, launchChromium } from '../harness/browser.ts';
import { signIn } from '../harness/sign-in.ts';
import { percentile } from './generator-process.ts';

const READ_EVERY_MS = 250;

export type ReadLatency = { samples: number; p50: number; p95: number; failures: number };

/** The session cookie of the owner, taken from a browser that signed in; null without a Chromium. */
export async function openSession(url: string): Promise<string | null> {
  if (findChromium() === null) return null;
  await using browser = await launchChromium();
  const page = await signIn(browser, url);
  const cookies = await page.context().cookies();
  return cookies.map((cookie) => `${cookie.name}=${cookie.value}`).join('; ');
}

/** Reads the issue list and one issue in turn, over the API and as pages, until `signal` says stop. */
export async function measureReads(
  target: { url: string; token: string; slug: string; cookie: string | null; issues: readonly ApiIssue[] },
  signal: AbortSignal,
): Promise<Record<string, ReadLatency>> {
  const bearer = { authorization: `Bearer ${target.token}` };
  const session = target.cookie === null ? null : { cookie: target.cookie };
  const issueAt = (turn: number) => target.issues[turn % target.issues.length];
  const query = encodeURIComponent('is:unresolved');
  const reads: Record<string, (turn: number) => [string, Record<string, string>]> = {
    'issue list, API': () => [`/api/0/projects/main/${target.slug}/issues/?query=${query}&limit=25`, bearer],
    'latest event, API': (turn) => [`/api/0/issues/${issueAt(turn)?.id}/events/latest/`, bearer],
    ...(session && {
      'issue list, page': () => [`/main/issues?project=${target.slug}`, session],
      'issue, page': (turn) => [`/main/issues/${issueAt(turn)?.shortId}`, session],
    }),
  };
  const tookMs = new Map<string, number[]>();
  const failures = new Map<string, number>();
  for (let turn = 0; !signal.aborted; turn++) {
    for (const [name, read] of Object.entries(reads)) {
      const [path, headers] = read(turn);
      const startedAt = performance.now();
      const response = await fetch(`${target.url}${path}`, { headers, redirect: 'manual' });
      await response.arrayBuffer();
      tookMs.set(name, [...(tookMs.get(name) ?? []), performance.now() - startedAt]);
      if (response.status !== 200) failures.set(name, (failures.get(name) ?? 0) + 1);
      await sleep(READ_EVERY_MS);
    }
  }
  return Object.fromEntries(
    [...tookMs].map(([name, values]) => [
      name,
      {
        samples: values.length,
        p50: percentile(values, 0.5),
        p95: percentile(values, 0.95),
        failures: failures.get(name) ?? 0,
      },
    ]),
  );
}
