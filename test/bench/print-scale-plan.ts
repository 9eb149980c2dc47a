// Prints the table of docs/scale.md: node bin/run-source.mjs test/bench/print-scale-plan.ts
import { planScale, type ScalePlan } from './scale-plan.ts';

const BILLION = 1e9;

const round = (value: number, digits = 2): string =>
  Number(value.toPrecision(digits)).toLocaleString('en-US', { maximumFractionDigits: 2 });

const ROWS: readonly (readonly [string, (plan: ScalePlan) => string])[] = [
  ['events a second, mean; peak', (p) => `${round(p.meanPerSecond)}; ${round(p.peakPerSecond)}`],
  ['from outside at the peak, Gbit/s', (p) => round(p.gigabitsPerSecond)],
  ['edges of 2 cores', (p) => `${p.edges}`],
  ['brokers of 8 cores; partitions', (p) => `${p.brokers}; ${p.partitions}`],
  ['log for 7 days, 3 replicas, TB', (p) => round(p.logTerabytes)],
  ['digests of 4 cores', (p) => `${p.digests}`],
  [
    'an event is late by at most, minutes; with half of them',
    (p) => `${round(p.lateMinutes)}; ${round(p.lateMinutesWithHalf)}`,
  ],
  ['shards × replicas of 8 cores', (p) => `${p.shards} × 2`],
  ['stored for 90 days, 2 replicas, TB', (p) => round(p.storedTerabytes)],
  ['PostgreSQL, cores (and as many in reserve)', (p) => `${p.postgresCores}`],
  ['cores in all', (p) => `${p.cores}`],
  ['a month, own machines; cloud', (p) => `€${round(p.ownEuros)}; $${round(p.cloudDollars)}`],
];

/** The lines of the table, without padding. */
export function tabulateScalePlan(): string[] {
  const plans = [1, 10, 100].map((billions) => planScale(billions * BILLION));
  const header = ['', ...plans.map(({ eventsPerMonth }) => `${eventsPerMonth / BILLION} billion a month`)];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(header),
    line(header.map(() => '---')),
    ...ROWS.map(([what, of]) => line([what, ...plans.map(of)])),
  ];
}

if (import.meta.main) for (const line of tabulateScalePlan()) console.log(line);
