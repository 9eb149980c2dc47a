import { revalidatePath } from 'next/cache';
import { type Answer, answerOf } from '#app/forms/submit-form.ts';

/** Changes something of an organization and then shows its pages anew; a refusal that people can correct is answered. */
export async function attempt<Value>(
  organizationSlug: string,
  change: () => Promise<Value>,
): Promise<Answer<Value>> {
  const answer = await answerOf(change);
  if (answer.ok) revalidatePath(`/${organizationSlug}`, 'layout');
  return answer;
}
