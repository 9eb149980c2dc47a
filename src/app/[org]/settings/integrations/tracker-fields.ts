import { fields } from '#app/forms/fields.ts';

/** Their help depends on the kind of tracker; some kinds have no URL and no account to fill in. */
export const TRACKER_FIELDS = fields({
  name: { kind: 'text', label: 'Name', help: 'Shown to people in Errata.', isOptional: true, max: 100 },
  url: { kind: 'text', label: 'URL', isOptional: true },
  login: { kind: 'text', label: 'Account', isOptional: true, max: 200 },
  token: { kind: 'secret', label: 'Token', isOptional: true },
});

export const HOOK_SECRET_FIELDS = fields({ hookSecret: { kind: 'secret', label: 'Signing secret' } });
