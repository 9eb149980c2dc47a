import { hashSecret } from '#product/accounts/one-time-secret.ts';
import type { Services } from '#product/services.ts';
import { isClientId } from './client-id.ts';

/** A program gives back what it was allowed, by one of its tokens. One that is unknown, or another program's, is left. */
export async function endGrantByToken(
  { stores }: Pick<Services, 'stores'>,
  form: URLSearchParams,
): Promise<void> {
  const clientId = form.get('client_id') ?? '';
  if (isClientId(clientId)) await stores.oauth.endByToken(hashSecret(form.get('token') ?? ''), clientId);
}
