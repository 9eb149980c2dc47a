import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';
import { readOutcomes } from './outcome-counts.ts';
import type { Sent } from './stubborn-envelopes.ts';
import { until } from './until.ts';

/** Where rows of a category are listed, below the project's address. */
const LISTS: Readonly<Record<string, string>> = {
  error: 'events',
  transaction: 'transactions',
  log_item: 'logs',
  trace_metric: 'metrics',
  monitor: 'check-ins',
  profile_chunk: 'profiles',
};

/**
 * Waits until everything that was answered is counted as accepted, then holds counts and rows against it: not one less,
 * and no more than what may have been taken without an answer.
 */
export async function expectAccepted(
  api: ApiClient,
  slug: string,
  sent: Sent,
  timeoutMs = 90_000,
): Promise<void> {
  const accepted = async () => {
    const outcomes = await readOutcomes(api, slug);
    return new Map(
      [...sent.answered.keys()].map((category) => [category, outcomes.get(`${category} accepted`) ?? 0]),
    );
  };
  await until(
    `all that was answered to be counted in ${slug}`,
    async () => {
      const counts = await accepted();
      return [...sent.answered].every(([category, quantity]) => (counts.get(category) ?? 0) >= quantity);
    },
    { timeoutMs, everyMs: 500 },
  ).catch(() => {});
  const counts = await accepted();
  const wrong: string[] = [];
  for (const [category, least] of sent.answered) {
    const most = least + (sent.perhaps.get(category) ?? 0);
    const counted = counts.get(category) ?? 0;
    if (counted < least || counted > most)
      wrong.push(`${category}: ${counted} accepted of ${least} to ${most}`);
    const list = LISTS[category];
    if (!list) continue;
    const rows = (await api.list<unknown>(`/api/0/projects/main/${slug}/${list}/`)).length;
    // What was taken twice and names itself is counted twice and stored once.
    if (rows < least || rows > counted) wrong.push(`${category}: ${rows} rows, ${counted} accepted`);
  }
  if (wrong.length > 0) wrong.push(`all outcomes: ${JSON.stringify([...(await readOutcomes(api, slug))])}`);
  expect(wrong).toEqual([]);
  expect(sent.refused).toEqual([]);
}
