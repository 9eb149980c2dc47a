import type { Kysely } from 'kysely';
import type { ArtifactStore } from '#storage/ports/artifacts.ts';
import { createArtifactBundles } from './artifact-bundles.ts';
import { createArtifactChunks } from './artifact-chunks.ts';
import { createArtifactDeobfuscation } from './artifact-deobfuscation.ts';
import { createArtifactLookups } from './artifact-lookups.ts';
import type { Database } from './schema.ts';

export const createArtifactStore = (db: Kysely<Database>): ArtifactStore => ({
  ...createArtifactChunks(db),
  ...createArtifactBundles(db),
  ...createArtifactLookups(db),
  ...createArtifactDeobfuscation(db),
});
