// What grouping costs: `node test/bench/group-events.ts FOLDER` for the cases of a corpus of events.
import { existsSync } from 'node:fs';
import { prepareAndGroupEvent } from '#pipeline/grouping/group-event.ts';
import type { GroupingRules } from '#pipeline/grouping/grouping-types.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { readGroupingCases } from '../conformance/grouping-corpus.ts';
import { percentile } from './generator-process.ts';

const WARM_ROUNDS = 200;
const ROUNDS = 200;

export type GroupingCost = {
  events: number;
  /** Microseconds of CPU for one event, warm: of each event the median of its rounds, of these the percentiles. */
  medianUs: number;
  p95Us: number;
  maxUs: number;
};

type Sample = { event: NormalizedEvent; rules: GroupingRules };

/** Groups every event of the corpus again and again, as digest does: rules, display flags, all variants and hashes. */
export function measureGrouping(corpus: string): GroupingCost {
  const samples = [
    ...readGroupingCases(corpus, 'grouping'),
    ...readGroupingCases(corpus, 'grouping-2023-01-11'),
  ];
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    for (const { event, rules } of samples) prepareAndGroupEvent(event, rules);
  }
  const medians = samples.map(medianOf).sort((a, b) => a - b);
  return {
    events: samples.length,
    medianUs: round(percentile(medians, 0.5)),
    p95Us: round(percentile(medians, 0.95)),
    maxUs: round(medians.at(-1) ?? 0),
  };
}

/** Milliseconds are too coarse for one call, and nothing else runs in this thread: the clock stands for the CPU. */
function medianOf({ event, rules }: Sample): number {
  const took: number[] = [];
  for (let count = 0; count < ROUNDS; count += 1) {
    const startedAt = process.hrtime.bigint();
    prepareAndGroupEvent(event, rules);
    took.push(Number(process.hrtime.bigint() - startedAt) / 1_000);
  }
  return percentile(took, 0.5);
}

const round = (value: number): number => Math.round(value * 10) / 10;

if (import.meta.main) {
  const corpus = process.argv[2] ?? process.env.ERRATA_CORPUS;
  if (!corpus || !existsSync(corpus)) {
    console.error('Name the folder of a corpus: node test/bench/group-events.ts FOLDER');
    process.exit(2);
  }
  console.log(JSON.stringify(measureGrouping(corpus)));
}
