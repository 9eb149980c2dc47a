'use server';

import { z } from 'zod';
import { action } from '#app/forms/action.ts';
import { deleteBundle } from '#product/artifacts/bundles.ts';
import { deleteDeobfuscationFile } from '#product/artifacts/deobfuscation-files.ts';

const ID = z.number().int().positive();

export const deleteUploadAction = action({
  input: z.strictObject({ bundleId: ID }),
  run: deleteBundle,
});

export const deleteMappingAction = action({
  input: z.strictObject({ projectSlug: z.string().max(100), fileId: ID }),
  run: deleteDeobfuscationFile,
});
