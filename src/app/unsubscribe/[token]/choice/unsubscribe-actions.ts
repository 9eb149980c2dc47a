'use server';

import { revalidatePath } from 'next/cache';
import { undoUnsubscribe, unsubscribe } from '#product/notifications/unsubscribe.ts';
import { getServices } from '#product/services.ts';

/** Switches off what the link of a mail is about. A link that opens nothing any more shows so on its page. */
export async function unsubscribeAction(token: string): Promise<void> {
  await unsubscribe(getServices(), token);
  revalidatePath('/unsubscribe/[token]/choice', 'page');
}

/** Switches it on again. */
export async function undoUnsubscribeAction(token: string): Promise<void> {
  await undoUnsubscribe(getServices(), token);
  revalidatePath('/unsubscribe/[token]/choice', 'page');
}
