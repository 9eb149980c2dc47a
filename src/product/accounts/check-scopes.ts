import { invalid } from '#lib/errors.ts';
import { isScope, SCOPES, type Scope } from '#protocol/scopes.ts';

/** The named scopes, each once, in the order of the list. Throws Invalid for a name that is no scope, or for none. */
export function checkScopes(names: readonly string[]): readonly Scope[] {
  if (names.length === 0) throw invalid('Name at least one scope, for example event:read', 'scopes');
  for (const name of names) {
    if (!isScope(name))
      throw invalid(`"${name}" is not a scope: choose among ${SCOPES.join(', ')}`, 'scopes');
  }
  return SCOPES.filter((scope) => names.includes(scope));
}
