import type { Context } from '#product/context.ts';
import type { OwnerReference } from '#protocol/ownership.ts';
import type { Member } from '#storage/ports/accounts.ts';
import type { Team } from '#storage/ports/teams.ts';

/** A person or a team that a rule names. */
export type Owner =
  | { kind: 'user'; userId: string; name: string; email: string }
  | { kind: 'team'; teamId: number; slug: string; name: string };

export type OwnerDirectory = { members: readonly Member[]; teams: readonly Team[] };

export async function loadOwnerDirectory(ctx: Context): Promise<OwnerDirectory> {
  const [members, teams] = await Promise.all([
    ctx.stores.accounts.listMembers(ctx.organization.id),
    ctx.stores.teams.list(ctx.organization.id),
  ]);
  return { members, teams };
}

/**
 * Who is meant; null when the organization has nobody of that name. A handle is what stands before the `@` of a member's
 * address, or their name without spaces.
 */
export function resolveOwner({ members, teams }: OwnerDirectory, reference: OwnerReference): Owner | null {
  if (reference.kind === 'team') {
    const team = teams.find(({ slug }) => slug === reference.slug);
    return team ? { kind: 'team', teamId: team.id, slug: team.slug, name: team.name } : null;
  }
  const member = members.find((candidate) =>
    reference.kind === 'email'
      ? candidate.email.toLowerCase() === reference.email
      : handlesOf(candidate).includes(reference.handle),
  );
  return member ? { kind: 'user', userId: member.id, name: member.name, email: member.email } : null;
}

function handlesOf({ email, name }: Member): readonly string[] {
  return [email.split('@')[0] ?? '', name.replaceAll(' ', '')].map((handle) => handle.toLowerCase());
}

/** As rules name it. */
export function describeReference(reference: OwnerReference): string {
  if (reference.kind === 'team') return `#${reference.slug}`;
  return reference.kind === 'email' ? reference.email : `@${reference.handle}`;
}
