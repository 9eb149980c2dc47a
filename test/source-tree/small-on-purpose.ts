/**
 * Files under 30 lines with a single importer whose name is a concept of its own, each with the reason. A family is one
 * entry: its members stand side by side, and a new one is found by looking at the folder.
 */
export const SMALL_ON_PURPOSE: readonly { files: RegExp; reason: string }[] = [
  { files: /^cli\/commands\//, reason: 'a command of the command line each' },
  { files: /^jobs\/[a-z-]+-worker\.ts$/, reason: 'a worker each' },
  { files: /^storage\/foreign\/open-foreign-database\.ts$/, reason: 'the door of an adapter' },
  { files: /^storage\/s3\/open-s3-file-stores\.ts$/, reason: 'the door of an adapter' },
  {
    files: /^storage\/spool-files\/read-oldest-waiting\.ts$/,
    reason: 'the door for processes beside digest',
  },
  { files: /^storage\/postgres\/upgrade-lock\.ts$/, reason: 'only an adapter opens a connection' },
  {
    files: /^product\/transfer\/import\/kept-cursor\.ts$/,
    reason: 'how a cursor is kept, beside a long importer',
  },
  { files: /^mcp\/tools\/whoami\.ts$/, reason: 'the tool that an agent calls first' },
];
