import { expect, test } from 'vitest';
import { compareVersions } from './semantic-version.ts';

test('versions come in the order of Semantic Versioning', () => {
  const inOrder = [
    '0.1.0',
    '0.9.0',
    '0.10.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.1.0',
    '2.0.0',
  ];
  for (const [index, version] of inOrder.entries()) {
    expect(compareVersions(version, version)).toBe(0);
    for (const later of inOrder.slice(index + 1)) {
      expect([version, later, Math.sign(compareVersions(version, later))]).toEqual([version, later, -1]);
      expect([later, version, Math.sign(compareVersions(later, version))]).toEqual([later, version, 1]);
    }
  }
  expect(compareVersions('1.0.0+build.1', '1.0.0')).toBe(0);
});

test.each(['', '1', '1.0', 'v1.0.0', '1.0.0-'])('"%s" is no version', (text) => {
  expect(() => compareVersions(text, '1.0.0')).toThrow('is not a version');
});
