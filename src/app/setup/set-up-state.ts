export const SETUP_FIELDS = [
  'name',
  'email',
  'password',
  'organizationName',
  'organizationSlug',
  'projectSlug',
  'platform',
] as const;
export type SetUpField = (typeof SETUP_FIELDS)[number];

/** What was wrong with the last try, and where. */
export type SetUpState = { field: SetUpField | null; error: string | null };
