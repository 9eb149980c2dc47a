import type { Kysely } from 'kysely';
import type { Database } from '#storage/sql/schema.ts';
import { createArtifactBundles, createArtifactChunks } from './artifact-bundles.ts';
import { createArtifactDeobfuscation } from './artifact-deobfuscation.ts';
import { createArtifactLookups } from './artifact-lookups.ts';

/** What is known of uploaded files. Source: PostgreSQL. Every call is scoped by organization. */
export const createArtifactStore = (db: Kysely<Database>) => ({
  ...createArtifactChunks(db),
  ...createArtifactBundles(db),
  ...createArtifactLookups(db),
  ...createArtifactDeobfuscation(db),
});

export type ArtifactStore = ReturnType<typeof createArtifactStore>;
