import { type FormInput, fields } from '#app/forms/fields.ts';
import type { TokenDays } from '#product/tokens/organization-tokens.ts';
import { formatUtcDay } from '#ui/format-time.ts';

const NO_EXPIRY = 'never';
export const CUSTOM_DAYS = 'custom';

/** When a new token expires. `customDays` counts when `days` says so. */
export const TOKEN_EXPIRY_FIELDS = fields({
  days: {
    kind: 'choice',
    label: 'Expires after',
    options: [
      { value: '7', label: '7 days' },
      { value: '30', label: '30 days' },
      { value: '60', label: '60 days' },
      { value: '90', label: '90 days' },
      { value: '365', label: '1 year' },
      { value: CUSTOM_DAYS, label: 'Custom' },
      { value: NO_EXPIRY, label: 'No expiration' },
    ],
  },
  customDays: { kind: 'text', label: 'Days', isOptional: true, max: 9 },
});

export const isWithoutExpiry = (days: string): boolean => days === NO_EXPIRY;

/** What the fields of a new token say; NaN for what is no number. */
export function tokenDays({ days, customDays }: FormInput<typeof TOKEN_EXPIRY_FIELDS>): TokenDays {
  if (isWithoutExpiry(days)) return null;
  const text = days === CUSTOM_DAYS ? customDays : days;
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

type Expiring = { expiresAt: number | null };

export const isExpired = ({ expiresAt }: Expiring, nowMs: number): boolean =>
  expiresAt !== null && expiresAt <= nowMs;

/** `expires 2026-11-30`, `does not expire`. */
export function expiryLabel({ expiresAt }: Expiring, nowMs: number): string {
  if (expiresAt === null) return 'does not expire';
  return `${expiresAt <= nowMs ? 'expired' : 'expires'} ${formatUtcDay(expiresAt)}`;
}
