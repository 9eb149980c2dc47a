import { invalid } from '#lib/errors.ts';
import { createOneTimeSecret } from '#lib/one-time-secret.ts';
import { audited, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Services } from '#product/services.ts';
import { getProject } from '#product/visible-projects.ts';
import type { OpenFeedbackForm } from './feedback-form-store.ts';

/** `url` is where anybody can fill the form in; null while it is switched off. */
export type FeedbackForm = { url: string | null };

/** Throws NotFound. */
export async function getFeedbackForm(ctx: Context, projectSlug: string): Promise<FeedbackForm> {
  requireRight(ctx, 'project:read');
  const { id } = await getProject(ctx, projectSlug);
  return formAt(ctx, await ctx.stores.feedbackForms.find(id));
}

/**
 * Switches the form on, at a new address, or off: then its address leads nowhere for good. Throws NotFound, and Invalid for
 * the built-in project, which takes errors only.
 */
export async function updateFeedbackForm(
  ctx: Context,
  input: { projectSlug: string; isEnabled: boolean },
): Promise<FeedbackForm> {
  requireRight(ctx, 'project:write');
  const { isEnabled } = input;
  const project = await getProject(ctx, input.projectSlug);
  if (project.isInternal) throw invalid('This project accepts only errors: choose another project');
  const token = await audited(
    ctx,
    async ({ stores: { feedbackForms } }) => {
      if (isEnabled) await feedbackForms.add(project.id, createOneTimeSecret(), ctx.now());
      else await feedbackForms.remove(project.id);
      return await feedbackForms.find(project.id);
    },
    () => ({ action: 'project.feedback-form.edit', target: projectTarget(project), data: { isEnabled } }),
  );
  return formAt(ctx, token);
}

const formAt = ({ publicUrl }: Context, token: string | null): FeedbackForm => ({
  url: token === null ? null : `${publicUrl}/share/feedback/${token}`,
});

/** What the form at an address sends to; null when there is none, or its project has no active client key. */
export async function openFeedbackForm(
  { stores }: Pick<Services, 'stores'>,
  token: string,
): Promise<(OpenFeedbackForm & { publicKey: string }) | null> {
  const form = await stores.feedbackForms.open(token);
  return form && form.publicKey !== null ? { ...form, publicKey: form.publicKey } : null;
}
