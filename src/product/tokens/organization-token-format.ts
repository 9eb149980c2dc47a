import { randomBytes } from 'node:crypto';

/**
 * Sentry's form of an organization's token, which its tools take apart to learn where to go: a prefix, the payload as
 * base64 of JSON, and the secret as base64 without padding.
 * Source: https://github.com/getsentry/rfcs/blob/main/text/0091-ci-upload-tokens.md
 */
export const ORGANIZATION_TOKEN_PREFIX = 'sntrys_';
const SECRET_BYTES = 32;
/** Longer ones cannot be ours. */
export const ORGANIZATION_TOKEN_CHARACTERS_MAX = 2_000;

export function formatOrganizationToken(payload: {
  nowMs: number;
  url: string;
  organization: string;
}): string {
  const { nowMs, url, organization } = payload;
  const json = JSON.stringify({ iat: nowMs / 1000, url, region_url: url, org: organization });
  const secret = randomBytes(SECRET_BYTES).toString('base64').replace(/=+$/, '');
  return `${ORGANIZATION_TOKEN_PREFIX}${Buffer.from(json).toString('base64')}_${secret}`;
}

export const looksLikeOrganizationToken = (text: string): boolean =>
  text.startsWith(ORGANIZATION_TOKEN_PREFIX) && text.length <= ORGANIZATION_TOKEN_CHARACTERS_MAX;
