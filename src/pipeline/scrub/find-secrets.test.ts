import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { SECRET_SAMPLES } from '../fixtures/secret-samples.ts';
import { findSecrets, mayHoldSecret } from './find-secrets.ts';

const hide = (text: string): string =>
  findSecrets(text).reduceRight((left, [start, end]) => `${left.slice(0, start)}#${left.slice(end)}`, text);

describe('secrets of known forms', () => {
  test.each(Object.entries(SECRET_SAMPLES))('%s', (_name, secret) => {
    for (const text of [
      secret,
      `failed with ${secret}, again`,
      `a=${secret}&b`,
      `"${secret}"`,
      `x%3D${secret}%26`,
    ]) {
      expect(mayHoldSecret(text)).toBe(true);
      expect(hide(text)).not.toContain(secret.slice(-12));
    }
  });

  test('that a bound cut in half', () => {
    const { github, webToken, slack } = SECRET_SAMPLES;
    for (const secret of [github, webToken, slack]) {
      const cut = `failed with ${secret.slice(0, 24)}`;
      expect(hide(cut)).toBe('failed with #');
      expect(hide(`${cut}...`)).not.toContain(secret.slice(12, 24));
    }
  });

  test.each([
    ['a UUID', 'ceee0822-ed8f-4622-b2a3-789e73e75cd1'],
    ['a commit', 'd3cde7c0d3b2f0b3f4f4c1d1fd3b5d4a1e4f9a10'],
    ['a trace', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    ['a checksum', 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
    ['an object id', '507f1f77bcf86cd799439011'],
    ['a ULID', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['an id of Stripe', 'cus_NffrFeUfNV2Hib pi_3MtwBwLkdIwHu7ix28a3tqPa pk_live_51HabcdefGHIJKLMNop'],
    ['an ARN', 'arn:aws:iam::123456789012:role/service-role/my-function-role'],
    ['a cursor', 'cursor eyJpZCI6MTIzLCJkaXIiOiJuZXh0In0 of the page'],
    ['a class', 'sk-folding-cube sk-cube-grid-container-large task-scheduler-configuration'],
    ['a package', '@aws-sdk/client-s3@3.699.0 npm_config_user_agent'],
    ['a chunk', 'https://cdn.example.com/assets/index-BsGH2kKd.js:12:4711'],
    [
      'an image',
      'registry.example.com/shop@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ],
    ['words', 'Basic authentication failed, the bearer of this_very_long_identifier_name waits'],
    ['an address', '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe'],
    ['a build', 'com.example.shop@4.18.2+2026112301 SKU-123456 ASKIAKATEGORIE_UEBERSICHT_2026'],
  ])('%s is none', (_name, text) => {
    expect(hide(text)).toBe(text);
  });

  test('random ids are none', () => {
    const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 64 });
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), hex, fc.ulid()), (id) => {
        expect(hide(`id ${id}`)).toBe(`id ${id}`);
      }),
    );
  });

  test('ranges are apart and in order, whatever the text is', () => {
    const part = fc.oneof(
      fc.constantFrom(...Object.values(SECRET_SAMPLES), ':AA', 'eyJ', '.', ' '),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let free = 0;
        for (const [start, end] of findSecrets(text)) {
          expect(start).toBeGreaterThanOrEqual(free);
          expect(end).toBeGreaterThan(start);
          free = end;
        }
        expect(free).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test.each([
    'eyJ',
    'eyJ.',
    'ghp_',
    'eyJhbGciOi',
    'AKIA',
    ':AA',
    '1:AA',
    'sk-',
    'Bearer ',
    'key-0',
    'xoxb-1-',
    'SG.a',
    '/api/webhooks/1',
  ])('takes linear time over repetitions of %j', (part) => {
    // Half a million characters: a quadratic pattern would need a quarter of an hour.
    withinMs(1_500, () => findSecrets(part.repeat(Math.ceil(500_000 / part.length))));
  });
});
