'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { applySetCookies } from '#app/(account)/apply-set-cookies.ts';
import { isErrataError } from '#lib/errors.ts';
import { checkSetupToken, findSetUpProblems, setUpInstance } from '#product/accounts/set-up-instance.ts';
import { signIn } from '#product/accounts/sign-in.ts';
import { getServices } from '#product/services.ts';
import type { SetUpState } from './set-up-state.ts';

export async function setUpAction(_previous: SetUpState, form: FormData): Promise<SetUpState> {
  const text = (field: string) => String(form.get(field) ?? '');
  const services = getServices();
  const account = { email: text('email'), password: text('password') };
  const input = {
    ...account,
    token: text('token'),
    name: text('name'),
    organizationName: text('organizationName'),
    organizationSlug: text('organizationSlug').trim(),
    projectName: text('projectName'),
    projectSlug: text('projectSlug').trim(),
    platform: text('platform') || null,
  };
  const gate = await checkSetupToken(services.stores, input.token, services.now());
  const problems = gate === 'open' ? await findSetUpProblems(input) : {};
  if (Object.keys(problems).length > 0) return { problems, error: null };
  let target: string;
  try {
    const { organization, project } = await setUpInstance(services, input);
    target = `/${organization.slug}/projects/${project.slug}/getting-started`;
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return { problems: {}, error: `${error.message}.` };
  }
  const signedIn = await signIn(services, { ...account, headers: await headers() });
  if (signedIn) await applySetCookies(signedIn.cookies);
  redirect(target);
}
