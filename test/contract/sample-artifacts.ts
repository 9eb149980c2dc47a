import { createHash, randomUUID } from 'node:crypto';
import type { NewArtifactBundle, NewArtifactFile } from '#product/artifacts/artifact.ts';
import type { Tenant } from './postgres-stores.ts';
import { NOON_MS } from './sample-events.ts';

export const DEBUG_ID = '0d6f3c1e-6a43-4b1f-9f0a-7a4e2d1c5b38';

export const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

export const makeFile = (change: Partial<NewArtifactFile> = {}): NewArtifactFile => ({
  kind: 'minified_source',
  url: '~/app.js',
  debugId: null,
  path: 'files/_/_/app.js',
  bytes: 10,
  sourceMap: null,
  headers: {},
  ...change,
});

/** Of the release 1.0.0 without a dist, with one script; different from every other one. */
export const makeArtifacts = (
  tenant: Pick<Tenant, 'projectId'>,
  change: Partial<NewArtifactBundle> = {},
): NewArtifactBundle => ({
  kind: 'bundle',
  checksum: sha1(randomUUID()),
  bytes: 100,
  uploadedAt: NOON_MS,
  projectIds: [tenant.projectId],
  releases: [{ version: '1.0.0', dist: null }],
  files: [makeFile()],
  ...change,
});
