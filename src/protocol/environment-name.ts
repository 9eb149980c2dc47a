const CHARACTERS_MAX = 64;

export const ENVIRONMENT_EXPECTED = 'at most 64 characters, no line break, no slash, and not "none"';

/** Whether an environment can be called so. Source: Relay's rules for the field. */
export const isEnvironmentName = (name: string): boolean =>
  name.length <= CHARACTERS_MAX && !/[/\p{Cc}]/u.test(name) && name.toLowerCase() !== 'none';
