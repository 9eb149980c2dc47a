import type { Services } from '#product/services.ts';
import type { SignInResult } from '#storage/ports/authenticator.ts';

/** The Set-Cookie values of a new session; null when e-mail or password is wrong. Throws RateLimited when throttled. */
export async function signIn(
  { stores }: Pick<Services, 'stores'>,
  input: { email: string; password: string; headers: Headers },
): Promise<SignInResult | null> {
  if (input.email.trim() === '' || input.password === '') return null;
  return stores.authenticator.signIn(input);
}
