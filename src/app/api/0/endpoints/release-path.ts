/** Part of a path that names a release; decoded by the framework. */
export type VersionParams = { version: string };

export const readVersion = ({ version }: VersionParams): string => version;
