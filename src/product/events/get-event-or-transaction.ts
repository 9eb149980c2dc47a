import type { Issue } from '#domain/issues/issue.ts';
import { isErrataError } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getTransaction, type TransactionWithSpans } from '#product/transactions/get-transaction.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { getEvent } from './get-event.ts';

/** Errors and transactions share their ids. Throws NotFound when the project has neither. */
export async function getEventOrTransaction(
  ctx: Context,
  input: { projectSlug: string; eventId: string },
): Promise<{ event: StoredEvent; issue: Issue | null } | TransactionWithSpans> {
  try {
    return await getEvent(ctx, input);
  } catch (error) {
    if (!isErrataError(error) || error.code !== 'not_found') throw error;
    const found = await getTransaction(ctx, input).catch(ignoreNotFound);
    if (!found) throw error;
    return found;
  }
}

function ignoreNotFound(error: unknown): null {
  if (isErrataError(error) && error.code === 'not_found') return null;
  throw error;
}
