import { expect } from 'vitest';
import type { ApiClient, ApiIssue } from './api-client.ts';
import { until } from './until.ts';

export type StoredEvents = {
  /** How often each event id is listed. */
  idCounts: ReadonlyMap<string, number>;
  /** Sum of the counts of all issues. */
  counted: number;
};

/** All that was ever counted, also what a clock that was wrong has put into the future. */
export const everCounted = ({ lifetime, count }: Pick<ApiIssue, 'count' | 'lifetime'>): number =>
  Number(lifetime?.count ?? count);

/** Sum of the exact counts of a project's issues. */
export async function countEvents(api: ApiClient, slug: string): Promise<number> {
  const issues = await api.list<ApiIssue>(`/api/0/projects/main/${slug}/issues/?query=`);
  return issues.reduce((sum, issue) => sum + everCounted(issue), 0);
}

/** Every event that the API lists under the project's issues. */
export async function listStoredEvents(api: ApiClient, slug: string): Promise<StoredEvents> {
  const issues = await api.list<ApiIssue>(`/api/0/projects/main/${slug}/issues/?query=`);
  const idCounts = new Map<string, number>();
  for (const issue of issues) {
    for (const { eventID } of await api.list<{ eventID: string }>(`/api/0/issues/${issue.id}/events/`)) {
      idCounts.set(eventID, (idCounts.get(eventID) ?? 0) + 1);
    }
  }
  return { idCounts, counted: issues.reduce((sum, issue) => sum + everCounted(issue), 0) };
}

/** Waits for the spool to drain, then holds what is stored against what was answered: each exactly once, nothing else. */
export async function expectExactlyOnce(
  api: ApiClient,
  slug: string,
  answeredIds: readonly string[],
  timeoutMs = 60_000,
): Promise<void> {
  await until(
    `${answeredIds.length} events counted in ${slug}`,
    async () => (await countEvents(api, slug)) >= answeredIds.length,
    { timeoutMs, everyMs: 500 },
  );
  const stored = await listStoredEvents(api, slug);
  const missing = answeredIds.filter((id) => !stored.idCounts.has(id));
  const repeated = [...stored.idCounts].filter(([, count]) => count > 1);
  const known = new Set(answeredIds);
  const unasked = [...stored.idCounts.keys()].filter((id) => !known.has(id));
  expect({ missing, repeated, unasked }).toEqual({ missing: [], repeated: [], unasked: [] });
  expect(stored.counted, 'issue counts').toBe(answeredIds.length);
}
