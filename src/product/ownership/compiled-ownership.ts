import { type CompiledOwnership, compileOwnership } from '#pipeline/ownership/find-owners.ts';
import type { Ownership } from '#storage/ports/ownership.ts';

/** Sets of rules that are kept ready; the largest one takes a tenth of a second to compile, and a few MiB. */
const COMPILED_MAX = 8;

const compiled = new Map<string, CompiledOwnership>();

/** Rules made ready to be tried. The sets used last are remembered by what they say, so that none can be out of date. */
export function compiledOwnership(ownership: Ownership): CompiledOwnership {
  const { rules, codeowners, stackRoot, sourceRoot } = ownership;
  const key = JSON.stringify([rules, codeowners, stackRoot, sourceRoot]);
  const known = compiled.get(key) ?? compileOwnership(ownership);
  compiled.delete(key);
  compiled.set(key, known);
  const [oldest] = compiled.keys();
  if (compiled.size > COMPILED_MAX && oldest !== undefined) compiled.delete(oldest);
  return known;
}
