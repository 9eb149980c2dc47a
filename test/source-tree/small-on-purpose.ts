/**
 * Files under 30 lines with a single importer whose name is a concept of its own, each with the reason. A family is one
 * entry: its members stand side by side, and a new one is found by looking at the folder.
 */
export const SMALL_ON_PURPOSE: readonly { files: RegExp; reason: string }[] = [
  { files: /^mcp\/tools\/whoami\.ts$/, reason: 'the tool that an agent calls first' },
];
