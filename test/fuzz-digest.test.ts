import { expect, test } from 'vitest';
import { digestEnvelope } from '#pipeline/digest-envelope.ts';
import { itemContext, rawItem } from '#pipeline/fixtures/digest-fixture.ts';
import type { RawItem } from '#pipeline/item.ts';
import { TELEMETRY_KINDS } from '#protocol/telemetry.ts';
import { type EnvelopeItem, newEventId } from './harness/envelope.ts';
import { IS_FULL } from './harness/is-full.ts';
import { mutateJson } from './harness/mutate-envelope.ts';
import { makeSampleEnvelopes } from './harness/sample-items.ts';
import { chooseSeed, seededRandom } from './harness/seeded-random.ts';

const ROUNDS = IS_FULL ? 5_000 : 100;
const TIMEOUT_MS = 20 * 60_000;

test('there is a sample of every kind of row', () => {
  const kinds = makeSampleEnvelopes('sample').flatMap(({ eventId, items }) => {
    const context = itemContext({ envelopeEventId: eventId, receivedAtMs: Date.now(), sentAtMs: Date.now() });
    const { rows } = digestEnvelope(items.map(toRaw), context, () => false);
    return TELEMETRY_KINDS.filter((kind) => (rows[kind]?.length ?? 0) > 0);
  });
  expect([...new Set(kinds)].sort()).toEqual([...TELEMETRY_KINDS].sort());
});

test(
  'whatever JSON an item of any type holds, it is understood or refused, never thrown on',
  () => {
    const random = seededRandom(chooseSeed());
    const thrown = new Map<string, string>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, items } of makeSampleEnvelopes(`fuzz-${round}`)) {
        const raw = items.map((item, index) =>
          toRaw({ ...item, payload: mutate(item.payload, index, random) }),
        );
        try {
          digestEnvelope(
            raw,
            itemContext({ envelopeEventId: newEventId(), sentAtMs: Date.now(), mayDetect: true }),
            () => false,
          );
        } catch (error) {
          const payload = Buffer.from(raw[0]?.payload ?? []).toString('utf8');
          thrown.set(`${name}: ${String((error as Error).stack).slice(0, 600)}`, payload.slice(0, 2_000));
        }
      }
    }
    expect([...thrown]).toEqual([]);
  },
  TIMEOUT_MS,
);

const toRaw = ({ type, payload, headers }: EnvelopeItem): RawItem =>
  rawItem(type, Buffer.from(payload), {
    itemId: newEventId(),
    contentType: (headers?.content_type as string | undefined) ?? null,
    itemCount: (headers?.item_count as number | undefined) ?? null,
    platform: (headers?.platform as string | undefined) ?? null,
    filename: (headers?.filename as string | undefined) ?? null,
  });

function mutate(payload: Uint8Array | string, index: number, random: () => number): Uint8Array {
  const bytes = Buffer.from(payload);
  try {
    const changes = 1 + Math.floor(random() * 6);
    return Buffer.from(JSON.stringify(mutateJson(JSON.parse(bytes.toString('utf8')), random, changes)));
  } catch {
    // No JSON: a file, or a recording behind its line of headers.
    if (index > 0 && random() < 0.5) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    return bytes;
  }
}
