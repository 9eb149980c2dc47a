import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { readIssueSearch } from '#product/search/read-issue-search.ts';
import { openScope } from '#product/search/search-scope.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { SavedSearchInput } from '#storage/ports/saved-searches.ts';

const NAME_CHARACTERS_MAX = 100;

/** The input with its name trimmed. Throws Invalid for a name that is none, or a search that cannot be read. */
export async function checkSavedSearch<Input extends Partial<SavedSearchInput>>(
  ctx: Context,
  input: Input,
): Promise<Input> {
  const name = input.name?.trim();
  if (name !== undefined && (name === '' || name.length > NAME_CHARACTERS_MAX)) {
    throw invalid(`A saved search needs a name of 1 to ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  if (input.query !== undefined) {
    await readIssueSearch(input.query, openScope(ctx, await listVisibleProjects(ctx)));
  }
  return name === undefined ? input : { ...input, name };
}
