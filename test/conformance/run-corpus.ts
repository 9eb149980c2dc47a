// npm run conformance -- --corpus FOLDER [--only TEXT]: sends every payload of a corpus to a server of its own and
// prints what became of each. Ends with 1 when a promise was broken.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createApiClient } from '../harness/api-client.ts';
import { startErrata } from '../harness/start-errata.ts';
import { type CorpusResult, sendCorpus } from './send-corpus.ts';

const LANES = 8;

const { values } = parseArgs({ options: { corpus: { type: 'string' } } });
const corpus = values.corpus ?? process.env.ERRATA_CORPUS;
if (!corpus || !existsSync(corpus)) {
  console.error('Name the folder of a corpus: npm run conformance -- --corpus FOLDER');
  process.exit(2);
}

await using server = await startErrata();
const lanes: { slug: string; dsn: string }[] = [];
for (let lane = 0; lane < LANES; lane++) {
  lanes.push({ slug: `lane-${lane}`, dsn: await server.project(`lane-${lane}`) });
}
const api = createApiClient(server.url, await server.token());
const results = await sendCorpus(corpus, { url: server.url, api, lanes });
const quarantined = (await server.cli(['quarantine', 'list'])).stdout.trim();
printTable(results);
const broken = results.filter(({ problems }) => problems.length > 0);
for (const { file, problems } of broken) console.log(`BROKEN ${file}: ${problems.join('; ')}`);
console.log(`\n${results.length} files sent, ${broken.length} broken promises.`);
console.log(`Quarantine: ${quarantined || 'empty'}`);
process.exitCode = broken.length > 0 ? 1 : 0;

function printTable(all: readonly CorpusResult[]): void {
  const folders = Map.groupBy(all, ({ file }) => file.split(/[\\/]/)[0] ?? '');
  console.log('\n| folder | files | answers | outcomes |\n| --- | ---: | --- | --- |');
  for (const [folder, own] of folders) {
    const answers = countBy(own.map(({ status }) => String(status)));
    const outcomes = new Map<string, number>();
    for (const each of own) {
      for (const [name, count] of each.outcomes) outcomes.set(name, (outcomes.get(name) ?? 0) + count);
    }
    console.log(`| ${folder} | ${own.length} | ${describe(answers)} | ${describe(outcomes)} |`);
  }
  console.log('\n| refused file | answer | reason |\n| --- | ---: | --- |');
  for (const { file, status, detail } of all)
    if (status !== 200) console.log(`| ${file} | ${status} | ${detail} |`);
  console.log('');
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function describe(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name}: ${count}`).join(', ');
}
