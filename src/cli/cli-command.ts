import type { ParseArgsOptionDescriptor } from 'node:util';
import type { BlobAddress } from '#lib/blob-address.ts';
import type { BackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import type { BackupParts } from '#product/backups/create-backup.ts';
import type { RestoreParts } from '#product/backups/restore-backup.ts';
import type { Stores } from '#product/stores.ts';
import type { EventSink } from '#product/transfer/event-sink.ts';
import type { ImportDeps } from '#product/transfer/import/import-organization.ts';
import type { UpgradeReport } from '#product/upgrades/upgrade-report.ts';
import type { ArtifactFileStore } from '#storage/ports/artifact-files.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import type { StoreDiagnosis } from '#storage/ports/diagnosis.ts';
import type { ForeignDatabase } from '#storage/ports/foreign-database.ts';

export type CliIo = {
  /** A line for standard output: what was asked for. */
  out: (line: string) => void;
  /** A line for standard error: what went wrong. */
  err: (line: string) => void;
};

/** What the composition root lends to the commands. */
export type CliDeps = {
  io: CliIo;
  /** Throws ErrataError 'unavailable' when no server is found. */
  connect: () => Promise<CliConnection>;
  /** Opens the stores of blobs and uploads at an address, which need not be the server's; null: the server's. */
  openFiles: (address: BlobAddress | null) => Promise<{ blobs: BlobStore; artifactFiles: ArtifactFileStore }>;
  /** `postgres://…`, or the path of a file of SQLite. Throws Invalid, and Unavailable when nothing answers. */
  openForeignDatabase: (address: string) => Promise<ForeignDatabase>;
  /** ERRATA_IMPORT_TOKEN; null when it is not set. */
  readImportToken: () => string | null;
  checkConfig: () => { ok: boolean; lines: readonly string[] };
  backups: CliBackups;
  upgrades: CliUpgrades;
};

export type CliUpgrades = {
  /** How far the server of the data directory is with an upgrade; null when none is under way. */
  describeRunning(): string | null;
  /** Looks at the data of the settings, whether a server runs on it or not, and changes nothing. Throws Unavailable. */
  check(): Promise<UpgradeReport>;
};

/** Backups need no running server, but for making one. */
export type CliBackups = {
  openFolder(folder: string): Promise<BackupTarget>;
  /** null: the operator has set none. Throws Invalid when it cannot be read. */
  readKeys(): BackupKeys | null;
  /** The data directory and the stores of the settings. Throws Conflict when something is there. */
  openRestorePlace(): Promise<RestorePlace>;
  /** A folder below `within`, or where temporary files go, with stores of its own. */
  openScratchPlace(within: string | null): Promise<RestorePlace>;
};

export type RestorePlace = {
  parts: RestoreParts;
  /** For people. */
  place: string;
  /** Addresses for `blobs migrate`, where the server reads files from a bucket, which nothing is restored into; else null. */
  filesMove: { from: string; to: string } | null;
  /** Stops its stores. What was restored stays when `isDone`, unless it is scratch, and is removed otherwise. */
  close(isDone: boolean): Promise<void>;
};

type CliOption = ParseArgsOptionDescriptor & {
  /** Placeholder of its value in the help; absent for a switch. */
  placeholder?: string;
  isRequired?: true;
  meaning: string;
};

/** What was written after the name of a command, checked against its declaration. */
export type CliInput = {
  positionals: readonly string[];
  /** The value of an option that takes one; undefined when absent. */
  option: (name: string) => string | undefined;
  isSet: (name: string) => boolean;
};

export type CliCommand = {
  /** One or two words: `dsn`, `project create`. */
  name: string;
  /** Names of what must or, in brackets, may follow: `<slug>`, `[project]`. */
  positionals: readonly string[];
  options: Readonly<Record<string, CliOption>>;
  summary: string;
  /** Resolves with the exit code. Throws UsageError, or ErrataError for what the instance refuses. */
  run: (input: CliInput, deps: CliDeps) => Promise<number>;
};

/** 2 is for what was written wrong, 3 for a server or store that is not reached. */
export const EXIT = { done: 0, failed: 1, usage: 2, unreached: 3 } as const;

/** The command was written wrong: its message names what, the caller adds how it is written. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** `errata dsn <project> [--org <slug>]` */
export function usageLine(command: CliCommand): string {
  const options = Object.entries(command.options).map(([name, { placeholder, isRequired }]) => {
    const option = placeholder ? `--${name} ${placeholder}` : `--${name}`;
    return isRequired ? option : `[${option}]`;
  });
  return ['errata', command.name, ...command.positionals, ...options].join(' ');
}

/** What a command reaches of the instance; the composition root makes it. */
export type CliConnection = {
  stores: Stores;
  /** Public address without a trailing slash, for links and DSNs. */
  publicUrl: string;
  /** The same server as this machine reaches it, without a trailing slash. */
  localUrl: string;
  /** For the details of its health; null when this machine does not have it. */
  metricsToken: string | null;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Asks both stores how they are. Throws Unavailable. */
  diagnoseStores(): Promise<readonly StoreDiagnosis[]>;
  /** What a backup is made of; `withSecrets` with what opens what is encrypted in the stores. */
  openBackupParts(options: { withSecrets: boolean }): BackupParts;
  /** Gives a quarantined record to digest again. Throws NotFound. */
  replayRecord(id: number): Promise<void>;
  /** Where imported events go. */
  openImportSink(): EventSink;
  /** In the settings of the command line, which may be others than those of the server. */
  hasMailServer: boolean;
  /** As the server sends mail; it is closed by who opened it. */
  openMailer(): NonNullable<ImportDeps['mailer']>;
  close(): Promise<void>;
};

export const ORG_OPTION: CliOption = {
  type: 'string',
  placeholder: '<slug>',
  meaning: 'The organization, if there is more than one',
};

export const JSON_OPTION: CliOption = { type: 'boolean', meaning: 'Print JSON' };
