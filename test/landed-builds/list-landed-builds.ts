import { existsSync } from 'node:fs';
import path from 'node:path';

export const BUILDS_FOLDER = path.join(import.meta.dirname, '../fixtures/builds');

/** A build that changed the schema, with the migrations that it added. */
export type LandedBuild = {
  name: string;
  postgres: readonly number[];
  clickhouse: readonly number[];
};

/** All of them, oldest first, as they came into the repository; migrations of one day often came out of order. */
export const LANDED_BUILDS: readonly LandedBuild[] = [
  { name: '00-2026-11-21', postgres: [1, 2], clickhouse: [1] },
  { name: '01-2026-11-21', postgres: [3, 4], clickhouse: [2, 3] },
  { name: '02-2026-11-22', postgres: [5, 6, 7, 8], clickhouse: [4, 5] },
  { name: '03-2026-11-22', postgres: [9, 10], clickhouse: [6] },
  { name: '04-2026-11-22', postgres: [11, 12, 13], clickhouse: [7] },
  { name: '05-2026-11-22', postgres: [14, 15, 16], clickhouse: [] },
  { name: '06-0.1.0', postgres: [17, 18], clickhouse: [] },
  { name: '07-2026-11-24', postgres: [19], clickhouse: [] },
  { name: '08-2026-11-26', postgres: [], clickhouse: [8] },
  { name: '09-2026-11-27', postgres: [22], clickhouse: [] },
  { name: '10-2026-11-27', postgres: [], clickhouse: [9] },
  { name: '11-2026-11-27', postgres: [27], clickhouse: [] },
  { name: '12-2026-11-27', postgres: [23, 24, 26], clickhouse: [11, 12] },
  { name: '13-2026-11-27', postgres: [28, 29, 30, 33], clickhouse: [14] },
  { name: '14-2026-11-27', postgres: [34, 35, 36, 37], clickhouse: [15, 16] },
];

export const fileOf = ({ name }: LandedBuild): string => path.join(BUILDS_FOLDER, `${name}.backup`);

/** The newest up to this one that was started and left its data; what lies between is migrated. */
export function findStored(build: LandedBuild): LandedBuild {
  const upTo = LANDED_BUILDS.slice(0, LANDED_BUILDS.indexOf(build) + 1);
  const stored = upTo.findLast((one) => existsSync(fileOf(one)));
  if (!stored) throw new Error(`No build up to ${build.name} left its data`);
  return stored;
}
