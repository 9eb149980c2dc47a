import { invalid } from '#lib/errors.ts';

const NAME_CHARACTERS_MAX = 200;
const PLATFORM_CHARACTERS_MAX = 64;

/** The name without space around it; null when nothing is left. Throws Invalid for a long one. */
export function checkProjectName(name: string | undefined): string | null {
  const trimmed = name?.trim() ?? '';
  if (trimmed.length > NAME_CHARACTERS_MAX) {
    throw invalid(`A project's name has at most ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  return trimmed === '' ? null : trimmed;
}

/** null for none. Throws Invalid for what is no name of a platform. */
export function checkPlatform(platform: string | null): string | null {
  if (platform === null || platform === '') return null;
  if (platform.length > PLATFORM_CHARACTERS_MAX || !/^[a-z0-9][a-z0-9._-]*$/.test(platform)) {
    throw invalid('A platform is a name like "python" or "javascript-nextjs"', 'platform');
  }
  return platform;
}
