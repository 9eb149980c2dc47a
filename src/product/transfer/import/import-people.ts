import { type Mailer, NO_MAIL_SERVER } from '#delivery/ports/mailer.ts';
import type { Context } from '#product/context.ts';
import { inviteMember } from '#product/invitations/invitations.ts';
import { createTeam } from '#product/teams/teams.ts';
import { giveOnce } from './give-once.ts';
import { note } from './import-report.ts';
import { type ImportState, userOf } from './import-state.ts';
import type { RecordImporter } from './record-importer.ts';

/** Sends nothing: people are told when somebody resends their invitations. */
const NO_MAIL: Mailer = {
  isConfigured: false,
  send: async () => ({ kind: 'not_sent', reason: NO_MAIL_SERVER, isFinal: true }),
  close() {},
};

/** Who is not a member gets an invitation, without a mail. */
export const memberImporter: RecordImporter<'member'> = {
  idOf: ({ id }) => id,
  nameOf: ({ email }) => email,
  async find(ctx, state, { email }) {
    const userId = userOf(state, email);
    if (userId !== null) return userId;
    const invited = (await ctx.stores.invitations.list(ctx.organization.id)).find(
      (one) => one.email.toLowerCase() === email.toLowerCase(),
    );
    return invited ? `invitation ${invited.id}` : null;
  },
  async create(ctx, state, { id, email, role }) {
    const { invitation } = await inviteMember(ctx, mailerOf(state), { email, role, teams: [] });
    note(state.report, {
      kind: 'member',
      id,
      name: email,
      result: 'created',
      reason: 'They are invited; import again once they have joined, to assign to them what was theirs',
    });
    return `invitation ${invitation.id}`;
  },
};

const mailerOf = (state: ImportState): Mailer => state.mailer ?? NO_MAIL;

export const teamImporter: RecordImporter<'team'> = {
  idOf: ({ id }) => id,
  nameOf: ({ slug }) => slug,
  async find(ctx, _state, { slug }) {
    const found = (await ctx.stores.teams.list(ctx.organization.id)).find((team) => team.slug === slug);
    return found ? String(found.id) : null;
  },
  async create(ctx, _state, { slug, name }) {
    return String((await createTeam(ctx, { slug, name })).id);
  },
  async settle(ctx, state, { id, members }, target) {
    const teamId = target === null ? null : Number(target);
    state.teams.set(id, teamId);
    if (ctx === null || teamId === null || state.isDryRun) return;
    await addMembers(ctx, state, { id, teamId }, members);
  },
};

/** Those who are members; the others follow with another import. */
async function addMembers(
  ctx: Context,
  state: ImportState,
  team: { id: string; teamId: number },
  emails: readonly string[],
): Promise<void> {
  const userIds = emails.flatMap((email) => userOf(state, email) ?? []);
  await giveOnce(ctx, state, 'team_member', team.id, userIds, async (userId) => {
    await ctx.stores.teams.setMember(ctx.organization.id, team.teamId, userId, true);
    return true;
  });
}
