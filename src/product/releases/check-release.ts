import { invalid } from '#lib/errors.ts';
import { checkWebAddress } from '#lib/web-address.ts';
import type { Context } from '#product/context.ts';
import { isReleaseName, RELEASE_NAME_EXPECTED } from '#protocol/release-version.ts';
import type { ReleaseChange } from './release.ts';

const REF_CHARACTERS_MAX = 250;

/** The name without blanks around it. Throws Invalid. */
export function checkVersion(text: string): string {
  const version = text.trim();
  if (version !== '' && isReleaseName(version)) return version;
  throw invalid(`Invalid release version: use ${RELEASE_NAME_EXPECTED}`, 'version');
}

/** Throws Invalid, naming the field. */
export function checkReleaseChange(change: ReleaseChange): ReleaseChange {
  if (change.ref && change.ref.length > REF_CHARACTERS_MAX) {
    throw invalid(`"ref" can have at most ${REF_CHARACTERS_MAX} characters`, 'ref');
  }
  return change.url ? { ...change, url: checkWebAddress(change.url, 'url') } : change;
}

/**
 * Makes the release, or changes the one that there is, and gives it the projects. Issues of its projects that wait for
 * one of its commits are resolved in it.
 */
export async function registerRelease(
  ctx: Context,
  release: { version: string; projectIds: readonly number[]; change: ReleaseChange },
): Promise<{ releaseId: number; isNew: boolean; newProjectIds: readonly number[] }> {
  const { releases, commits } = ctx.stores;
  const saved = await releases.save(ctx.organization.id, release, ctx.now());
  // Not only for projects that are new to it: a request that broke off in between is simply repeated.
  await commits.resolveIssues(ctx.organization.id, saved.releaseId, [], ctx.now());
  return saved;
}
