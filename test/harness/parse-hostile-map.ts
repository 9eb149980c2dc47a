import { MapParser } from '#product/symbolication/map-parser.ts';

/**
 * A program: parses a map made of one repeated piece, as often as digest tries one, and writes how many bytes of memory
 * the process had at most beyond what it began with, the text itself included.
 */
const [, , open = '', piece = '', bytes = '0'] = process.argv;
const MAP = Buffer.from('{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}');
const parser = new MapParser();
await parser.parse(async () => ({ map: MAP, script: null }));
const before = process.resourceUsage().maxRSS;
const answer = await parser.parse(async () => ({
  map: Buffer.concat([Buffer.from(open), Buffer.alloc(Number(bytes), piece)]),
  script: null,
}));
const after = process.resourceUsage().maxRSS;
process.stdout.write(JSON.stringify({ kind: answer?.kind, grownBytes: (after - before) * 1024 }));
await parser.stop();
