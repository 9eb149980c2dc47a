import { cookies } from 'next/headers';

/** Puts `Set-Cookie` values into the answer of a server action. */
export async function applySetCookies(values: readonly string[]): Promise<void> {
  const jar = await cookies();
  for (const value of values) jar.set(parseSetCookie(value));
}

type Cookie = {
  name: string;
  value: string;
  path?: string;
  maxAge?: number;
  httpOnly: boolean;
  secure: boolean;
  sameSite?: 'lax' | 'strict' | 'none';
};

/** Source: RFC 6265, section 4.1. */
export function parseSetCookie(header: string): Cookie {
  const [pair = '', ...attributes] = header.split(';');
  const equals = pair.indexOf('=');
  const cookie: Cookie = {
    name: pair.slice(0, equals).trim(),
    // The framework encodes the value again.
    value: decodeURIComponent(pair.slice(equals + 1).trim()),
    httpOnly: false,
    secure: false,
  };
  for (const attribute of attributes) {
    const [name = '', value = ''] = attribute.trim().split('=');
    const key = name.toLowerCase();
    if (key === 'path') cookie.path = value;
    else if (key === 'max-age') cookie.maxAge = Number(value);
    else if (key === 'httponly') cookie.httpOnly = true;
    else if (key === 'secure') cookie.secure = true;
    else if (key === 'samesite') cookie.sameSite = value.toLowerCase() as Cookie['sameSite'];
  }
  return cookie;
}

/** An answer of 303 that nothing keeps; `location` is an address of another site, or a path of this one. */
export function redirectWithCookies(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}
