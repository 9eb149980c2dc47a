import { formatPlural } from '#ui/format-number.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  failed:
    'Single sign-on was not completed. Start again, and finish it in this browser without interruption.',
  domain:
    'Email addresses from this domain cannot sign in here. Use a different address, or ask your administrator.',
  unverified: 'Your identity provider has not verified your email address. Verify it there, then try again.',
  unknown: 'No account here has this email address. Ask someone in your organization to invite you.',
  untrusted:
    'The account with this address has never verified it. Sign in with your password, then connect single sign-on under Security.',
  taken: 'This identity is already connected to another account. Disconnect it there first.',
  second:
    'This account is already connected to another identity. Sign in with that identity or with your password, and disconnect it under Security first.',
  away: 'Single sign-on is not responding. Try again later, or sign in with your password.',
  busy: 'Too many sign-in attempts. Wait a minute and try again.',
};

/** What went wrong with a single sign-on, by the code in the address; null for everything else. */
export const ssoMessage = (code: string | null | undefined): string | null =>
  code && Object.hasOwn(MESSAGES, code) ? (MESSAGES[code] ?? null) : null;

/** `3 personal tokens and 1 connected program`; empty when there is nothing. */
export const delegatedLabel = ({ tokens, programs }: { tokens: number; programs: number }): string =>
  [
    tokens === 0 ? [] : formatPlural(tokens, 'personal token'),
    programs === 0 ? [] : formatPlural(programs, 'connected program'),
  ]
    .flat()
    .join(' and ');
