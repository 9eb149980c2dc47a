import { createHash } from 'node:crypto';
import type { DigestedEvent } from '#protocol/event.ts';
import { makeEvent } from '../contract/sample-events.ts';
import { seededRandom } from '../harness/seeded-random.ts';

const ISSUES = 5_000;
const FRAMES = 20;
const WORDS =
  'cart coupon session socket payment invoice queue parser cache upload token address shipping ledger'.split(
    ' ',
  );
const TYPES = ['TypeError', 'KeyError', 'TimeoutError', 'ValueError', 'NullPointerException'];
const BROWSERS = ['Chrome', 'Firefox', 'Safari', 'Edge'];

/** One event of each of 5,000 issues, about 4 KB each, whose tags, texts and stacks differ as those of one application do. */
export function makeSearchSeeds(organizationId: number, projectId: number, nowMs: number): DigestedEvent[] {
  const random = seededRandom(7);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  return Array.from({ length: ISSUES }, (_, index) => {
    const type = pick(TYPES);
    const words = `${pick(WORDS)} ${pick(WORDS)} of ${pick(WORDS)} ${index}`;
    const release = `web@1.${index % 30}.0`;
    const environment = pick(['production', 'production', 'staging']);
    return makeEvent({
      organizationId,
      projectId,
      occurredAt: nowMs - Math.floor(random() * 60_000),
      groupingHash: createHash('md5').update(`issue ${index}`).digest('hex'),
      title: `${type}: ${words} failed`,
      culprit: `${pick(WORDS)}/${pick(WORDS)} in ${pick(WORDS)}Handler`,
      message: `${words} failed after ${Math.floor(random() * 1000)} ms`,
      level: pick(['error', 'error', 'warning', 'fatal']),
      release,
      environment,
      user: { id: String(index), email: `user${index}@example.com`, username: null, ip: '10.0.0.1' },
      tags: [
        ['browser.name', pick(BROWSERS)],
        ['browser', `${pick(BROWSERS)} ${index % 20}`],
        ['os.name', pick(['Windows', 'macOS', 'Linux', 'iOS'])],
        ['customer', `customer ${index % 97}`],
        ['region', pick(['eu', 'us', 'asia'])],
        ['release', release],
        ['environment', environment],
        ['url', `https://shop.example.com/${pick(WORDS)}/${index}`],
        ['server_name', `web-${index % 12}`],
        ['handled', 'no'],
      ],
      payload: {
        ...makeEvent({ organizationId, projectId }).payload,
        exception: {
          values: [
            {
              type,
              value: `${words} failed`,
              mechanism: { type: 'generic', handled: index % 3 === 0 },
              stacktrace: {
                frames: Array.from({ length: FRAMES }, (__, frame) => frameOf(index, frame, pick(WORDS))),
              },
            },
          ],
        },
        contexts: { device: { arch: pick(['arm64', 'x86_64']), family: pick(['Mac', 'iPhone', 'Pixel']) } },
        request: { method: pick(['GET', 'POST']), url: `https://shop.example.com/${index}` },
      },
    });
  });
}

const frameOf = (issue: number, frame: number, word: string) => ({
  function: `${word}${frame}`,
  module: `shop.${word}.module${frame % 7}`,
  filename: `src/shop/${word}/module${frame % 7}.ts`,
  abs_path: `/srv/app/src/shop/${word}/module${frame % 7}.ts`,
  lineno: 10 * frame + (issue % 9),
  in_app: frame > 12,
  context_line: `    return await ${word}(cart, { retries: ${frame}, issue: ${issue} });`,
});
