import { VERSION } from '#lib/version.ts';

/** Release of this app as its own errors name it. */
export const reportingRelease = (): string => `errata@${VERSION}`;

export const reportingEnvironment = (): string =>
  process.env.NODE_ENV === 'development' ? 'development' : 'production';
