const WORDS: Readonly<Record<string, string>> = {
  failed: 'The single sign-on was not finished: try again, in one go and in this browser.',
  domain: 'Addresses of this domain may not sign in here: use another one, or ask whoever runs this server.',
  unverified:
    'The single sign-on does not say that your e-mail address is yours: confirm it there, then try again.',
  unknown: 'Nobody here has this e-mail address: ask somebody of your organization to invite you.',
  untrusted:
    'The account with this address has never confirmed it: sign in with the password, then connect it under Security.',
  taken: 'This identity opens another account already: disconnect it there first.',
  second:
    'Another identity opens this account already: sign in with it or with your password, and disconnect it under Security first.',
  away: 'The single sign-on does not answer: try again later, or sign in with your password.',
  busy: 'Too many sign-in tries: wait a minute and try again.',
};

/** What went wrong with a single sign-on, by the code in the address; null for everything else. */
export const ssoWords = (code: string | null | undefined): string | null =>
  code && Object.hasOwn(WORDS, code) ? (WORDS[code] ?? null) : null;

/** `3 personal tokens and 1 connected program`; empty when there is nothing. */
export function delegatedWords({ tokens, programs }: { tokens: number; programs: number }): string {
  const parts = [
    tokens === 0 ? '' : `${tokens} personal ${tokens === 1 ? 'token' : 'tokens'}`,
    programs === 0 ? '' : `${programs} connected ${programs === 1 ? 'program' : 'programs'}`,
  ];
  return parts.filter((part) => part !== '').join(' and ');
}
