export type BackupTargetWriter = {
  write(chunk: Uint8Array): Promise<void>;
  /** Durable under its name when it resolves; a file that is there already stays. */
  finish(name: string): Promise<void>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
};

export type BackupTargetFile = {
  name: string;
  bytes: number;
};

/**
 * Where backups lie: files by name, written once. Names are paths of lower-case letters, digits, dots, dashes and slashes.
 * Source: a folder.
 */
export interface BackupTarget {
  /** For people. */
  readonly place: string;
  create(): Promise<BackupTargetWriter>;
  /** null when there is no such file. */
  open(name: string): Promise<AsyncIterable<Buffer> | null>;
  /** Everything where backups lie, also what does not belong there, sorted by name. Throws Unavailable when it cannot be read. */
  list(): Promise<readonly BackupTargetFile[]>;
  /** Nothing when it is not there. */
  delete(name: string): Promise<void>;
  /** Throws ErrataError 'conflict' while another process writes or prunes. */
  lock(): Promise<{ release(): Promise<void> }>;
}
