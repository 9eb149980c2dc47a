/**
 * How fast frames of bundles become frames of sources, and how long a map takes that nobody has asked for before:
 * `node test/bench/symbolication.ts`. Uploads lie in memory here; what the stores take comes on top.
 */
import { performance } from 'node:perf_hooks';
import { symbolicateEvent } from '#pipeline/symbolicate/symbolicate-event.ts';
import { MapParser } from '#product/symbolication/map-parser.ts';
import { withSymbols } from '#product/symbolication/project-symbols.ts';
import { SymbolFiles } from '#product/symbolication/symbol-files.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { storesInMemory } from '../harness/uploads-in-memory.ts';
import { largeMap } from './large-map.ts';

const FRAMES_PER_EVENT = 30;
const EVENTS = 20_000;
const SCOPE = { organizationId: 1, projectId: 1 };
const RELEASE = 'bench@1.0';
const MIB = 1024 * 1024;

const map = largeMap(10, 40);
const uploads = storesInMemory([
  { url: '~/app.js', content: 'a()', kind: 'minified_source', sourceMap: 'app.js.map' },
  { url: '~/app.js.map', content: map.text, kind: 'source_map', sourceMap: null },
]);
const parser = new MapParser();
const open = () => new SymbolFiles({ ...uploads, parser, now: Date.now });
const budget = () => ({ leftMs: 60_000 });

const events = Array.from({ length: 200 }, (_, index) => minified(index));
const run = async (symbols: SymbolFiles, event: NormalizedEvent) =>
  await withSymbols(symbols, SCOPE, budget(), (sources) => symbolicateEvent(event, sources));

console.log(`map: ${(map.text.length / MIB).toFixed(1)} MiB, ${map.segments} segments`);
for (const what of ['cold, its thread started anew', 'cold', 'cold once more']) {
  const symbols = open();
  const from = performance.now();
  await run(symbols, events[0] as NormalizedEvent);
  const took = performance.now() - from;
  console.log(`first event, ${what}: ${took.toFixed(0)} ms; kept: ${(symbols.bytes / MIB).toFixed(1)} MiB`);
}

const warm = open();
for (const event of events) await run(warm, event);
const from = performance.now();
let mapped = 0;
for (let index = 0; index < EVENTS; index++) {
  const done = await run(warm, events[index % events.length] as NormalizedEvent);
  const frames = done.exception?.values[0]?.stacktrace?.frames ?? [];
  if (frames.every(({ context_line: line }) => typeof line === 'string')) mapped += frames.length;
}
const seconds = (performance.now() - from) / 1_000;
console.log(
  `warm: ${Math.round(mapped / seconds)} frames/s (${mapped} of ${EVENTS * FRAMES_PER_EVENT} mapped)`,
);
console.log(`resident: ${(process.memoryUsage().rss / MIB).toFixed(0)} MiB`);
await parser.stop();

function minified(seed: number): NormalizedEvent {
  return {
    event_id: String(seed).padStart(32, '0'),
    type: 'error',
    level: 'error',
    platform: 'javascript',
    timestamp: 1,
    received: 1,
    release: RELEASE,
    exception: {
      values: [
        {
          type: 'Error',
          value: 'bench',
          stacktrace: {
            frames: Array.from({ length: FRAMES_PER_EVENT }, (_, index) => ({
              function: 'n',
              filename: '/app.js',
              abs_path: 'https://bench.example.com/app.js',
              lineno: 1 + ((seed * 7 + index) % map.lines),
              colno: 1 + ((seed * 131 + index * 977) % map.columns),
            })),
          },
        },
      ],
    },
  };
}
