'use server';

import { z } from 'zod';
import { action, formAction } from '#app/forms/action.ts';
import { invalid } from '#lib/errors.ts';
import {
  deleteCodeMapping,
  saveCodeMapping,
  updateCodeMapping,
} from '#product/code-mappings/code-mappings.ts';
import { MAPPING_FIELDS } from './mapping-fields.ts';

const ID = z.number().int().positive();

/** Creates a code mapping, or changes the one with the ID. */
export const saveMappingAction = formAction({
  fields: MAPPING_FIELDS,
  place: z.strictObject({ projectSlug: z.string().max(100), mappingId: ID.nullable() }),
  save: async (ctx, fields, { projectSlug, mappingId }) => {
    const repositoryId = Number(fields.repositoryId);
    if (!ID.safeParse(repositoryId).success) throw invalid('Choose a repository', 'repositoryId');
    const input = { ...fields, repositoryId, projectSlug };
    if (mappingId === null) await saveCodeMapping(ctx, input);
    else await updateCodeMapping(ctx, { ...input, mappingId });
    return null;
  },
});

export const deleteCodeMappingAction = action({ input: ID, run: deleteCodeMapping });
