import type { ApiClient } from './api-client.ts';

/** `category outcome reason` → quantity, of one project within the last day. */
export type OutcomeCounts = ReadonlyMap<string, number>;

type StatsAnswer = {
  groups: {
    by: { category: string; outcome: string; reason: string };
    totals: { 'sum(quantity)': number };
  }[];
};

export async function readOutcomes(api: ApiClient, slug: string): Promise<OutcomeCounts> {
  const { groups } = await api.get<StatsAnswer>(
    `/api/0/organizations/main/stats_v2/?statsPeriod=24h&interval=1h&groupBy=category&groupBy=outcome&groupBy=reason&project=${slug}`,
  );
  return new Map(
    groups.map(({ by, totals }) => [
      `${by.category} ${by.outcome} ${by.reason}`.trim(),
      totals['sum(quantity)'],
    ]),
  );
}

export const sumOutcomes = (counts: OutcomeCounts): number =>
  [...counts.values()].reduce((sum, each) => sum + each, 0);

/** What came in between. */
export const subtractOutcomes = (after: OutcomeCounts, before: OutcomeCounts): Map<string, number> =>
  new Map(
    [...after]
      .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
      .filter(([, count]) => count !== 0),
  );
