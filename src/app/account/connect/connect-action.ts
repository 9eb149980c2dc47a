'use server';

import { answeringForm, getSelf } from '#app/account/own-account.ts';
import { getRequestContext } from '#app/request-context.ts';
import { connectProgram, denyAuthorization, readAuthorization } from '#product/oauth/authorization.ts';

export type ConnectState = {
  /** A sentence; null: nothing is wrong. */
  error: string | null;
  /** Where to redirect once the person decided; null before. */
  redirectTo: string | null;
};

/** Grants or denies what an app requested. The request is parsed again, since the page cannot be trusted. */
export async function connectAction(
  query: string,
  _previous: ConnectState,
  form: FormData,
): Promise<ConnectState> {
  let redirectTo: string | null = null;
  const { error } = await answeringForm(async () => {
    const self = await getSelf();
    const read = await readAuthorization(self, new URLSearchParams(query));
    if (read.kind === 'refused') redirectTo = read.redirectTo;
    else if (form.get('decision') === 'deny') {
      redirectTo = denyAuthorization(read.authorization, self.publicUrl);
    } else {
      const ctx = await getRequestContext(String(form.get('organization') ?? ''));
      redirectTo = await connectProgram(self, ctx, read.authorization, {
        readsOnly: form.get('rights') !== 'write',
      });
    }
    return '';
  });
  return { error, redirectTo };
}
