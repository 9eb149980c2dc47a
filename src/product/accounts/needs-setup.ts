import type { WebServices } from '#storage/ports/stores.ts';

/** Whether nobody owns this instance yet. */
export async function needsSetup(stores: Pick<WebServices, 'accounts'>): Promise<boolean> {
  return (await stores.accounts.findInstanceOwner()) === null;
}
