import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { SECRET_SAMPLES } from '../../fixtures/secret-samples.ts';
import { compileScrubber } from '../scrubber.ts';
import type { BodyKind } from './body-rules.ts';
import { textEncodingOf } from './body-scrubber.ts';

const X = 'q7Zk-planted-Xv93';
const DEFAULTS = DEFAULT_INGEST_SETTINGS.privacy;

/** In chunks of any length the same comes out. */
function scrub(kind: BodyKind, text: string, chunkBytes = 7, settings = DEFAULTS): string {
  const bytes = Buffer.from(text);
  const body = compileScrubber(settings).openBody(kind, 'file.txt', 'utf-8', bytes.subarray(0, 8_192));
  if (body === null) return text;
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    parts.push(body.push(bytes.subarray(at, at + chunkBytes)));
  const scrubbed = Buffer.concat([...parts, body.end()]).toString();
  expect(body.isChanged).toBe(scrubbed !== text);
  return scrubbed;
}

describe('JSON', () => {
  test('is scrubbed by its names, in pairs and lists, and by forms', () => {
    const value = {
      password: X,
      auth: { user: X, pin: 1234, on: true },
      argv: ['--token', X, 'run'],
      pair: ['api_key', X],
      header: { name: 'Authorization', value: X },
      note: `failed with ${SECRET_SAMPLES.github}`,
      url: `https://e.com/?token=${X}&page=2`,
      [SECRET_SAMPLES.stripe]: 1,
      max_tokens: 4096,
    };
    expect(JSON.parse(scrub('attachment', JSON.stringify(value)))).toEqual({
      password: '[Filtered]',
      auth: { user: '[Filtered]', pin: null, on: true },
      argv: ['--token', '[Filtered]', 'run'],
      pair: ['api_key', '[Filtered]'],
      header: { name: 'Authorization', value: '[Filtered]' },
      note: 'failed with [Filtered]',
      url: 'https://e.com/?token=[Filtered]&page=2',
      '[Filtered]': 1,
      max_tokens: 4096,
    });
  });

  test('that holds nothing private comes out as it was sent, digit by digit', () => {
    const texts = [
      '{"id":12345678901234567890,"a":1.50,"b":"\\u00e9\\n\\/","c":[ ],"d":{ },"e":"\\ud83d\\ude00"}',
      '[{"type":3,"data":{"text":"Enter your password","id":1}}]',
      `[{"src":"data:image/png;base64,${'AT12abcd34567890efgh/'.repeat(50)}"}]`,
      '[]',
    ];
    for (const text of texts) expect(scrub('recording', text, 3)).toBe(text);
  });

  test('of any shape comes out whole, whatever the chunks are', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.integer({ min: 1, max: 40 }), (text, chunk) => {
        const scrubbed = scrub('profile', `[${text}]`, chunk);
        expect(() => JSON.parse(scrubbed) as unknown).not.toThrow();
        expect(scrubbed).toBe(scrub('profile', `[${text}]`, 10_000));
      }),
    );
  });

  test('that is none any more is scrubbed as lines', () => {
    const text = `{"a":1}\n12:00 login password=${X}\nAuthorization: Token ${X}\n"unended ${SECRET_SAMPLES.github}`;
    expect(scrub('attachment', text)).not.toMatch(/planted|ghp_/);
  });

  test('a string of megabytes is searched in pieces', () => {
    const word = 'lorem ipsum dolor sit amet, ';
    const text = JSON.stringify([
      { css: `${word.repeat(40_000)} ${SECRET_SAMPLES.slack} ${word.repeat(40_000)}` },
    ]);
    const scrubbed = scrub('recording', text, 65_536);
    expect(scrubbed).not.toContain('xoxb');
    expect(scrubbed.length).toBeGreaterThan(2_000_000);
    expect(() => JSON.parse(scrubbed) as unknown).not.toThrow();
  });

  test('a long string under a telling name is hidden to its end, also when the body ends before', () => {
    const long = `${X} `.repeat(20_000);
    for (const text of [
      JSON.stringify({ a: 1, password: long }),
      `{"password":"${long}`,
      `{"password":"${X}`,
    ]) {
      expect(scrub('profile', text, 65_536)).not.toContain(X);
    }
  });

  test('a picture of any size stays as it is', () => {
    const picture = `data:image/png;base64,${'AT12abcd34567890efgh/'.repeat(10_000)}`;
    const text = JSON.stringify([{ src: picture }]);
    expect(scrub('recording', text, 65_536)).toBe(text);
    expect(scrub('recording', JSON.stringify([`${picture} password=${X}`]), 65_536)).not.toContain(X);
  });

  test('a private key inside of a long string is found wherever pieces meet', () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEow\n'.repeat(300)}-----END RSA PRIVATE KEY-----`;
    for (let before = 28_000; before <= 33_000; before += 125) {
      const text = JSON.stringify([`${'word '.repeat(before / 5)}${key} and ${'more '.repeat(20_000)}`]);
      expect(scrub('attachment', text, 65_536)).not.toContain('MIIEow');
    }
  });

  test('a value is hidden by the name beside it, before or behind it', () => {
    const [before, behind] = [`{"name":"password","value":"${X}"}`, `{"value":"${X}","name":"password"}`];
    const hidden = [before, behind].map((text) => text.replace(X, '[Filtered]'));
    expect([before, behind].map((text) => scrub('recording', `[${text}]`))).toEqual(
      hidden.map((text) => `[${text}]`),
    );
    const texts: [string, string][] = [
      ['{"value":1234,"name":"auth","x":1}', '{"value":null,"name":"auth","x":1}'],
      [
        `{"a":{"content":"${X}","value":"${X}","deep":[{"value":"b","name":"c"}],"type":"password"}}`,
        '{"a":{"content":"[Filtered]","value":"[Filtered]","deep":[{"value":"b","name":"c"}],"type":"password"}}',
      ],
      [
        `{"value":"kept","deep":{"value":"${X}","name":"password"},"name":"city"}`,
        '{"value":"kept","deep":{"value":"[Filtered]","name":"password"},"name":"city"}',
      ],
      [
        `{"type":"password","name":"pw","value":"${X}"}`,
        '{"type":"password","name":"pw","value":"[Filtered]"}',
      ],
    ];
    for (const [text, expected] of texts) {
      for (const chunk of [1, 7, 1_000]) expect(scrub('recording', text, chunk)).toBe(expected);
    }
    const kept = '[{"value":"a","value":"b","value":"c","n":1},{"value":"x","name":"city"},{"value":2}';
    for (const chunk of [1, 7, 1_000]) expect(scrub('recording', kept, chunk)).toBe(kept);
  });

  test('a value that waits for its name does not hold back more than so much', () => {
    const body = compileScrubber(DEFAULTS).openBody('recording', '', 'utf-8', Buffer.from('{"'));
    const filler = Buffer.from(`"${'word '.repeat(200)}",`);
    let written = body?.push(Buffer.from('{"value":"first","list":[')).length ?? 0;
    for (let sent = 0; sent < 100; sent += 1) written += body?.push(filler).length ?? 0;
    expect(written).toBeGreaterThan(60 * filler.length);
    const end = Buffer.from(`{"value":"${X}","name":"password"}],"name":"password"}`);
    const rest = [body?.push(end) ?? '', body?.end() ?? ''].map(String).join('');
    expect(rest).not.toContain(X);
  });

  test('nested without end takes no more memory than its depth may', () => {
    const text = `${'['.repeat(200_000)}"password=${X}"${']'.repeat(200_000)}`;
    expect(scrub('recording', text, 65_536)).not.toContain(X);
  });
});

describe('a hostile text takes time in proportion to its length', () => {
  const PEM = '-----BEGIN RSA PRIVATE KEY-----';
  test.each([
    ['passwords in addresses and parameters', '//:a@ pwd=a '],
    ['addresses with passwords', 'a://b:c@d '],
    ['parameters with separators', 'token=a;auth=b&'],
    ['secrets', `${SECRET_SAMPLES.github} `],
    ['paths, numbers and addresses', '/home/a/ 078-05-1120 4242424242424242 10.0.0.1 bearer abc '],
    ['keys that do not end', PEM],
    ['signs only', '//:@'],
    ['values before their names', '","value":"a","deep":{"content":"b'],
    ['values with one name', '"},{"value":"a","value":"b","value":"c'],
    ['escapes', '\\\\'],
  ])('%s', (_name, unit) => {
    for (const [begin, end] of [
      ['{"a":"', '"}'],
      ['log\n', ''],
    ]) {
      const text = `${begin}${unit.repeat((512 * 1024) / unit.length)}${end}`;
      withinMs(4_000, () => scrub('attachment', text, 65_536));
    }
  });
});

describe('lines', () => {
  test('lose what is private and keep the rest', () => {
    const text = [
      '[2026-11-23 10:00:00] INFO user authenticated in 5 ms',
      `db.password: ${X}`,
      `  - api_key = "${X}"`,
      `DATABASE_URL=postgres://app:${X}@db/shop`,
      `12:00 POST /login?token=${X} 200`,
      `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEow\n'.repeat(30)}-----END RSA PRIVATE KEY-----`,
      SECRET_SAMPLES.aws,
      'commit d3cde7c0d3b2f0b3f4f4c1d1fd3b5d4a1e4f9a10',
    ].join('\n');
    for (const chunk of [1, 100, 100_000]) {
      const scrubbed = scrub('attachment', text, chunk);
      expect(scrubbed).not.toMatch(/planted|MIIEow|AKIA/);
      expect(scrubbed).toContain('user authenticated in 5 ms');
      expect(scrubbed).toContain('commit d3cde7c0d3b2f0b3f4f4c1d1fd3b5d4a1e4f9a10');
    }
  });

  test('of megabytes are searched whole, also where blocks meet', () => {
    const line = `12:00:00 request ${'x'.repeat(60)} done password=${X}\n`;
    const scrubbed = scrub('attachment', `log of today\n${line.repeat(20_000)}`, 65_536);
    expect(scrubbed).not.toContain('planted');
    expect(scrubbed.split('\n')).toHaveLength(20_002);
  });

  test('obey the rules of the project, and its decision to hide nothing', () => {
    const rule = {
      method: 'replace',
      type: 'pattern',
      pattern: 'cus_\\w+',
      placeholder: '[customer]',
    } as const;
    const own = { ...DEFAULTS, advancedRules: [{ ...rule, selector: "$attachments.'file.txt'" }] };
    expect(scrub('attachment', 'paid by cus_4711abc', 5, own)).toBe('paid by [customer]');
    expect(scrub('attachment', `password=${X}`, 5, { ...DEFAULTS, defaultRules: false })).toContain(X);
  });
});

test.each([
  [Buffer.from('plain caf\u00e9'), 'utf-8'],
  [Buffer.from('caf\u00e9', 'latin1'), 'latin1'],
  [Buffer.from('\ufeffwide', 'utf16le'), 'utf-16le'],
  [Buffer.from('\x1b[31mred\x1b[0m\r\n'), 'utf-8'],
  [Buffer.from('89504e470d0a1a0a0000000d', 'hex'), null],
  [Buffer.from('%PDF-1.7\n'), null],
  [Buffer.from('1f8b0800000000', 'hex'), null],
])('%j is read as %s', (bytes, encoding) => {
  expect(textEncodingOf(bytes)).toBe(encoding);
});
