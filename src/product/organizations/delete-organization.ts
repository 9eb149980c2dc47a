import { conflict, forbidden, invalid, notFound } from '#lib/errors.ts';
import { type Context, inTransaction } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';

/**
 * Deletes the organization with its projects, issues, members' roles, tokens and settings at once, and everything that it
 * has stored within minutes; accounts stay. `confirmation` is its slug, typed once more. Throws Invalid when it is not,
 * Conflict for the organization that holds the instance's own project.
 */
export async function deleteOrganization(ctx: Context, input: { confirmation: string }): Promise<void> {
  requireRight(ctx, 'org:admin');
  if (ctx.actor.kind !== 'user')
    throw forbidden('Only a signed-in owner can delete an organization: sign in');
  const { id, slug } = ctx.organization;
  if (input.confirmation.trim() !== slug) {
    throw invalid(`Type the slug ${slug} to delete the organization`, 'confirmation');
  }
  const own = await ctx.stores.projects.listProjects(id);
  if (own.some(({ isInternal }) => isInternal)) {
    throw conflict(
      `${slug} holds the project of Errata's own errors, and belongs to the instance: to be rid of it, stop the server and delete its data directory`,
    );
  }
  // Its audit log goes with it, so there is no entry to keep.
  await inTransaction(ctx, async ({ stores }) => {
    await stores.projectDeletions.deleteAllProjects(id, ctx.now());
    if (!(await stores.organizations.delete(id))) throw notFound(`The organization ${slug} is gone already`);
  });
}
