/** What a file of a report is for. */
export type FileKind = 'minidump' | 'apple_crash_report' | 'log' | 'config' | 'context' | 'other';

const FIRST_BYTES: readonly [string, FileKind][] = [
  ['MDMP', 'minidump'],
  ['Incident Identifier:', 'apple_crash_report'],
];
/** How much of a file has to be seen. */
export const FILE_HEAD_BYTES = 32;

/** Source: `Unreal4FileType` in symbolic-unreal/src/container.rs. */
export function kindOfFile(name: string, head: Uint8Array): FileKind {
  if (name === 'CrashReportClient.ini') return 'config';
  if (name === 'CrashContext.runtime-xml') return 'context';
  if (name.endsWith('.log')) return 'log';
  const text = Buffer.from(head.subarray(0, FILE_HEAD_BYTES)).toString('latin1');
  return FIRST_BYTES.find(([start]) => text.startsWith(start))?.[1] ?? 'other';
}

/** How a file is attached to its event. Source: `expand_unreal_envelope` in relay-server/src/utils/unreal.rs. */
export const ATTACHMENT_OF_KIND: Readonly<Record<FileKind, { type: string; contentType: string }>> = {
  minidump: { type: 'event.minidump', contentType: 'application/x-dmp' },
  apple_crash_report: { type: 'event.applecrashreport', contentType: 'text/plain' },
  log: { type: 'unreal.logs', contentType: 'text/plain' },
  config: { type: 'event.attachment', contentType: 'text/plain' },
  context: { type: 'unreal.context', contentType: 'text/xml' },
  other: { type: 'event.attachment', contentType: 'application/octet-stream' },
};
