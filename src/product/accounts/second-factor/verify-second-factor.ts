import { invalid } from '#lib/errors.ts';
import type { Services } from '#product/services.ts';
import { WRONG_CODE } from './set-up-second-factor.ts';

/**
 * The second step of a sign-in: the cookies of the session. Throws Invalid for a wrong code, Unauthorized when the
 * first step is too long ago, RateLimited.
 */
export async function verifySecondFactor(
  { stores }: Pick<Services, 'stores'>,
  input: { kind: 'app' | 'recovery'; code: string; trustsBrowser: boolean; headers: Headers },
): Promise<readonly string[]> {
  const cookies = await stores.authenticator.secondFactor.verify(input);
  if (cookies) return cookies;
  throw invalid(
    input.kind === 'app' ? WRONG_CODE : 'This recovery code is wrong or was used already',
    'code',
  );
}
