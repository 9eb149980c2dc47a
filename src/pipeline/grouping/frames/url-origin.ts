const WEB_SCHEMES = ['http:', 'https:', 'applewebdata:', 'blob:'] as const;

/** Whether code at that path came over the web, so that the path says where it was served and not what it is. */
export const isWebPath = (path: string | null | undefined): boolean =>
  Boolean(path) && WEB_SCHEMES.some((scheme) => path?.startsWith(scheme));

/** The same, where a page opened from a disk counts as well. */
export const isWebOrFilePath = (path: string | null | undefined): boolean =>
  isWebPath(path) || Boolean(path?.startsWith('file:'));
