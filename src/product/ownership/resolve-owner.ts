import type { Member } from '#domain/people.ts';
import { type CompiledOwnership, compileOwnership } from '#pipeline/ownership/find-owners.ts';
import type { Context } from '#product/context.ts';
import type { Team } from '#product/teams/team-store.ts';
import type { OwnerReference } from '#protocol/ownership.ts';
import type { Ownership } from './ownership-store.ts';

/** A person or a team that a rule names. */
export type Owner =
  | { kind: 'user'; userId: string; name: string; email: string }
  | { kind: 'team'; teamId: number; slug: string; name: string };

/** Who can be named, by what they are named by; keys in lower case. */
export type OwnerDirectory = {
  teams: ReadonlyMap<string, Owner>;
  emails: ReadonlyMap<string, Owner>;
  handles: ReadonlyMap<string, Owner>;
};

export async function loadOwnerDirectory(ctx: Context): Promise<OwnerDirectory> {
  const [members, teams] = await Promise.all([
    ctx.stores.accounts.listMembers(ctx.organization.id),
    ctx.stores.teams.list(ctx.organization.id),
  ]);
  return makeOwnerDirectory(members, teams);
}

/** Where two members have the same handle, it is the first one's. */
export function makeOwnerDirectory(
  members: readonly Pick<Member, 'id' | 'name' | 'email'>[],
  teams: readonly Pick<Team, 'id' | 'slug' | 'name'>[],
): OwnerDirectory {
  const emails = new Map<string, Owner>();
  const handles = new Map<string, Owner>();
  for (const { id, name, email } of members) {
    const owner: Owner = { kind: 'user', userId: id, name, email };
    addFirst(emails, email.toLowerCase(), owner);
    for (const handle of [email.split('@')[0] ?? '', name.replaceAll(' ', '')]) {
      addFirst(handles, handle.toLowerCase(), owner);
    }
  }
  const named = teams.map(({ id, slug, name }) => [slug, { kind: 'team', teamId: id, slug, name }] as const);
  return { teams: new Map<string, Owner>(named), emails, handles };
}

function addFirst(owners: Map<string, Owner>, key: string, owner: Owner): void {
  if (!owners.has(key)) owners.set(key, owner);
}

/**
 * Who is meant; null when the organization has nobody of that name. A handle is what stands before the `@` of a member's
 * address, or their name without spaces.
 */
export function resolveOwner(directory: OwnerDirectory, reference: OwnerReference): Owner | null {
  switch (reference.kind) {
    case 'team':
      return directory.teams.get(reference.slug) ?? null;
    case 'email':
      return directory.emails.get(reference.email) ?? null;
    case 'handle':
      return directory.handles.get(reference.handle) ?? null;
  }
}

/** As rules name it. */
export function describeReference(reference: OwnerReference): string {
  if (reference.kind === 'team') return `#${reference.slug}`;
  return reference.kind === 'email' ? reference.email : `@${reference.handle}`;
}

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
