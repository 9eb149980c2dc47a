import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareReleaseNames, compareReleases, parseReleaseVersion } from './release-version.ts';

describe('parseReleaseVersion', () => {
  test.each([
    ['web@1.2.3-rc.1+42', 'web', '1.2.3-rc.1+42', 'rc.1', '42'],
    ['org.example.App@1.0rc1', 'org.example.App', '1.0rc1', 'rc1', null],
    ['@scope/web@2', '@scope/web', '2', null, null],
    ['1.2.3.4', null, '1.2.3.4', null, null],
  ] as const)('%s', (name, packageName, raw, prerelease, build) => {
    expect(parseReleaseVersion(name)).toMatchObject({
      package: packageName,
      raw,
      semver: { prerelease, build },
    });
  });

  test.each([
    'web@9f2c1ab09f2c1ab09f2c1ab09f2c1ab09f2c1ab0',
    'web@123456789012',
    'web@today',
    'web@1.2.3.4.5',
    'web@v1.2',
    '42',
    'web@',
    '@',
    '',
    `web@1.${'9'.repeat(21)}`,
    `web@1.2-${'a'.repeat(300)}`,
  ])('%s has no semantic version', (name) => {
    expect(parseReleaseVersion(name).semver).toBeNull();
  });
});

test('versions are in the order of their numbers, pre-releases before their version, builds by number', () => {
  const ordered = [
    'web@0.9',
    'web@1.0.0-alpha',
    'web@1.0.0-alpha.1',
    'web@1.0.0-alpha.beta',
    'web@1.0.0-beta',
    'web@1.0.0-beta.2',
    'web@1.0.0-beta.11',
    'web@1.0.0-rc.1',
    'web@1.0',
    'web@1.0.0+9',
    'web@1.0.0+10',
    'web@1.0.0.1',
    'web@1.0.2',
    'web@1.0.10',
    'web@1.1a1',
    'web@1.1',
    'web@10',
    'web@2024.01.09',
    'web@2024.1.10',
    'web@18446744073709551616.0',
  ];
  for (const [index, version] of ordered.entries()) {
    for (const [other, against] of ordered.entries()) {
      const sign = Math.sign(compareReleaseNames(version, against) ?? Number.NaN);
      expect([version, against, sign]).toEqual([version, against, Math.sign(index - other)]);
    }
  }
});

test('what the names do not tell, the dates do', () => {
  const at = (version: string, dateMs: number) => ({ version, dateMs });
  expect(compareReleases(at('web@2', 1), at('web@1', 2))).toBeGreaterThan(0);
  expect(compareReleases(at('web@2', 1), at('api@1', 2))).toBeLessThan(0);
  expect(compareReleases(at('9f2c1ab', 1), at('8a2c1ab', 2))).toBeLessThan(0);
  expect(compareReleases(at('web@1.0+abc', 1), at('web@1.0+abd', 2))).toBeLessThan(0);
  expect(compareReleases(at('9f2c1ab', 5), at('9f2c1ab', 2))).toBe(0);
});

test('any two names compare, the other way round with the other sign', () => {
  const name = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.stringMatching(/^web@\d{1,3}(\.\d{1,3}){0,3}(-[a-z0-9]{1,4}(\.\d{1,3})?)?(\+\d{1,4})?$/),
  );
  fc.assert(
    fc.property(name, name, (a, b) => {
      const [forth, back] = [compareReleaseNames(a, b), compareReleaseNames(b, a)];
      expect(forth === null ? null : -forth + 0).toBe(back === null ? null : back + 0);
    }),
  );
});
