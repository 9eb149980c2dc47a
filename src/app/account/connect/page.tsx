import type { Metadata } from 'next';
import { AccountFrame } from '#app/(account)/account-frame.tsx';
import { getSelf } from '#app/account/own-account.ts';
import { isErrataError } from '#lib/errors.ts';
import { listUserOrganizations } from '#product/accounts/resolve-user-context.ts';
import { type ReadAuthorization, readAuthorization } from '#product/oauth/authorization.ts';
import { describeRedirect } from '#product/oauth/redirect-uri.ts';
import type { Services } from '#product/services.ts';
import { buttonClass } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { ConnectForm } from './connect-form.tsx';

export const metadata: Metadata = {
  title: 'Connect an app',
  robots: { index: false },
};

export default async function ConnectPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const self = await getSelf();
  const parameters = toParameters(await searchParams);
  const read = await readOrProblem(self, parameters);
  if (read.kind === 'problem') {
    return (
      <AccountFrame title="This app cannot be connected" description={`${read.problem}.`}>
        <ButtonLink href="/account/tokens">Go to your tokens</ButtonLink>
      </AccountFrame>
    );
  }
  if (read.kind === 'refused') {
    return (
      <AccountFrame
        title="This app cannot be connected"
        description={`Its request is not supported: ${read.problem}.`}
      >
        <p className="mb-4 text-sm text-text-muted">
          To return to the app, continue to{' '}
          <bdi className="break-anything font-medium text-text">{describeRedirect(read.redirectUri)}</bdi>.
        </p>
        <a href={read.redirectTo} className={buttonClass({ size: 'lg' })}>
          Go back to the app
        </a>
      </AccountFrame>
    );
  }
  const { client, scopes, redirectUri } = read.authorization;
  const organizations = await listUserOrganizations(self, self.session.userId);
  if (organizations.length === 0) {
    return (
      <AccountFrame
        title="You are not in an organization"
        description="Apps are connected to an organization. Ask someone to invite you to theirs, then connect the app."
      >
        <ButtonLink href="/account">Go to your profile</ButtonLink>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame
      title="Connect an app?"
      description={
        <>
          An app that calls itself <bdi className="break-anything font-medium text-text">{client.name}</bdi>{' '}
          wants to use Errata as you (<bdi>{self.session.email}</bdi>). Connect it only if you just asked it
          to.
        </>
      }
    >
      <ConnectForm
        query={parameters.toString()}
        returnsTo={describeRedirect(redirectUri)}
        organizations={organizations.map(({ slug, name }) => ({ slug, name }))}
        canWrite={scopes.includes('event:write')}
      />
    </AccountFrame>
  );
}

async function readOrProblem(
  services: Pick<Services, 'stores' | 'publicUrl'>,
  parameters: URLSearchParams,
): Promise<ReadAuthorization | { kind: 'problem'; problem: string }> {
  try {
    return await readAuthorization(services, parameters);
  } catch (error) {
    if (isErrataError(error) && error.code === 'invalid') return { kind: 'problem', problem: error.message };
    throw error;
  }
}

/** The query of a page as parameters; of what was given twice the first counts. */
function toParameters(query: Readonly<Record<string, string | string[] | undefined>>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return first === undefined ? [] : [[name, first]];
    }),
  );
}
