import { ADMIN } from './start-errata.ts';

const decode = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** The hidden fields of a page's form, as a browser without scripts sends them. */
export function readHiddenFields(html: string): FormData {
  const form = new FormData();
  for (const [input] of html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    if (name) form.set(decode(name), decode(/value="([^"]*)"/.exec(input)?.[1] ?? ''));
  }
  return form;
}

/** Signs in as a browser without scripts does: the answer to the form, unfollowed. */
export async function postSignIn(url: string, credentials: typeof ADMIN = ADMIN): Promise<Response> {
  const form = readHiddenFields(await (await fetch(`${url}/login`)).text());
  form.set('email', credentials.email);
  form.set('password', credentials.password);
  return fetch(`${url}/login`, { method: 'POST', body: form, redirect: 'manual', headers: { origin: url } });
}

/** The `Cookie` header of whoever got this answer. */
export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
