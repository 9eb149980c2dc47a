import { expect, test } from 'vitest';
import type { ArtifactFile } from './artifact.ts';
import { findInBundle } from './bundle-files.ts';

test('the first of the names counts that the bundle has, asked for in one question', async () => {
  const asked: (readonly string[])[] = [];
  const artifacts = {
    findInBundle: async (_organizationId: number, _bundleId: number, urls: readonly string[]) => {
      asked.push(urls);
      return ['~/c.ts', '~/b.ts'].map((url) => ({ url }) as ArtifactFile);
    },
  };
  const names = ['~/a.ts', '~/b.ts', '~/c.ts'];
  expect(await findInBundle(artifacts, 1, 2, names)).toEqual({ url: '~/b.ts' });
  expect(await findInBundle(artifacts, 1, 2, ['~/d.ts'])).toBeNull();
  expect(asked).toEqual([names, ['~/d.ts']]);
});
