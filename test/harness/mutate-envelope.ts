import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { EnvelopeItem } from './envelope.ts';

/** A request that may be broken in any way. */
export type FuzzedRequest = { body: Buffer; headers: Record<string, string> };

type Random = () => number;
type Json = unknown;

const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

/** What SDKs never send, and attackers do. */
const HOSTILE: readonly (() => Json)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1e308,
  () => Number.MAX_SAFE_INTEGER,
  () => '',
  () => 'x'.repeat(20_000),
  () => '\u0000',
  () => '\ud800',
  () => '\udfff tail',
  () => '💥'.repeat(50),
  () => '\u202e<script>alert(1)</script>',
  () => '%s %d %(name)s {0} {{auto}}',
  () => '../../etc/passwd',
  () => '2026-13-45T99:99:99Z',
  () => [],
  () => ({}),
  () => Array.from({ length: 300 }, (_, index) => index),
  () => ({ values: [null, 1, 'x', { type: {} }] }),
  () => [[[[[[[[[[]]]]]]]]]],
  () => nest(200),
  () => Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`key${index}`, index])),
  () =>
    JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}') as Json,
  () => ({ toString: 'no', length: -1, hasOwnProperty: 1 }),
];

const nest = (depth: number): Json => {
  let value: Json = 'deep';
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
  return value;
};

/** Changes up to `changes` places of a JSON value: replaced, removed, renamed, repeated. The value itself stays. */
export function mutateJson(value: Json, random: Random, changes: number): Json {
  const copy = structuredClone(value);
  for (let change = 0; change < changes; change++) {
    const places = listPlaces(copy);
    if (places.length === 0) return pick(random, HOSTILE)();
    const { holder, key } = pick(random, places);
    const container = holder as Record<string | number, Json>;
    switch (Math.floor(random() * 6)) {
      case 0:
        if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else delete container[key];
        break;
      case 1:
        if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]));
        else container[`${String(key)}_${Math.floor(random() * 10)}`] = container[key];
        break;
      case 2:
        container[key] = [container[key]];
        break;
      default:
        container[key] = pick(random, HOSTILE)();
    }
  }
  return copy;
}

type Place = { holder: object; key: string | number };
const PLACES_MAX = 2_000;

function listPlaces(root: Json): Place[] {
  const places: Place[] = [];
  const waiting: Json[] = [root];
  while (waiting.length > 0 && places.length < PLACES_MAX) {
    const node = waiting.pop();
    if (typeof node !== 'object' || node === null) continue;
    for (const key of Object.keys(node)) {
      places.push({ holder: node, key: Array.isArray(node) ? Number(key) : key });
      waiting.push((node as Record<string, Json>)[key]);
    }
  }
  return places;
}

/** An envelope around changed payloads, framed rightly or not, compressed rightly or not. */
export function fuzzEnvelope(
  header: Readonly<Record<string, unknown>>,
  items: readonly EnvelopeItem[],
  random: Random,
): FuzzedRequest {
  const fuzzed = items.map((item) => fuzzItem(item, random));
  if (random() < 0.1 && fuzzed[0]) fuzzed.push(fuzzed[0]);
  const parts: Buffer[] = [Buffer.from(`${JSON.stringify(fuzzHeader(header, random))}\n`)];
  for (const { payload, header: itemHeader } of fuzzed) {
    parts.push(Buffer.from(`${JSON.stringify(itemHeader)}\n`), payload, Buffer.from('\n'));
  }
  return encode(damage(Buffer.concat(parts), random), random);
}

function fuzzItem(item: EnvelopeItem, random: Random): { payload: Buffer; header: Record<string, unknown> } {
  let payload = Buffer.from(item.payload);
  try {
    const value: Json = JSON.parse(payload.toString('utf8'));
    const changes = random() < 0.15 ? 0 : 1 + Math.floor(random() * 6);
    let text = JSON.stringify(mutateJson(value, random, changes));
    if (random() < 0.05) text = text.replace(/:\d+/, ':NaN');
    if (random() < 0.03) text = text.replace('{', '{"level":"fatal","level":"debug",');
    payload = Buffer.from(text);
  } catch {
    if (random() < 0.5) payload = Buffer.from(damage(payload, random));
  }
  const header: Record<string, unknown> = { type: item.type, length: payload.length, ...item.headers };
  const chance = random();
  if (chance < 0.04) delete header.length;
  else if (chance < 0.07)
    header.length = pick(random, [0, payload.length - 1, payload.length + 1, -5, 1e12, 'ten', null]);
  else if (chance < 0.11)
    header.type = pick(random, ['event', 'transaction', 'log', 'nothing', '', 5, 'attachment']);
  else if (chance < 0.15) header.item_count = pick(random, [0, 1, 99, -1, 'x', 1e9]);
  else if (chance < 0.18)
    header.content_type = pick(random, ['text/plain', 7, 'application/vnd.sentry.items.log+json']);
  else if (chance < 0.2) header.filename = pick(random, ['../../../x', '\u0000', 'a'.repeat(5_000), 9]);
  return { payload, header };
}

function fuzzHeader(header: Readonly<Record<string, unknown>>, random: Random): Record<string, unknown> {
  const chance = random();
  if (chance < 0.85) return { ...header };
  if (chance < 0.9)
    return { ...header, sent_at: pick(random, ['never', 5, null, '1970-01-01T00:00:00Z', 1e20]) };
  if (chance < 0.94) return { ...header, event_id: pick(random, ['x', 5, null, 'A'.repeat(32), '']) };
  return mutateJson(header, random, 1) as Record<string, unknown>;
}

/** Bytes flipped, cut or repeated, now and then. */
function damage(bytes: Buffer, random: Random): Buffer {
  const chance = random();
  if (chance < 0.9 || bytes.length === 0) return bytes;
  const at = Math.floor(random() * bytes.length);
  if (chance < 0.94) return bytes.subarray(0, at);
  if (chance < 0.97) {
    const flipped = Buffer.from(bytes);
    flipped[at] = Math.floor(random() * 256);
    return flipped;
  }
  return Buffer.concat([bytes, bytes.subarray(at)]);
}

function encode(body: Buffer, random: Random): FuzzedRequest {
  const chance = random();
  if (chance < 0.7) return { body, headers: {} };
  const [name, compress] = pick(random, [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', (bytes: Buffer) => brotliCompressSync(bytes, { params: { 1: 1 } })],
    ['zstd', zstdCompressSync],
  ] as const);
  const compressed = compress(body);
  return {
    body: random() < 0.9 ? compressed : damage(damage(compressed, random), random),
    headers: { 'content-encoding': random() < 0.95 ? name : 'gzip' },
  };
}
