// npm run conformance:grouping -- --corpus FOLDER: compares hashes and parameterized messages with those that Sentry gives.
// Ends with 1 when a share is below its target.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { groupEvent } from '#pipeline/grouping/group-event.ts';
import { parameterize } from '#pipeline/grouping/parameterize.ts';
import { type GroupingCase, readGroupingCases, readParameterizationCases } from './grouping-corpus.ts';

const TARGETS = { grouping: 0.9, 'grouping-2023-01-11': 0.9, fingerprinting: 0.95, parameterization: 0.98 };

type Result = { name: string; differences: readonly string[] };

const { values } = parseArgs({
  options: { corpus: { type: 'string' }, only: { type: 'string', default: '' } },
});
const corpus = values.corpus ?? process.env.ERRATA_CORPUS;
if (!corpus || !existsSync(corpus)) {
  console.error('Name the folder of a corpus: npm run conformance:grouping -- --corpus FOLDER');
  process.exit(2);
}

const tables = {
  grouping: compareFolder('grouping'),
  'grouping-2023-01-11': compareFolder('grouping-2023-01-11'),
  fingerprinting: compareFolder('fingerprinting'),
  parameterization: readParameterizationCases(corpus).filter(isAsked).map(compareMessage),
};
console.log('| set | equal | of | share | target |\n| --- | ---: | ---: | ---: | ---: |');
for (const [name, results] of Object.entries(tables)) {
  const equal = results.filter(({ differences }) => differences.length === 0).length;
  const share = results.length === 0 ? 1 : equal / results.length;
  const target = TARGETS[name as keyof typeof TARGETS];
  if (share < target) process.exitCode = 1;
  console.log(`| ${name} | ${equal} | ${results.length} | ${percent(share)} | ${percent(target)} |`);
}
for (const [name, results] of Object.entries(tables)) {
  for (const result of results.filter(({ differences }) => differences.length > 0)) {
    console.log(`\n${name}/${result.name}`);
    for (const difference of result.differences) console.log(`  ${difference}`);
  }
}

function compareFolder(folder: string): readonly Result[] {
  return readGroupingCases(corpus as string, folder)
    .filter(isAsked)
    .map(compareCase);
}

/** Every hash that contributes must be equal, and no other may contribute. */
function compareCase({ name, event, rules, expected }: GroupingCase): Result {
  const { variants } = groupEvent(event, rules);
  const differences: string[] = [];
  for (const variant of new Set([...Object.keys(expected), ...Object.keys(variants)])) {
    const wanted = expected[variant]?.hash ?? null;
    const found = variants[variant]?.hash ?? null;
    if (wanted === found) continue;
    differences.push(`${variant}: ${found ?? 'no hash'} instead of ${wanted ?? 'none'}`);
    differences.push(
      ...compareValues(expected[variant]?.contributing_values ?? [], variants[variant]?.values ?? []),
    );
  }
  return { name, differences };
}

function compareValues(wanted: readonly unknown[], found: readonly string[]): readonly string[] {
  const texts = wanted.map(String);
  return [
    ...found.filter((value) => !texts.includes(value)).map((value) => `  too much: ${JSON.stringify(value)}`),
    ...texts.filter((value) => !found.includes(value)).map((value) => `  missing: ${JSON.stringify(value)}`),
  ];
}

function compareMessage({
  name,
  input,
  expected,
}: {
  name: string;
  input: string;
  expected: string;
}): Result {
  const found = parameterize(input);
  return {
    name,
    differences:
      found === expected ? [] : [`${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`],
  };
}

function isAsked({ name }: { name: string }): boolean {
  return name.includes(values.only);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
