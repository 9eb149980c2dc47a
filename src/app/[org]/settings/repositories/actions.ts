'use server';

import { z } from 'zod';
import { action, formAction } from '#app/forms/action.ts';
import { createRepository, deleteRepository, updateRepository } from '#product/repositories/repositories.ts';
import type { RepositoryProvider } from '#product/repositories/repository.ts';
import { REPOSITORY_FIELDS } from './repository-fields.ts';

const ID = z.number().int().positive();

/** Adds a repository, or changes the one with the ID. */
export const saveRepositoryAction = formAction({
  fields: REPOSITORY_FIELDS,
  place: ID.nullable(),
  save: async (ctx, { name, provider, url, linkTemplate }, repositoryId) => {
    const input = {
      name,
      // The verb knows the providers.
      provider: provider as RepositoryProvider,
      url: url || null,
      linkTemplate: linkTemplate || null,
    };
    if (repositoryId === null) await createRepository(ctx, input);
    else await updateRepository(ctx, { ...input, repositoryId });
    return null;
  },
});

export const deleteRepositoryAction = action({ input: ID, run: deleteRepository });
