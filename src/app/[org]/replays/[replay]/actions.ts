'use server';

import { z } from 'zod';
import type { Answer } from '#app/forms/submit-form.ts';
import { getRequestContext } from '#app/request-context.ts';
import { deleteReplay } from '#product/replays/delete-replay.ts';
import { attempt } from '../../issues/attempt.ts';

const INPUT = z.object({
  organizationSlug: z.string().max(50),
  projectSlug: z.string().max(50),
  replayId: z.string().max(64),
});

/** The page of the replay is gone afterwards: whoever calls leads away from it. */
export async function deleteReplayAction(input: z.input<typeof INPUT>): Promise<Answer<null>> {
  const { organizationSlug, projectSlug, replayId } = INPUT.parse(input);
  const ctx = await getRequestContext(organizationSlug);
  return await attempt(organizationSlug, async () => {
    await deleteReplay(ctx, { projectSlug, replayId });
    return null;
  });
}
