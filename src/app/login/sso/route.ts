import { redirectWithCookies } from '#app/(account)/apply-set-cookies.ts';
import { safeNext } from '#app/return-path.ts';
import { isErrataError } from '#lib/errors.ts';
import { getServices } from '#product/services.ts';
import { beginSingleSignOn } from '#product/single-sign-on/own-identity.ts';

/** The button of the sign-in page: on to the identity provider. */
export async function GET(request: Request): Promise<Response> {
  // Only this site's own button, or an address that a person typed: another site must not sign somebody in.
  if (request.headers.get('sec-fetch-site') === 'cross-site') return redirectWithCookies('/login');
  const next = safeNext(new URL(request.url).searchParams.get('next'));
  try {
    const { url, cookies } = await beginSingleSignOn(getServices(), next);
    return redirectWithCookies(url, cookies);
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return redirectWithCookies(error.code === 'unavailable' ? '/login?sso=away' : '/login');
  }
}
