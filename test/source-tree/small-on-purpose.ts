/**
 * Files under 30 lines with a single importer whose name is a concept of its own, each with the reason. A family is one
 * entry: its members stand side by side, and a new one is found by looking at the folder.
 */
export const SMALL_ON_PURPOSE: readonly { files: RegExp; reason: string }[] = [
  { files: /^cli\/commands\/[^/]+\.ts$/, reason: 'one file for each command' },
  { files: /^mcp\/tools\/[^/]+\.ts$/, reason: 'one file for each tool' },
  { files: /^pipeline\/[^/]+\/digest-[^/]+\.ts$/, reason: 'one file for each item type of the envelope' },
];
