import { hashSecret } from '#product/accounts/one-time-secret.ts';
import type { Services } from '#product/services.ts';

/** A program gives back what it was allowed, by one of its tokens. One that is unknown, or another program's, is left. */
export const endGrantByToken = ({ stores }: Pick<Services, 'stores'>, form: URLSearchParams): Promise<void> =>
  stores.oauth.endByToken(hashSecret(form.get('token') ?? ''), form.get('client_id') ?? '');
