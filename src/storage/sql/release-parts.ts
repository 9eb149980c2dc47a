import type { Client } from 'pg';
import { parseReleaseVersion } from '#protocol/release-version.ts';

const RELEASES_PER_STEP = 1_000;

/** What a release's name says, by column; `version_order` is null for what is no semantic version. */
export function releaseParts(version: string) {
  const { package: name, semver } = parseReleaseVersion(version);
  return {
    package: name,
    prerelease: semver?.prerelease ?? null,
    build: semver?.build ?? null,
    version_order: semver?.order ?? null,
  };
}

/** Takes apart the names of the releases that were stored before their parts were kept. */
export async function parseReleases(client: Pick<Client, 'query'>): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ id: number; version: string }>(
      `SELECT id, version FROM releases WHERE NOT is_parsed ORDER BY id LIMIT ${RELEASES_PER_STEP}`,
    );
    if (rows.length === 0) return;
    const parts = rows.map(({ id, version }) => ({ id, ...releaseParts(version) }));
    await client.query(
      `UPDATE releases SET package = part.package, prerelease = part.prerelease, build = part.build,
         version_order = part.version_order, is_parsed = true
       FROM json_to_recordset($1::json) AS part (id bigint, package text, prerelease text, build text,
         version_order text)
       WHERE releases.id = part.id`,
      [JSON.stringify(parts)],
    );
  }
}
