import { redirectWithCookies } from '#app/(account)/apply-set-cookies.ts';
import { secondStepPath } from '#app/return-path.ts';
import { clientAddress } from '#lib/client-address.ts';
import { isErrataError } from '#lib/errors.ts';
import { getServices } from '#product/services.ts';
import { finishSingleSignOn } from '#product/single-sign-on/finish-single-sign-on.ts';

/** Where the identity provider sends the browser back to. */
export async function GET(request: Request): Promise<Response> {
  const services = getServices();
  const { headers } = request;
  const session = await services.stores.authenticator.findSession(headers);
  const fail = (reason: string) =>
    redirectWithCookies(session ? `/account/security?sso=${reason}` : `/login?sso=${reason}`);
  try {
    const query = new URL(request.url).searchParams;
    const outcome = await finishSingleSignOn(services, {
      query,
      headers,
      session,
      ipAddress: clientAddress(headers),
    });
    if (outcome.kind === 'refused') return fail(outcome.reason);
    const needsSecondStep = outcome.kind === 'signed_in' && outcome.needsSecondFactor;
    return redirectWithCookies(
      needsSecondStep ? secondStepPath(outcome.next) : outcome.next,
      outcome.cookies,
    );
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return fail(error.code === 'rate_limited' ? 'busy' : 'away');
  }
}
